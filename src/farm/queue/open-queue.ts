import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { inputError } from "../../core/api-error.ts";
import { withFileErrors } from "../../core/file-error.ts";
import { requirePrivateFile } from "../../core/require-private-file.ts";
import { defaultStateFolder } from "../../core/state-folder.ts";
import type { JobQueue } from "./job-queue.ts";
import { isPostgresUrl, readPostgresUrl, withoutPasswords } from "./postgres-address.ts";

/** Where a process gets the address of its queue from. */
export interface QueueSource {
  /** What a person named on the command line: a SQLite file, or a URL of PostgreSQL without a password. */
  readonly queue?: string | undefined;
  /** `PRINTWRIGHT_QUEUE`, `PRINTWRIGHT_QUEUE_FILE`, `PGPASSFILE`. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/**
 * Opens the queue that `queue` names; else that of `PRINTWRIGHT_QUEUE`, or of the file in `PRINTWRIGHT_QUEUE_FILE`; else a SQLite file in the state folder of the user.
 * Throws INPUT_ERROR if a password is where others can read it, or the address is wrong, OPERATION_FAILED if the queue cannot be opened.
 */
export async function openQueue(source: QueueSource = {}): Promise<JobQueue> {
  const address = queueAddress(source);
  if (isPostgresUrl(address)) {
    const passwords = (source.environment ?? process.env)["PGPASSFILE"];
    if (passwords !== undefined) requirePrivateFile(passwords);
    const { openPostgresQueue } = await import("./postgres-queue.ts");
    return openPostgresQueue(readPostgresUrl(address));
  }
  const { openSqliteQueue } = await import("./sqlite-queue.ts");
  return openSqliteQueue(address);
}

/** The path of a SQLite file, or a URL of PostgreSQL. It may hold a password: not for messages. */
export function queueAddress({ queue, environment = process.env }: QueueSource): string {
  if (queue !== undefined) {
    if (withoutPasswords(queue) !== queue)
      throw inputError(
        "The queue on the command line has a password, which other users of this machine can see: set PRINTWRIGHT_QUEUE to the address, or PRINTWRIGHT_QUEUE_FILE to a file with it.",
      );
    return absolute(queue);
  }
  const named = environment["PRINTWRIGHT_QUEUE"] ?? addressInFile(environment["PRINTWRIGHT_QUEUE_FILE"]);
  return named === undefined ? join(defaultStateFolder(), "queue.sqlite") : absolute(named);
}

const absolute = (address: string): string => {
  if (isPostgresUrl(address)) return address;
  const scheme = /^([a-z]{2,}):\/\//i.exec(address)?.[1];
  if (scheme !== undefined)
    throw inputError(`A queue cannot be at ${scheme}://: name a file for SQLite, or postgres://USER@HOST/DATABASE.`);
  return resolve(address);
};

function addressInFile(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  requirePrivateFile(path);
  return withFileErrors("read", path, () => readFileSync(path, "utf8")).trim();
}
