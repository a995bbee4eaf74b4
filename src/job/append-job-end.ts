import { Buffer } from "node:buffer";
import type { FileAppender } from "../core/write-file.ts";
import type { JobEnd } from "./job.ts";

/** Writes the end of a job to its file, then the head with the totals, and the hash of both. */
export async function appendJobEnd(file: FileAppender, { chunks, head, tail }: JobEnd): Promise<void> {
  await file.append(Buffer.concat([...chunks]));
  if (head) await file.overwriteHead(head);
  if (tail) await file.append(tail(await file.md5()));
}
