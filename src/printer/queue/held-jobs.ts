import { chmodSync, existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import process from "node:process";
import * as v from "valibot";
import { jobExtensions } from "../../catalog/catalog.ts";
import { inputError } from "../../core/api-error.ts";
import { withFileErrors } from "../../core/file-error.ts";
import { parseJson } from "../../core/json.ts";
import { matchSchema } from "../../core/match-schema.ts";
import { readWholeFile } from "../../core/read-file.ts";
import { writeFileAtomically } from "../../core/write-file.ts";
import { MODELS_EXTENSION } from "../maker-server/models-archive.ts";
import type { PrintJob, PrintJobTotals } from "../printer.ts";
import { jobFileName } from "../virtual/job-file-name.ts";
import { copyArchive } from "./copy-archive.ts";
import type { EndedJobs, JobEnd } from "./ended-jobs.ts";

/**
 * The state of a job. `waiting`: it is submitted to the first printer that is ready. `sending`: from before the first irreversible step
 * until its printer has it; a restart that finds this state must assume that it may have been printed. `set aside`: people decide what
 * happens.
 */
type State = "waiting" | "sending" | "set aside";

/** A job on disk: its archive, and this record as JSON next to it. The job exists once the JSON does. */
export type HeldJob = Readonly<v.InferOutput<typeof heldJob>>;

const STATES = ["waiting", "sending", "set aside"] as const satisfies readonly State[];
const heldJob = v.strictObject({
  id: v.string(),
  name: v.string(),
  material_code: v.string(),
  machine_type: v.string(),
  extension: v.string(),
  layer_thickness_mm: v.optional(v.union([v.number(), v.literal("ADAPTIVE")])),
  print_now: v.boolean(),
  queue_id: v.string(),
  /** Ascending in the order in which jobs are submitted. */
  sequence: v.pipe(v.number(), v.integer()),
  /** File name of the archive, in the same folder. */
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
  /** The printers on which a person lets it start; absent before the first release. */
  released: v.optional(v.array(v.string())),
  /** Why it was set aside, for people. */
  reason: v.optional(v.string()),
});

/** The jobs that queues hold in a folder: each is there completely or not at all, whenever the process ends. */
export interface HeldJobs {
  /** In the order in which they are submitted. */
  list(): readonly HeldJob[];
  /** Writes the archive of a job and holds the job. The request can be cancelled until the archive is written. */
  add(job: PrintJob, queueId: string): Promise<HeldJob>;
  /** Writes the change to disk before it returns. Returns the changed job. */
  update(job: HeldJob, change: Partial<Pick<HeldJob, "state" | "reason" | "released" | "sequence">>): HeldJob;
  /** `end`: why it is held no longer. */
  remove(job: HeldJob, end: JobEnd): void;
  /** As {@link PrintJob.writeTo}, for a held job. */
  writeTo(job: HeldJob, path: string, beforeRename: () => void): Promise<PrintJobTotals>;
}

const OWNER_ONLY = 0o600;

/** Removes the permissions of other users from a file. A missing file is reported when its job is submitted. */
function protect(path: string): void {
  if (process.platform !== "win32" && existsSync(path)) chmodSync(path, OWNER_ONLY);
}

const MAX_JSON_BYTES = 2 ** 20;
/** File names of archives. An archive that no JSON names belongs to a job that was being added or removed when the process ended. */
const isArchive = (name: string): boolean =>
  /-[0-9a-f]{8}\.[a-z0-9]+$/.test(name) &&
  [MODELS_EXTENSION, ...jobExtensions()].some((extension) => name.endsWith(extension));

/**
 * Opens the folder. `onDamage` is called for files that cannot be read, which are kept unchanged. `ended`, if given, notes the jobs that are removed. Throws
 * OPERATION_FAILED where the folder cannot be read.
 */
export function openHeldJobs(folder: string, onDamage: (reason: string) => void, ended?: EndedJobs): HeldJobs {
  const jsonPath = ({ id }: Pick<HeldJob, "id">): string => join(folder, `${id}.json`);
  const save = (job: HeldJob): void =>
    writeFileAtomically(jsonPath(job), [new TextEncoder().encode(JSON.stringify(job, null, 2))], undefined, OWNER_ONLY);
  let jobs = readJobs(folder, onDamage);
  // Files of earlier servers may have other permissions.
  for (const job of jobs) for (const path of [jsonPath(job), join(folder, job.archive)]) protect(path);
  let sequence = jobs.at(-1)?.sequence ?? 0;

  function drop(job: HeldJob): void {
    withFileErrors("write", folder, () => rmSync(jsonPath(job), { force: true }));
    jobs = jobs.filter(({ id }) => id !== job.id);
    rmSync(join(folder, job.archive), { force: true });
  }

  // A kill came between the note of the end and the removal.
  const noted = new Set(ended?.list().map(({ id }) => id));
  for (const job of jobs) if (noted.has(job.id)) drop(job);
  return {
    list: () => jobs,
    async add(printJob, queueId) {
      const archive = jobFileName(printJob);
      const totals = await printJob.writeTo(join(folder, archive), printJob.task.commit);
      protect(join(folder, archive));
      const job = newHeldJob(printJob, { queue_id: queueId, sequence: ++sequence, archive, totals });
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
      // The job of the caller may lack a later change.
      const next = { ...(jobs.find(({ id }) => id === job.id) ?? job), ...change };
      save(next);
      jobs = jobs.map((one) => (one.id === job.id ? next : one)).toSorted((a, b) => a.sequence - b.sequence);
      return next;
    },
    remove(job, end) {
      ended?.note({ ...job, ...end });
      drop(job);
    },
    async writeTo({ archive, totals }, path, beforeRename) {
      await copyArchive(join(folder, archive), path, beforeRename);
      return totals;
    },
  };
}

/** A job that has just been accepted. */
const newHeldJob = (
  { id, name, materialCode, machineType, extension, layerThicknessMm, printNow }: PrintJob,
  facts: Pick<HeldJob, "queue_id" | "sequence" | "archive" | "totals">,
): HeldJob => ({
  id,
  name,
  material_code: materialCode,
  machine_type: machineType,
  extension,
  ...(layerThicknessMm !== undefined && { layer_thickness_mm: layerThicknessMm }),
  print_now: printNow,
  ...facts,
  state: "waiting",
});

/** Reads the jobs in a folder that no queue may have claimed. Changes nothing, and skips files that cannot be read. */
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
  // The archive of a damaged job may be among them.
  const orphans = isDamaged ? [] : names.filter((name) => isArchive(name) && !jobs.some((job) => job.archive === name));
  for (const name of orphans) rmSync(join(folder, name), { force: true });
  return jobs;
}

/** In the order in which they are submitted. */
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
