import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { inputError } from "../../core/api-error.ts";
import { withFileErrors } from "../../core/file-error.ts";
import { parseJson } from "../../core/json.ts";
import { matchSchema } from "../../core/match-schema.ts";
import { readWholeFile } from "../../core/read-file.ts";
import { writeFileAtomically } from "../../core/write-file.ts";

const endedJob = v.strictObject({
  id: v.string(),
  queue_id: v.string(),
  print_now: v.boolean(),
  /** `sent`: its printer has it. `cancelled`: a person dropped it. */
  end: v.picklist(["sent", "cancelled"]),
  /** The printer that has it. */
  printer: v.optional(v.string()),
});

/** A held job that has ended. */
export type EndedJob = Readonly<v.InferOutput<typeof endedJob>>;
export type JobEnd = Pick<EndedJob, "end" | "printer">;

/** The ends of held jobs that nobody was told of yet, each a file in their folder, so that none is forgotten by a kill. */
export interface EndedJobs {
  note(job: EndedJob): void;
  list(): readonly EndedJob[];
  forget(id: string): void;
}

const EXTENSION = ".ended";
const MAX_BYTES = 2 ** 16;
const OWNER_ONLY = 0o600;

/** Opens the notes in the folder of held jobs. Throws OPERATION_FAILED or INPUT_ERROR where one cannot be read. */
export function openEndedJobs(folder: string): EndedJobs {
  const pathOf = (id: string): string => join(folder, `${id}${EXTENSION}`);
  const read = (name: string): EndedJob =>
    matchSchema(endedJob, parseJson(readWholeFile(join(folder, name), MAX_BYTES), 2), inputError);
  const names = withFileErrors("read", folder, () => readdirSync(folder));
  const jobs = new Map(
    names
      .filter((name) => name.endsWith(EXTENSION))
      .map(read)
      .map((job) => [job.id, job]),
  );
  return {
    note({ id, queue_id, print_now, end, printer }) {
      const job = { id, queue_id, print_now, end, ...(printer !== undefined && { printer }) };
      writeFileAtomically(pathOf(id), [new TextEncoder().encode(JSON.stringify(job))], undefined, OWNER_ONLY);
      jobs.set(id, job);
    },
    list: () => [...jobs.values()],
    forget(id) {
      withFileErrors("write", folder, () => rmSync(pathOf(id), { force: true }));
      jobs.delete(id);
    },
  };
}
