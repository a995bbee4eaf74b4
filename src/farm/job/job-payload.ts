import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import type { GivenStep } from "../../command/steps-file.ts";
import { operationFailed } from "../../core/api-error.ts";
import { parseJson } from "../../core/json.ts";
import { matchSchema } from "../../core/match-schema.ts";
import { inPrivateFolder } from "../../core/private-folder.ts";
import { readWholeFile } from "../../core/read-file.ts";
import { type FileHash, type FileStore, HASH_PATTERN } from "../store/file-store.ts";

const fileHash = v.custom<FileHash>((value) => typeof value === "string" && HASH_PATTERN.test(value));

const CONTENT = v.strictObject({
  steps: v.array(v.custom<GivenStep>((value) => typeof value === "object" && value !== null)),
  /** The files that the steps read, by their names in the folder of the job. */
  inputs: v.record(v.string(), fileHash),
  /** The names of the files that the steps write. */
  outputs: v.array(v.string()),
  /** Whether the steps may reach printers, where the worker allows it. */
  allow_print: v.optional(v.literal(true)),
  /** The files of `--machines` and `--resin` with which the steps were checked: the worker must have the same. */
  machines: v.optional(v.array(fileHash)),
});

/** What a job makes, and of what: equal contents give equal bytes. */
export type JobContent = v.InferOutput<typeof CONTENT>;

const PAYLOAD = v.strictObject({
  v: v.literal(1),
  /** A long content is a file of the store. */
  content: v.union([CONTENT, fileHash]),
  /** Longest time of one attempt. */
  seconds: v.number(),
  /** When the job was submitted, which its files state as the time of their making (ISO 8601). */
  created: v.string(),
});

/** What the queue keeps of a job for its worker. */
export type JobPayload = v.InferOutput<typeof PAYLOAD>;

/** What a job has made. */
export interface JobResult {
  /** The files that were written, by their names in the folder of the job. */
  readonly outputs: Readonly<Record<string, { readonly hash: FileHash; readonly bytes: number }>>;
  /** The results of the steps that have names; or a file with them, if they are long. */
  readonly results: Readonly<Record<string, unknown>> | FileHash;
  /** Seconds that the steps took. */
  readonly seconds: number;
  /** Of the process that carried out the steps, where it was for this job alone: its processor time and its greatest resident memory. */
  readonly cpu_seconds?: number;
  readonly peak_memory_bytes?: number;
}

/** A content whose JSON is longer is a file of the store; the queue takes 8 KiB. */
const MAX_CONTENT_BYTES = 6144;
const MAX_FILE_BYTES = 64 * 2 ** 20;
/** The depth of bodies, plus that of lists and payload. */
const MAX_DEPTH = 20;

export async function newPayload(
  content: JobContent,
  store: FileStore,
  rest: Pick<JobPayload, "seconds" | "created">,
): Promise<JobPayload> {
  const text = JSON.stringify(content);
  const isShort = new TextEncoder().encode(text).length <= MAX_CONTENT_BYTES;
  return { v: 1, content: isShort ? content : await putText(text, store), ...rest };
}

/** Stores a text as a file. */
export async function putText(text: string, store: FileStore): Promise<FileHash> {
  return inFolder(async (file) => {
    await writeFile(file, text);
    return (await store.put(file)).hash;
  });
}

/** Reads a payload of the queue. Throws OPERATION_FAILED for one of another version. */
export const readPayload = (payload: unknown): JobPayload => matchSchema(PAYLOAD, payload, unreadable);

const unreadable = (why: string) => operationFailed(`The job was submitted by another version of Printwright: ${why}`);

/** The content of a payload, which may be a file of the store. */
export async function contentOf({ content }: JobPayload, store: FileStore): Promise<JobContent> {
  return typeof content === "string" ? matchSchema(CONTENT, await fetchJson(content, store), unreadable) : content;
}

/** The results of the steps of a job, which may be a file of the store. */
export async function resultsOf({ results }: JobResult, store: FileStore): Promise<Readonly<Record<string, unknown>>> {
  return typeof results === "string" ? ((await fetchJson(results, store)) as Record<string, unknown>) : results;
}

const fetchJson = (hash: FileHash, store: FileStore): Promise<unknown> =>
  inFolder(async (file) => {
    await store.fetch(hash, file);
    return parseJson(readWholeFile(file, MAX_FILE_BYTES), MAX_DEPTH);
  });

/** All files that a job names: those to keep. */
export async function filesOfJob(payload: JobPayload, result: JobResult | undefined, store: FileStore) {
  const content = await contentOf(payload, store);
  const files = [...Object.values(content.inputs), ...Object.values(result?.outputs ?? {}).map(({ hash }) => hash)];
  if (typeof payload.content === "string") files.push(payload.content);
  if (typeof result?.results === "string") files.push(result.results);
  return files;
}

/** Runs work with the path of a file in a temporary folder. */
const inFolder = <T>(work: (file: string) => Promise<T>): Promise<T> =>
  inPrivateFolder("farm", (folder) => work(join(folder, "content.json")));
