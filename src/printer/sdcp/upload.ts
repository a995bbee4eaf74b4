import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { Agent } from "node:http";
import { isIPv6 } from "node:net";
import * as v from "valibot";
import { withFileErrorsAsync } from "../../core/file-error.ts";
import { decodeJson } from "../../core/json.ts";
import { httpCall } from "../http-client.ts";
import { type MultipartForm, multipartForm } from "../multipart.ts";
import type { JobTask } from "../printer.ts";
import { displayText } from "./discovery-reply.ts";
import { randomId } from "./message.ts";
import type { Timing } from "./timing.ts";

/** A file to send to a printer. */
export interface Upload {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly bytes: number;
  readonly md5: string;
  /** The name of the file on the printer. */
  readonly fileName: string;
}

/** The largest part that a printer accepts (specification). */
const PART_BYTES = 2 ** 20;
const READ_BYTES = 2 ** 20;

/**
 * Computes the MD5 of a file in hexadecimal, and reads the file in pieces. Throws OPERATION_FAILED, and `CancelledError` when the task is
 * cancelled.
 */
export function md5OfFile(path: string, task: Pick<JobTask, "throwIfCancelled">): Promise<string> {
  return withFileErrorsAsync("read", path, async () => {
    const hash = createHash("md5");
    const file = await open(path);
    try {
      // One buffer for all pieces: new buffers for a large file would fill memory before they are collected.
      const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
      for (;;) {
        task.throwIfCancelled();
        const { bytesRead } = await file.read(buffer, 0, READ_BYTES, null);
        if (bytesRead === 0) return hash.digest("hex");
        hash.update(buffer.subarray(0, bytesRead));
      }
    } finally {
      await file.close();
    }
  });
}

/** Thrown where a printer refuses a part. */
export class PartRefused extends Error {}

/**
 * Sends a file in parts, one after the other over one connection. Throws {@link PartRefused}, `HttpFailure` where the printer is lost, and
 * `CancelledError` when the task is cancelled.
 */
export async function sendFile(
  upload: Upload,
  { partMs, connectMs }: Timing,
  task: JobTask,
  signal: AbortSignal,
): Promise<void> {
  const { host, port, bytes } = upload;
  const url = new URL(`http://${isIPv6(host) ? `[${host}]` : host}:${port}/uploadFile/upload`);
  const transferId = randomId();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    for (let from = 0; from < bytes; from += PART_BYTES) {
      const { headers, body } = partForm(upload, transferId, from);
      const limits = { connectMs, idleMs: partMs, replyMs: partMs, replyBytes: MAX_REPLY_BYTES };
      const reply = await httpCall({ url, method: "POST", headers, body, agent, signal, limits });
      const refused = refusal(reply.status, reply.body);
      if (refused !== undefined) {
        const [part, parts] = [from / PART_BYTES + 1, Math.ceil(bytes / PART_BYTES)];
        throw new PartRefused(`it refused part ${part} of ${parts}, since ${refused}`);
      }
      task.report(Math.min(1, (from + PART_BYTES) / bytes));
    }
  } finally {
    agent.destroy();
  }
}

/** The form of the part that begins at byte `from`. The order of the fields is that of the maker's library. */
function partForm({ path, bytes, md5, fileName }: Upload, transferId: string, from: number): MultipartForm {
  const fields = [
    // The printer compares the MD5 when it has the whole file.
    ["Check", "1"],
    ["S-File-MD5", md5],
    ["Offset", String(from)],
    ["Uuid", transferId],
    ["TotalSize", String(bytes)],
  ] as const;
  const content = { path, from, to: Math.min(bytes, from + PART_BYTES) };
  return multipartForm(fields, { field: "File", fileName, content });
}

const MAX_REPLY_BYTES = 64 * 1024;
const ACCEPTED = "000000";

const reply = v.object({
  code: v.pipe(v.unknown(), v.transform(String)),
  messages: v.fallback(v.array(v.object({ message: v.union([v.number(), displayText]) })), []),
});

/** `message` of a reply whose field is `common_field` (specification). */
const REASONS: Readonly<Record<string, string>> = {
  [-1]: "the offset is below 0: send the job again",
  [-2]: "the part does not follow the one before: send the job again",
  [-3]: "it cannot open the file: delete files on it",
  [-4]: "it does not say why: look at its screen",
};

/** Why the printer refused a part; undefined where it accepted it. A status of 200 alone is no acceptance. */
function refusal(status: number, body: Uint8Array): string | undefined {
  const { success, output } = v.safeParse(reply, jsonOf(body));
  if (!success) return `it answers ${status} without the reply of a printer: check its address`;
  if (status === 200 && output.code === ACCEPTED) return undefined;
  const message = output.messages.find((one) => one.message !== "")?.message;
  return (
    REASONS[message ?? ""] ??
    `it answers with ${message ?? `the code ${output.code.slice(0, 100)}`}: look at its screen`
  );
}

function jsonOf(body: Uint8Array): unknown {
  try {
    return decodeJson(body);
  } catch {
    return undefined;
  }
}
