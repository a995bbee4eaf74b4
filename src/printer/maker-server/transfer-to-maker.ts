import * as v from "valibot";
import { operationFailed } from "../../core/api-error.ts";
import { CancelledError } from "../../core/progress.ts";
import { HttpFailure } from "../http-failure.ts";
import type { MachineStatus } from "../polled/machine.ts";
import { NOTHING_LEFT, type TransferEvents, startOnce, withStep } from "../polled/transfer-to-machine.ts";
import type { PrintJob } from "../printer.ts";
import { SLICED_SHARE, type SpooledJob } from "../spooled-job.ts";
import type { MakerCalls, MakerTiming } from "./maker-calls.ts";
import { type ModelsJob, readModelsArchive } from "./models-archive.ts";
import { importModel, makeScene, pathOf } from "./scene-there.ts";
import { type JobFiles, type SharedFolder, makeJobFiles } from "./shared-folder.ts";

/** The server that gets a job, and the printer there. */
export interface MakerTarget {
  readonly calls: MakerCalls;
  readonly folder: SharedFolder;
  readonly timing: MakerTiming;
  /** Id of the printer. */
  readonly printer: string;
  askStatus(signal: AbortSignal): Promise<MachineStatus>;
  /** Deletes a scene there, later where that is not possible now. Returns whether it is deleted now. Never throws. */
  dropScene(scene: string): Promise<boolean>;
}

/** Share of a request's progress at which the models are there; the server slices and transfers them after that. */
const SENT_SHARE = 0.8;

/** What there is of a job at the server. */
interface Left {
  step: "reading the job" | "making its scene" | "sending the models" | "printing";
  files?: JobFiles;
  /** Id of the scene, once it is known. */
  scene?: string;
  /** Whether the printer may have the job. */
  isInDoubt: boolean;
}

/**
 * Makes a scene with the models of a job at the server of the maker, has it printed once, and deletes it. Throws OPERATION_FAILED, which
 * names the step and what is left there, and `CancelledError`. Where the server refused the print, another printer may get the job
 * (`JobTask.withdraw`).
 */
export async function transferToMaker(
  target: MakerTarget,
  job: PrintJob,
  spooled: SpooledJob,
  events: TransferEvents,
): Promise<void> {
  const left: Left = { step: "reading the job", isInDoubt: false };
  try {
    job.task.enterPhase(SLICED_SHARE, SENT_SHARE);
    const models = await readModelsArchive(spooled.path);
    const scene = await sendModels(target, job, models, left);
    left.step = "printing";
    job.task.enterPhase(SENT_SHARE, 1);
    job.task.commit(job.name);
    await print(target, job, scene, left, events.ordered);
  } catch (thrown) {
    events.failed(thrown);
    if (left.isInDoubt) throw withStep(target.printer, left.step, thrown, inDoubt(target, job, left.scene));
    const rest = await clearUp(target, job, left, thrown);
    job.task.withdraw?.();
    if (thrown instanceof CancelledError || job.task.signal.aborted) throw new CancelledError();
    throw withStep(target.printer, left.step, thrown, rest);
  } finally {
    await left.files?.remove();
  }
  if (left.scene !== undefined) await target.dropScene(left.scene);
}

/** Makes the scene and imports the models, and returns the id of the scene. */
async function sendModels(target: MakerTarget, { task }: PrintJob, job: ModelsJob, left: Left): Promise<string> {
  const { calls, folder } = target;
  const { signal } = task;
  left.files = await makeJobFiles(folder);
  const fps = job.fps && (await left.files.add("print-setting.fps", job.fps, signal));
  left.step = "making its scene";
  const { id, difference } = await makeScene(calls, job.scene_settings, fps, signal);
  left.scene = id;
  if (difference !== undefined)
    throw operationFailed(`${difference}: update the maker's program, or choose another print setting`);
  left.step = "sending the models";
  const count = job.models.length;
  for (const [index, { name, box, content }] of job.models.entries()) {
    const file = await left.files.add(`${index + 1}.stl`, content, signal);
    await importModel(calls, id, file, { name, box }, signal, (progress) => task.report((index + progress) / count));
    task.report((index + 1) / count);
  }
  return id;
}

const printReply = v.unknown();

/** A cancel comes too late here. */
async function print(
  { calls, printer, timing, askStatus }: MakerTarget,
  { name, printNow }: PrintJob,
  scene: string,
  left: Left,
  ordered: () => void,
): Promise<void> {
  const body = { printer, job_name: name, print_now: printNow };
  const start = async (): Promise<void> =>
    void (await calls.run(`${pathOf(scene)}print/`, body, printReply, undefined));
  const onOrdered = (): void => {
    left.isInDoubt = true;
    ordered();
  };
  if (printNow) return startOnce({ start, status: askStatus }, timing, onOrdered);
  try {
    await start();
  } catch (thrown) {
    left.isInDoubt = isUnknown(thrown);
    throw thrown;
  }
}

/** Whether it is unknown what the server did. */
const isUnknown = (thrown: unknown): boolean => thrown instanceof HttpFailure && thrown.kind !== "unreached";

const inDoubt = ({ calls }: MakerTarget, { name, printNow }: PrintJob, scene: string | undefined): string =>
  `Whether the printer ${printNow ? "prints" : "has"} ${JSON.stringify(name)} is not known, and nothing orders it again: look at the ` +
  `printer. The scene ${scene} is left at ${calls.base.host}: delete it there.`;

/** Removes what is left of a job that certainly is not printed. Returns the sentence that says what is left then. */
async function clearUp(
  target: MakerTarget,
  { machineType }: PrintJob,
  { scene, step }: Left,
  thrown: unknown,
): Promise<string> {
  const { host } = target.calls.base;
  if (scene === undefined && step === "making its scene" && isUnknown(thrown))
    return `An empty scene for ${machineType} may be left at ${host}: delete it there.`;
  if (scene === undefined || (await target.dropScene(scene))) return NOTHING_LEFT;
  return `The scene ${scene} is left at ${host}, which nothing prints: it is deleted when the server answers again, or delete it there.`;
}
