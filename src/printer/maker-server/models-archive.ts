import { Buffer } from "node:buffer";
import { type FileHandle, open } from "node:fs/promises";
import * as v from "valibot";
import { operationFailed } from "../../core/api-error.ts";
import { withFileErrorsAsync } from "../../core/file-error.ts";
import { parseJson } from "../../core/json.ts";
import type { FileAppender } from "../../core/write-file.ts";
import type { FileRange } from "../http-client.ts";

// The archive of a job for printers that get models instead of layers: a tar file (POSIX.1-1988, ustar) with an STL file for each model in
// scene coordinates, the custom print setting where there is one, and last a list of these as JSON.

/** Extension of the archive, with its dot. */
export const MODELS_EXTENSION = ".tar";

const corner = v.object({ x: v.number(), y: v.number(), z: v.number() });

/** A box as the interface describes it, mm. */
export const boxOnWire = v.object({ min_corner: corner, max_corner: corner });
export type BoxOnWire = v.InferOutput<typeof boxOnWire>;

const jobList = v.object({
  format: v.literal("printwright-models"),
  version: v.literal(1),
  /** As in bodies of scene/create. */
  scene_settings: v.object({
    machine_type: v.string(),
    material_code: v.string(),
    print_setting: v.string(),
    layer_thickness_mm: v.string(),
  }),
  /** Name of the file with the custom print setting of the scene. */
  fps_file: v.optional(v.string()),
  models: v.array(
    v.object({
      file: v.string(),
      name: v.string(),
      /** The box of the model with its supports in scene coordinates, mm. */
      bounding_box: boxOnWire,
    }),
  ),
});

type JobList = v.InferOutput<typeof jobList>;
export type SceneSettings = JobList["scene_settings"];

/** A model of a job: a closed mesh with its supports, in scene coordinates in mm. */
export interface ModelFile {
  readonly name: string;
  /** A binary STL file. */
  readonly stl: Uint8Array;
  /** In scene coordinates. */
  readonly box: BoxOnWire;
}

const LIST_NAME = "job.json";
const FPS_NAME = "print-setting.fps";

/** Appends the archive of a job to an empty file. */
export async function writeModelsArchive(
  file: FileAppender,
  { scene_settings, fps }: { readonly scene_settings: SceneSettings; readonly fps: Uint8Array | undefined },
  modelFiles: AsyncIterable<ModelFile>,
): Promise<void> {
  const models: JobList["models"] = [];
  if (fps) await appendEntry(file, FPS_NAME, fps);
  for await (const { name, stl, box } of modelFiles) {
    const entry = `${models.length + 1}.stl`;
    await appendEntry(file, entry, stl);
    models.push({ file: entry, name, bounding_box: box });
  }
  const list: JobList = {
    format: "printwright-models",
    version: 1,
    scene_settings,
    ...(fps && { fps_file: FPS_NAME }),
    models,
  };
  await appendEntry(file, LIST_NAME, Buffer.from(`${JSON.stringify(list, null, 1)}\n`));
  // Two empty blocks end an archive.
  await file.append(new Uint8Array(2 * BLOCK_BYTES));
}

const BLOCK_BYTES = 512;

async function appendEntry(file: FileAppender, name: string, bytes: Uint8Array): Promise<void> {
  await file.append(headOf(name, bytes.length));
  await file.append(bytes);
  await file.append(new Uint8Array(paddingOf(bytes.length)));
}

const paddingOf = (bytes: number): number => (BLOCK_BYTES - (bytes % BLOCK_BYTES)) % BLOCK_BYTES;

/** Offsets and lengths of the fields of a head (POSIX.1-1988, "Extended tar format"). */
const FIELDS = {
  name: [0, 100],
  mode: [100, 8],
  uid: [108, 8],
  gid: [116, 8],
  size: [124, 12],
  time: [136, 12],
  checksum: [148, 8],
  type: [156, 1],
  magic: [257, 8],
} as const;
type Field = keyof typeof FIELDS;

/** "ustar", a NUL and the version "00". */
const MAGIC = "ustar\u000000";
/** Readable by all who can read the archive. */
const MODE = 0o644;

function headOf(name: string, bytes: number): Uint8Array {
  const head = Buffer.alloc(BLOCK_BYTES);
  const put = (field: Field, text: string): void => {
    const [at, length] = FIELDS[field];
    head.write(text, at, length, "latin1");
  };
  const putNumber = (field: Field, value: number): void =>
    put(field, `${value.toString(8).padStart(FIELDS[field][1] - 1, "0")}\0`);
  put("name", name);
  putNumber("mode", MODE);
  for (const field of ["uid", "gid", "time"] as const) putNumber(field, 0);
  putNumber("size", bytes);
  put("type", "0");
  put("magic", MAGIC);
  put("checksum", `${checksumOf(head).toString(8).padStart(6, "0")}\0 `);
  return head;
}

/** The sum of the bytes of a head, whose checksum counts as blanks. */
function checksumOf(head: Uint8Array): number {
  const [at, length] = FIELDS.checksum;
  return head.reduce((sum, byte, i) => sum + (i >= at && i < at + length ? 32 : byte), 0);
}

/** A job that was read from its archive; the files are ranges of the archive. */
export interface ModelsJob {
  readonly scene_settings: SceneSettings;
  readonly fps: FileRange | undefined;
  readonly models: readonly (Pick<ModelFile, "name" | "box"> & { readonly content: FileRange })[];
}

const MAX_LIST_BYTES = 16 * 2 ** 20;
const MAX_LIST_DEPTH = 8;

/** Reads the list of an archive, and where its files are. Throws OPERATION_FAILED where it is none, or damaged. */
export async function readModelsArchive(path: string): Promise<ModelsJob> {
  const file = await withFileErrorsAsync("read", path, () => open(path));
  try {
    return await withFileErrorsAsync("read", path, () => readFrom(file, path));
  } finally {
    await file.close();
  }
}

async function readFrom(file: FileHandle, path: string): Promise<ModelsJob> {
  const ranges = new Map<string, FileRange>();
  const { size } = await file.stat();
  for (let at = 0; !ranges.has(LIST_NAME);) {
    const { name, bytes } = parseHead(await readBytes(file, at, BLOCK_BYTES));
    const from = at + BLOCK_BYTES;
    if (from + bytes > size) throw unusable();
    ranges.set(name, { path, from, to: from + bytes });
    at = from + bytes + paddingOf(bytes);
  }
  const rangeOf = (name: string): FileRange => {
    const range = ranges.get(name);
    if (!range) throw unusable();
    return range;
  };
  const { from, to } = rangeOf(LIST_NAME);
  if (to - from > MAX_LIST_BYTES) throw unusable();
  const { scene_settings, fps_file, models } = parseList(await readBytes(file, from, to - from));
  return {
    scene_settings,
    fps: fps_file === undefined ? undefined : rangeOf(fps_file),
    models: models.map((one) => ({ name: one.name, box: one.bounding_box, content: rangeOf(one.file) })),
  };
}

const unusable = () =>
  operationFailed(
    "the file of the job holds no models, or is damaged: it may have been made for another kind of printer; print the scene again",
  );

async function readBytes(file: FileHandle, at: number, bytes: number): Promise<Buffer> {
  const buffer = Buffer.alloc(bytes);
  const { bytesRead } = await file.read(buffer, 0, bytes, at);
  if (bytesRead < bytes) throw unusable();
  return buffer;
}

function parseHead(head: Buffer): { readonly name: string; readonly bytes: number } {
  const textOf = (field: Field): string => {
    const [from, length] = FIELDS[field];
    const text = head.toString("latin1", from, from + length);
    return field === "magic" ? text : text.replace(/[\0 ].*$/s, "");
  };
  const [size, checksum] = [textOf("size"), textOf("checksum")];
  const isNumber = [size, checksum].every((text) => /^[0-7]+$/.test(text));
  if (textOf("magic") !== MAGIC || !isNumber || parseInt(checksum, 8) !== checksumOf(head)) throw unusable();
  return { name: textOf("name"), bytes: parseInt(size, 8) };
}

function parseList(bytes: Uint8Array): JobList {
  let json: unknown;
  try {
    json = parseJson(bytes, MAX_LIST_DEPTH);
  } catch {
    throw unusable();
  }
  const checked = v.safeParse(jobList, json);
  if (!checked.success) throw unusable();
  return checked.output;
}
