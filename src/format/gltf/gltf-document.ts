import * as v from "valibot";
import type { ErrorFactory } from "../../core/api-error.ts";
import { parseJson } from "../../core/json.ts";

const finite = v.pipe(v.number(), v.finite());
/** A number of bytes, vertices or corners; what a file can hold is checked against its size. */
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const numbers = (length: number) => v.optional(v.pipe(v.array(finite), v.length(length)));
const name = v.optional(v.string());
const list = <S extends v.GenericSchema>(item: S) => v.optional(v.array(item), []);

const AccessorSchema = v.object({
  bufferView: v.optional(count),
  byteOffset: v.optional(count, 0),
  componentType: count,
  normalized: v.optional(v.boolean(), false),
  count,
  type: v.string(),
  sparse: v.optional(
    v.object({
      count,
      indices: v.object({ bufferView: count, byteOffset: v.optional(count, 0), componentType: count }),
      values: v.object({ bufferView: count, byteOffset: v.optional(count, 0) }),
    }),
  ),
});

const PrimitiveSchema = v.object({
  attributes: v.record(v.string(), count),
  indices: v.optional(count),
  mode: v.optional(count, 4),
});

const NodeSchema = v.object({
  name,
  children: list(count),
  mesh: v.optional(count),
  skin: v.optional(count),
  matrix: numbers(16),
  translation: numbers(3),
  rotation: numbers(4),
  scale: numbers(3),
  weights: list(finite),
  extensions: v.optional(v.record(v.string(), v.unknown()), {}),
});

/** The parts of a document that are read (glTF 2.0, section 5). */
const GltfSchema = v.object({
  asset: v.object({ version: v.string() }),
  extensionsRequired: list(v.string()),
  scene: v.optional(count),
  scenes: list(v.object({ nodes: list(count) })),
  nodes: list(NodeSchema),
  meshes: list(v.object({ name, primitives: v.array(PrimitiveSchema), weights: list(finite) })),
  accessors: list(AccessorSchema),
  bufferViews: list(
    v.object({
      buffer: count,
      byteOffset: v.optional(count, 0),
      byteLength: count,
      byteStride: v.optional(count),
    }),
  ),
  buffers: list(v.object({ uri: v.optional(v.string()), byteLength: count })),
});

export type GltfDocument = v.InferOutput<typeof GltfSchema>;
export type GltfAccessor = v.InferOutput<typeof AccessorSchema>;
export type GltfPrimitive = v.InferOutput<typeof PrimitiveSchema>;
export type GltfNode = v.InferOutput<typeof NodeSchema>;

/**
 * The version, which every version of the format states; drafts of the first one as a number. The rest of a version 1 document has
 * another structure.
 */
const VersionSchema = v.object({ asset: v.object({ version: v.union([v.string(), v.number()]) }) });

/** Levels of objects and lists; the deepest of the schema have six, those in extensions and extras a few more. */
const MAX_DEPTH = 256;

/** Supported extensions that a file may require: they change no shape, or are read. */
const KNOWN_EXTENSIONS =
  /^(?:KHR_mesh_quantization|KHR_(?:materials|texture|lights|xmp|animation)_\w+|EXT_(?:texture|lights)_\w+|MSFT_(?:texture|packing)_\w+)$/;

/** Extensions that compress meshes; every program can write the file without them. */
const PACKING = /draco|meshopt/i;

/** Checks the JSON of a file. Throws for another version, a required extension that is not read, and for what the format does not allow. */
export function parseGltf(json: Uint8Array, refuse: ErrorFactory): GltfDocument {
  const content = parsed(json, refuse);
  if (v.is(VersionSchema, content) && !/^2\.\d/.test(String(content.asset.version))) {
    const shown = JSON.stringify(String(content.asset.version).slice(0, 20));
    throw refuse(`it is of version ${shown}; export it as glTF 2.0`);
  }
  const checked = v.safeParse(GltfSchema, content, { abortEarly: true });
  if (!checked.success) {
    const [issue] = checked.issues;
    throw refuse(`it is no glTF 2.0 file, or is wrong at ${v.getDotPath(issue)} (${issue.message}); export it again`);
  }
  const document = checked.output;
  const unknown = document.extensionsRequired.find((extension) => !KNOWN_EXTENSIONS.test(extension));
  if (unknown !== undefined) {
    const shown = JSON.stringify(unknown.slice(0, 60));
    const way = PACKING.test(unknown) ? "without compression of meshes" : "without it, or as 3MF or STL";
    throw refuse(`it requires the glTF extension ${shown}, which is not supported; export it ${way}`);
  }
  return document;
}

function parsed(json: Uint8Array, refuse: ErrorFactory): unknown {
  try {
    return parseJson(json, MAX_DEPTH);
  } catch (thrown) {
    throw refuse(`it is no glTF file, or its JSON is damaged (${(thrown as Error).message}); export it again`);
  }
}
