import type { Refuse } from "../../core/fault.ts";
import { fileFault } from "../../core/system-error.ts";
import type { Watch } from "../../core/watch.ts";
import type { ModelFile, ModelReader, ReadOptions } from "../reader.ts";
import { openZip, type ZipReader } from "../zip-reader.ts";
import { assemble } from "./assemble.ts";
import { type ModelPart, parseModelPart } from "./model-part.ts";
import { findStartPart, resolvePart } from "./package.ts";

/** Bytes of all model parts together, unpacked. */
const MAX_MODEL_BYTES = 2 * 2 ** 30;
/** Share of the progress that parsing takes; placing is the rest. */
const PARSE_SHARE = 0.95;

/**
 * 3MF core specification 1.3, with the production extension's several model parts. Materials, colours, textures and
 * metadata are passed over; any other extension that a file requires is refused by its name.
 */
export const threeMfReader: ModelReader = {
  async read(file: string, _options: ReadOptions, watch: Watch): Promise<ModelFile> {
    watch.report(0);
    const refuse: Refuse = (why) => fileFault("read", file, why);
    const zip = await openZip(file);
    try {
      const root = await findStartPart(zip, refuse);
      const parts = await parseParts(zip, root, refuse, watch.part(0, PARSE_SHARE));
      const { unitMm } = parts.get(root)!;
      return { parts: assemble(root, parts, refuse, watch.part(PARSE_SHARE, 1)), unitMm };
    } finally {
      zip.close();
    }
  },
};

/** The root part and those that it refers to, by name. */
async function parseParts(zip: ZipReader, root: string, refuse: Refuse, watch: Watch): Promise<Map<string, ModelPart>> {
  const parts = new Map<string, ModelPart>();
  const names = new Set([root]);
  const expectedBytes = totalBytes(zip);
  let doneBytes = 0;
  const resolve = (path: string): string => {
    const name = resolvePart(zip, path, refuse);
    names.add(name);
    return name;
  };
  for (const name of names) {
    const part = await parseModelPart(
      name,
      counted(zip.chunks(name, MAX_MODEL_BYTES - doneBytes)),
      (why) => refuse(`${name}: ${why}`),
      name === root ? resolve : undefined,
    );
    const { unitMm } = parts.get(root) ?? part;
    if (part.unitMm !== unitMm) throw refuse(`${name} has another unit than ${root}; export it with one unit`);
    parts.set(name, part);
  }
  return parts;

  async function* counted(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      watch.report(doneBytes / expectedBytes);
      doneBytes += chunk.length;
      yield chunk;
    }
  }
}

/** Of all model parts in the archive; it may hold some that nothing refers to. */
const totalBytes = (zip: ZipReader): number =>
  zip.entries.values().filter(({ name }) => /\.model$/i.test(name)).reduce((sum, { size }) => sum + size, 1);
