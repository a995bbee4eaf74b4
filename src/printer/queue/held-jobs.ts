import { chmodSync, existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import process from "node:process";
import * as v from "valibot";
import { inputError } from "../../core/api-error.ts";
import { withFileErrors } from "../../core/file-error.ts";
import { parseJson } from "../../core/json.ts";
import { matchSchema } from "../../core/match-schema.ts";
import { readWholeFile } from "../../core/read-file.ts";
import { writeFileAtomically } from "../../core/write-file.ts";
import type { PrintJob, PrintJobTotals } from "../printer.ts";
import { jobFileName } from "../virtual/job-file-name.ts";
import { copyArchive } from "./copy-archive.ts";

/**
 * What has become of a job: `waiting` jobs are sent to the first printer that is ready. One is `sending` from before the first step that
 * cannot be taken back until its printer has it: one that a restart finds so may have been printed. `set aside` jobs are left to people.
 */
type State = "waiting" | "sending" | "set aside";

/** A job on disk: its archive, and beside it this as JSON. It is there once the JSON is. */
export type HeldJob = Readonly<v.InferOutput<typeof heldJob>>;

const STATES = ["waiting", "sending", "set aside"] as const satisfies readonly State[];
const heldJob = v.strictObject({
  id: v.string(),
  name: v.string(),
  material_code: v.string(),
  machine_type: v.string(),
  extension: v.string(),
  print_now: v.boolean(),
  queue_id: v.string(),
  /** Ascending in the order in which they go out. */
  sequence: v.pipe(v.number(), v.integer()),
  /** Name of the archive in the same folder. */
  archive: v.pipe(
    v.string(),
    v.check((name) => basename(name) === name, "must be the name of a file in this folder"),
  ),
  totals: v.strictObject({
    printTimeS: v.number(),
    preprintTimeS: v.number(),
    coolingTimeS: v.optional(v.number()),
    layerCount: v.number(),
    materialMl: v.number(),
  }),
  state: v.picklist(STATES),
  /** The printers on which a person lets it start; absent as long as nobody has released it. */
  released: v.optional(v.array(v.string())),
  /** Why it was set aside, for people. */
  reason: v.optional(v.string()),
});

/** The jobs that queues hold, in a folder: all or nothing, whenever the process ends. */
export interface HeldJobs {
  /** In the order in which they go out. */
  list(): readonly HeldJob[];
  /** Writes the archive of a job and holds it. The request can be cancelled until the archive is written. */
  add(job: PrintJob, queueId: string): Promise<HeldJob>;
  /** Writes the change to disk before it returns. Gives the job as it is then. */
  update(job: HeldJob, change: Partial<Pick<HeldJob, "state" | "reason" | "released" | "sequence">>): HeldJob;
  remove(job: HeldJob): void;
  /** {@link PrintJob.writeTo} for a held job. */
  writeTo(job: HeldJob, path: string, beforeRename: () => void): Promise<PrintJobTotals>;
}

const OWNER_ONLY = 0o600;

/** Takes the rights of others to a file away; one that is missing is found out about when it is sent. */
function protect(path: string): void {
  if (process.platform !== "win32" && existsSync(path)) chmodSync(path, OWNER_ONLY);
}

const MAX_JSON_BYTES = 2 ** 20;
/** Archives that no JSON names are of jobs that were being added or removed when the process ended. */
const ARCHIVE = /-[0-9a-f]{8}\.(?:printjob|goo|sl1|sl1s)$/;

/**
 * Opens the folder. `onDamage` is told about files that cannot be read, which stay as they are. Throws OPERATION_FAILED where the folder cannot
 * be read.
 */
export function openHeldJobs(folder: string, onDamage: (reason: string) => void): HeldJobs {
  const jsonPath = ({ id }: Pick<HeldJob, "id">): string => join(folder, `${id}.json`);
  const save = (job: HeldJob): void =>
    writeFileAtomically(jsonPath(job), [new TextEncoder().encode(JSON.stringify(job, null, 2))], undefined, OWNER_ONLY);
  let jobs = readJobs(folder, onDamage);
  // Those that a server before this one has left.
  for (const job of jobs) for (const path of [jsonPath(job), join(folder, job.archive)]) protect(path);
  let sequence = jobs.at(-1)?.sequence ?? 0;

  return {
    list: () => jobs,
    async add({ id, name, materialCode, machineType, extension, printNow, writeTo, task }, queueId) {
      const archive = jobFileName({ id, name, extension });
      const totals = await writeTo(join(folder, archive), task.commit);
      protect(join(folder, archive));
      const job: HeldJob = {
        id,
        name,
        material_code: materialCode,
        machine_type: machineType,
        extension,
        print_now: printNow,
        queue_id: queueId,
        sequence: ++sequence,
        archive,
        totals,
        state: "waiting",
      };
      try {
        save(job);
      } catch (thrown) {
        rmSync(join(folder, archive), { force: true });
        throw thrown;
      }
      jobs = [...jobs, job];
      return job;
    },
    update(job, change) {
      // What the caller has may be older than another change.
      const next = { ...(jobs.find(({ id }) => id === job.id) ?? job), ...change };
      save(next);
      jobs = jobs.map((one) => (one.id === job.id ? next : one)).toSorted((a, b) => a.sequence - b.sequence);
      return next;
    },
    remove(job) {
      withFileErrors("write", folder, () => rmSync(jsonPath(job), { force: true }));
      jobs = jobs.filter(({ id }) => id !== job.id);
      rmSync(join(folder, job.archive), { force: true });
    },
    async writeTo({ archive, totals }, path, beforeRename) {
      await copyArchive(join(folder, archive), path, beforeRename);
      return totals;
    },
  };
}

/** The jobs in a folder that no queue may use: changes nothing. What cannot be read is left out. */
export function listHeldJobs(folder: string): readonly HeldJob[] {
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return isFolder ? parseJobs(folder, readdirSync(folder), () => {}) : [];
}

function readJobs(folder: string, onDamage: (reason: string) => void): readonly HeldJob[] {
  const names = withFileErrors("read", folder, () => readdirSync(folder));
  let isDamaged = false;
  const jobs = parseJobs(folder, names, (reason) => {
    isDamaged = true;
    onDamage(reason);
  });
  // The archive of a damaged one may be among them.
  const orphans = isDamaged
    ? []
    : names.filter((name) => ARCHIVE.test(name) && !jobs.some((job) => job.archive === name));
  for (const name of orphans) rmSync(join(folder, name), { force: true });
  return jobs;
}

/** In the order in which they go out. */
function parseJobs(folder: string, names: readonly string[], onDamage: (reason: string) => void): readonly HeldJob[] {
  const jobs = names.flatMap((name) => {
    if (!name.endsWith(".json")) return [];
    try {
      return [readJob(join(folder, name))];
    } catch (thrown) {
      onDamage(`The held job ${JSON.stringify(join(folder, name))} cannot be read: ${(thrown as Error).message}`);
      return [];
    }
  });
  return jobs.sort((a, b) => a.sequence - b.sequence);
}

function readJob(path: string): HeldJob {
  const bytes = readWholeFile(path, MAX_JSON_BYTES);
  return matchSchema(heldJob, parseJson(bytes, 8), inputError);
}
