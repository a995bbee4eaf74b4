import { closeSync } from "node:fs";
import type { ErrorFactory } from "../../core/api-error.ts";
import { fileError } from "../../core/file-error.ts";
import type { Progress } from "../../core/progress.ts";
import { openRegularFile } from "../../core/read-file.ts";
import { IDENTITY_TRANSFORM, type Transform, compose } from "../../geometry/transform.ts";
import { type Surface, triangleCount, vertexCount } from "../../mesh/mesh.ts";
import type { ModelFile, ModelReader } from "../model-reader.ts";
import {
  claimModelBytes,
  claimModelSize,
  requireFileSize,
  requirePartCount,
  requireUnpackedSize,
} from "../model-size.ts";
import { sentenceOf, unreadFields } from "../message-names.ts";
import { placeSurface } from "../place-surface.ts";
import { readExactly } from "../../codec/file-source.ts";
import { withFileSource } from "../model-source.ts";
import { openZip } from "../../codec/zip-reader.ts";
import { type AmfDocument, type AmfVolume, parseAmf } from "./amf-document.ts";

/** Limit of the document, unpacked. */
const MAX_DOCUMENT_BYTES = 2 * 2 ** 30;
/** Most memory of the import per byte of the document, which states a facet with its part of the vertices in 85 bytes or more. */
const BYTES_PER_DOCUMENT_BYTE = 1.8;
/** Bytes of text parsed at once: parsed text stays in memory until the garbage collector runs. */
const CHUNK_BYTES = 2 ** 14;
/** Fraction of the progress for parsing; the rest is for placing the objects. */
const PARSE_SHARE = 0.9;
/** Deepest nesting of constellations. */
const MAX_LEVELS = 64;
/** Most instances that are followed, also those without volumes: a few constellations can refer to each other any number of times. */
const MAX_VISITS = 200_000;

/**
 * AMF (ISO/ASTM 52915), plain or in a zip archive. A part is a volume of an object to which no constellation refers, or of an instance
 * in a constellation to which no other one refers: these are printed. Curved triangles are read as flat ones, with a warning.
 */
export const amfReader: ModelReader = {
  async read(file, _options, progress) {
    progress.report(0);
    const refuse: ErrorFactory = (why) => fileError("read", file, why);
    const document = await readDocument(file, refuse, progress.part(0, PARSE_SHARE));
    const placed = placedVolumes(document, refuse);
    if (placed.length === 0) throw refuse("it has no triangles to print; export the model as a mesh");
    const total = (count: (surface: Surface) => number): number =>
      placed.reduce((sum, { volume: { surface } }) => sum + count(surface), 0);
    claimModelSize(file, { facets: total(triangleCount), vertices: total(vertexCount), parts: placed.length }, refuse);
    const placing = progress.part(PARSE_SHARE, 1);
    const parts = placed.map(({ volume: { name, surface }, transform }, index) => {
      placing.report(index / placed.length);
      return {
        index,
        ...(name !== undefined && { name }),
        surface: transform === IDENTITY_TRANSFORM ? surface : placeSurface(surface, transform),
      };
    });
    return { parts, unitMm: document.unitMm, ...unreadContent(document) };
  },
};

const CURVED =
  "The file has curved triangles, which are read as flat ones. Export it with more triangles if that is too coarse.";

const unreadContent = ({
  isCurved,
  leftOut,
  empty,
  switchedOff,
}: AmfDocument): Pick<ModelFile, "losses" | "warnings"> =>
  unreadFields(sentenceOf("The file has objects or volumes without triangles, or none that are read", empty), [
    ...(isCurved ? [CURVED] : []),
    ...sentenceOf("Volumes that are supports or settings of a slicer are not imported. They are of", leftOut),
    ...sentenceOf("Instances that the file has switched off are not imported. They are of", switchedOff),
  ]);

async function readDocument(file: string, refuse: ErrorFactory, progress: Progress): Promise<AmfDocument> {
  const isZip = withFileSource(file, (source) => {
    const magic = new Uint8Array(Math.min(2, source.size));
    readExactly(source, magic, 0);
    return String.fromCharCode(...magic) === "PK";
  });
  if (!isZip) return parseAmf(fileChunks(file, refuse, progress), refuse);
  const zip = await openZip(file);
  try {
    requireFileSize(zip.size, refuse);
    const documents = zip.entries
      .values()
      .filter(({ name }) => /\.(?:amf|xml)$/i.test(name))
      .toArray();
    if (documents.length !== 1) {
      throw refuse(`its archive holds ${documents.length} AMF documents, not one; export it again as AMF`);
    }
    const [{ name, size }] = documents;
    requireUnpackedSize(size, zip.size, refuse);
    claimModelBytes(file, BYTES_PER_DOCUMENT_BYTE * size);
    return await parseAmf(counted(zip.chunks(name, MAX_DOCUMENT_BYTES), size, progress), refuse);
  } finally {
    zip.close();
  }
}

/** The bytes of a file, each chunk valid until the next. */
async function* fileChunks(file: string, refuse: ErrorFactory, progress: Progress): AsyncGenerator<Uint8Array> {
  const source = { path: file, ...openRegularFile(file) };
  try {
    requireFileSize(source.size, refuse);
    claimModelBytes(file, BYTES_PER_DOCUMENT_BYTE * source.size);
    const buffer = new Uint8Array(CHUNK_BYTES);
    for (let at = 0; at < source.size; at += CHUNK_BYTES) {
      progress.report(at / source.size);
      const chunk = buffer.subarray(0, source.size - at);
      readExactly(source, chunk, at);
      yield chunk;
    }
  } finally {
    closeSync(source.fd);
  }
}

async function* counted(
  chunks: AsyncIterable<Uint8Array>,
  expectedBytes: number,
  progress: Progress,
): AsyncGenerator<Uint8Array> {
  let doneBytes = 0;
  for await (const chunk of chunks) {
    progress.report(doneBytes / expectedBytes);
    doneBytes += chunk.length;
    yield chunk;
  }
}

const ITSELF = "a constellation is an instance of itself; export it again";

interface PlacedVolume {
  readonly volume: AmfVolume;
  readonly transform: Transform;
}

/**
 * The printed volumes in the order of the file. Throws for instances of missing objects, for cycles, and for too many or too deeply
 * nested instances.
 */
function placedVolumes({ objects, constellations }: AmfDocument, refuse: ErrorFactory): PlacedVolume[] {
  const placed: PlacedVolume[] = [];
  let visits = 0;
  const visited = new Set<string>();
  const visit = (id: string, transform: Transform, within: readonly string[]): void => {
    visited.add(id);
    if (++visits > MAX_VISITS) throw refuse(`its constellations place over ${MAX_VISITS} instances; split it`);
    const instances = constellations.get(id);
    if (instances) {
      if (within.includes(id)) throw refuse(ITSELF);
      if (within.length === MAX_LEVELS) throw refuse(`its constellations are nested deeper than ${MAX_LEVELS} levels`);
      for (const one of instances) visit(one.id, compose(one.transform, transform), [...within, id]);
      return;
    }
    const volumes = objects.get(id);
    if (!volumes) throw refuse(`object ${JSON.stringify(id)}, which it places, is missing; export it again`);
    requirePartCount(placed.length + volumes.length);
    for (const volume of volumes) placed.push({ volume, transform });
  };
  const used = new Set([...constellations.values()].flat().map(({ id }) => id));
  const all = [...objects.keys(), ...constellations.keys()];
  for (const id of all) if (!used.has(id)) visit(id, IDENTITY_TRANSFORM, []);
  // The constellations that were not visited refer to each other in a cycle.
  if (visited.size < all.length) throw refuse(ITSELF);
  return placed;
}
