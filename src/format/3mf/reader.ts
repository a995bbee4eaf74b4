import type { ErrorFactory } from "../../core/api-error.ts";
import { fileError } from "../../core/file-error.ts";
import { memoize } from "../../core/memoize.ts";
import { releaseArrays } from "../../core/typed-arrays.ts";
import type { Progress } from "../../core/progress.ts";
import type { ModelFile, ModelReader, ReadOptions } from "../model-reader.ts";
import {
  type ModelSize,
  claimModelBytes,
  claimModelSize,
  requireFileSize,
  requireUnpackedSize,
} from "../model-size.ts";
import { type ZipReader, openZip } from "../../codec/zip-reader.ts";
import { assemble } from "./assemble.ts";
import { type ModelPart, parseModelPart } from "./model-part.ts";
import { parseXml } from "../../codec/parse-xml.ts";
import { quoted } from "../../codec/xml-numbers.ts";

/** Limit of the bytes of all model parts, unpacked. */
const MAX_MODEL_BYTES = 2 * 2 ** 30;
/** Most memory of the import per byte of an unpacked model part, which states a facet with its part of the vertices in 60 bytes or more. */
const BYTES_PER_PART_BYTE = 1.8;
/** Fraction of the progress for parsing; the rest is for placing the objects. */
const PARSE_SHARE = 0.95;

/**
 * 3MF core specification 1.3, with model parts of the production extension and beam lattices 1.2. Materials, colours, textures, metadata and
 * sets of beams are ignored, and so are meshes that only represent a lattice; a file that requires any other extension is refused with
 * the name of that extension. Supports and items that are switched off are left out with a warning.
 */
export const threeMfReader: ModelReader = {
  async read(file: string, _options: ReadOptions, progress: Progress): Promise<ModelFile> {
    progress.report(0);
    const refuse: ErrorFactory = (why) => fileError("read", file, why);
    const zip = await openZip(file);
    try {
      requireFileSize(zip.size, refuse);
      claimModelBytes(file, BYTES_PER_PART_BYTE * totalBytes(zip));
      const rootName = await findStartPart(zip, refuse);
      const { root, parts } = await parseParts(zip, rootName, refuse, progress.part(0, PARSE_SHARE));
      const claim = (size: ModelSize): void => claimModelSize(file, size, refuse);
      const placed = assemble(root, parts, refuse, claim, progress.part(PARSE_SHARE, 1));
      const surfaces = [...parts.values()]
        .flatMap(({ objects }) => [...objects.values()])
        .map(({ surface }) => surface);
      for (const surface of surfaces) if (surface) releaseArrays(surface.vertices, surface.triangles);
      return { ...placed, unitMm: root.unitMm };
    } finally {
      zip.close();
    }
  },
};

/** The root part, and all parts by name: the root and those to which it refers. */
async function parseParts(
  zip: ZipReader,
  rootName: string,
  refuse: ErrorFactory,
  progress: Progress,
): Promise<{ root: ModelPart; parts: Map<string, ModelPart> }> {
  const expectedBytes = totalBytes(zip);
  let doneBytes = 0;
  const parse = async (name: string, resolve?: (path: string) => string): Promise<ModelPart> => {
    requireUnpackedSize(doneBytes + (zip.entries.get(name)?.size ?? 0), zip.size, refuse);
    const relationships = relationshipsOf(zip, name);
    if (relationships !== undefined) await modelTargets(zip, relationships, refuse);
    const bytes = counted(zip.chunks(name, MAX_MODEL_BYTES - doneBytes));
    return parseModelPart(name, bytes, (why) => refuse(`${name}: ${why}`), resolve);
  };
  const names = new Set<string>();
  const root = await parse(rootName, (path) => {
    const name = resolvePart(zip, path, refuse);
    names.add(name);
    return name;
  });
  names.delete(rootName);
  const parts = new Map([[rootName, root]]);
  for (const name of names) {
    const part = await parse(name);
    if (part.unitMm !== root.unitMm) throw refuse(`${name} has another unit than ${rootName}; export it with one unit`);
    parts.set(name, part);
  }
  return { root, parts };

  async function* counted(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      progress.report(doneBytes / expectedBytes);
      doneBytes += chunk.length;
      yield chunk;
    }
  }
}

/** Bytes of all model parts in the archive, which may contain parts that nothing refers to. */
const totalBytes = (zip: ZipReader): number =>
  zip.entries
    .values()
    .filter(({ name }) => /\.model$/i.test(name))
    .reduce((sum, { size }) => sum + size, 1);

const RELATIONSHIPS = "_rels/.rels";
const MAX_RELATIONSHIPS_BYTES = 2 ** 20;
/** The relationship of a package to its model (core specification, appendix C). */
const START_PART = "http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel";

/** The archive name of the root model part of a 3MF package. */
async function findStartPart(zip: ZipReader, refuse: ErrorFactory): Promise<string> {
  const relationships = findPart(zip, RELATIONSHIPS);
  if (relationships === undefined) throw refuse(`it is no 3MF file: ${RELATIONSHIPS} is missing; ${ADVICE}`);
  const targets = await modelTargets(zip, relationships, refuse);
  const [root, ...more] = new Set(targets.map((path) => resolvePart(zip, path, refuse)));
  if (root === undefined) throw refuse(`it names no 3D model in ${RELATIONSHIPS}; ${ADVICE}`);
  // Ambiguous root model.
  if (more.length > 0) throw refuse(`it names ${1 + more.length} root models in ${RELATIONSHIPS}; ${ADVICE}`);
  return root;
}

/** The archive name of the list of relationships of a part (OPC, section 6.5.2.3); undefined if it has none. */
const relationshipsOf = (zip: ZipReader, part: string): string | undefined =>
  findPart(zip, part.replace(/[^/]*$/, "_rels/$&.rels"));

/**
 * The models that a list of relationships names. Throws for any target outside of the package, which holds all that is printed (core
 * specification, section 2.2).
 */
async function modelTargets(zip: ZipReader, relationships: string, refuse: ErrorFactory): Promise<string[]> {
  const targets: string[] = [];
  const refuseHere: ErrorFactory = (why) => refuse(`${relationships}: ${why}`);
  await parseXml(zip.chunks(relationships, MAX_RELATIONSHIPS_BYTES), refuseHere, () => ({
    open(name, { Type, Target, TargetMode }) {
      if (!/(^|:)Relationship$/.test(name) || Target === undefined) return;
      if (TargetMode?.trim().toLowerCase() === "external") {
        throw refuseHere(
          `it refers to ${quoted(Target)}, which is outside of the package (TargetMode "External"); export it again as 3MF with all of its content inside`,
        );
      }
      if (Type?.toLowerCase() === START_PART) targets.push(Target);
    },
    close() {},
  }));
  return targets;
}

/** The archive name of the part with an absolute path of the package. */
function resolvePart(zip: ZipReader, path: string, refuse: ErrorFactory): string {
  const part = findPart(zip, path);
  if (part === undefined) throw refuse(`${JSON.stringify(path)}, which it refers to, is missing; ${ADVICE}`);
  return part;
}

const ADVICE = "export it again as 3MF";

/** Compares part names without case (OPC, section 6.2.2.3), leading slashes and escapes, because writers differ in these. */
function findPart(zip: ZipReader, path: string): string | undefined {
  const plain = path.replace(/^\//, "");
  if (zip.entries.has(plain)) return plain;
  return canonicalNames(zip).get(canonical(plain));
}

/** The names of an archive by their canonical forms; the first of those with the same form. */
const canonicalNames = memoize(
  ({ entries }: ZipReader): ReadonlyMap<string, string> =>
    new Map([...entries.keys()].toReversed().map((name) => [canonical(name), name])),
);

function canonical(name: string): string {
  try {
    return decodeURIComponent(name).toLowerCase();
  } catch {
    return name.toLowerCase();
  }
}
