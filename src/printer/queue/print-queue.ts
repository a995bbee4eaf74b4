import { printableMachineTypes } from "../../catalog/catalog.ts";
import { ApiError, notFound, operationFailed } from "../../core/api-error.ts";
import type { JobQueue, PrintJob, Printer, QueuedJob } from "../printer.ts";
import type { QueueConfig } from "../printers-file.ts";
import { submitJob } from "../submit-job.ts";
import type { HeldJob } from "./held-jobs.ts";
import { queueDevice } from "./queue-device.ts";
import { orderJob } from "./queue-orders.ts";
import type { QueueContext } from "./queue-context.ts";
import { type HeldJobDispatcher, newHeldJobDispatcher } from "./held-job-dispatcher.ts";
import { type SlicedOnce, slicedOnce } from "./sliced-once.ts";

/** A queue, which `scene/print` gives jobs, and which gives them to printers. */
export interface PrintQueue extends JobQueue {
  /** Looks which printers are busy, and sends each held job that may go to one that is ready, in their order. */
  look(): void;
  /** Resolves when nothing is being sent. */
  settled(): Promise<unknown>;
}

export function newPrintQueue(config: QueueConfig, context: QueueContext): PrintQueue {
  const { id, name, printers: names, paused } = config;
  const { connected, machineTypeOf, held, log, fed, uncleared } = context;
  const startsByItself = config.starts === "automatic";
  /** Of printers that were connected before, too: jobs for them wait. Those that were neither named nor seen are not in it. */
  const typesByName = new Map<string, readonly string[]>(
    names.flatMap((one) => {
      const machineType = machineTypeOf(one);
      return machineType === undefined ? [] : [[one, printableMachineTypes(machineType)] as const];
    }),
  );
  const mayPrint = (one: string, machineType: string): boolean => typesByName.get(one)?.includes(machineType) ?? true;

  function members(): Printer[] {
    const byName = connected();
    const found = names.flatMap((one) => byName.get(one) ?? []);
    for (const printer of found) typesByName.set(printer.id, printer.machineTypes);
    return found;
  }

  const isFree = (printer: Printer): boolean => printer.isReady() && !fed.has(printer.id);
  const readyMembers = (machineType: string): Printer[] =>
    paused ? [] : members().filter((one) => one.machineTypes.includes(machineType) && isFree(one));
  const machineTypes = (): string[] => {
    members();
    return [...new Set([...typesByName.values()].flat())];
  };
  const heldJobs = () => (held?.list() ?? []).filter(({ queue_id }) => queue_id === id);
  /** Whether a print may start there without a person: where no job can be held, the one who sends it is that person. */
  const mayStartOn = (printer: string): boolean => startsByItself || !held || !uncleared.has(printer);
  /** The printers of which a person says that the job may start there, all of them where it needs no person. */
  const releasedFor = ({ print_now, released }: HeldJob): readonly string[] =>
    (released ?? (startsByItself || !print_now ? names : [])).filter((one) => !print_now || mayStartOn(one));
  let gifts = 0;
  const lastGift = new Map<string, number>();
  const noteGift = (printer: string): void => void lastGift.set(printer, ++gifts);
  /** Jobs that wait at printers are spread over them: the one that was given one longest ago is first. */
  const spread = (printers: readonly Printer[]): Printer[] =>
    printers.toSorted((a, b) => (lastGift.get(a.id) ?? 0) - (lastGift.get(b.id) ?? 0));
  const unfit = new Set<string>();
  const dispatcher: HeldJobDispatcher | undefined = held && newHeldJobDispatcher(held, context);

  /** Why the printer did not take the job, undefined where it did. Throws where no other printer can get it. */
  async function offer(printer: Printer, { job, canGoOn, mayBeTaken }: SlicedOnce): Promise<ApiError | undefined> {
    fed.add(printer.id);
    if (!job.printNow) noteGift(printer.id);
    try {
      await submitJob(printer, job, log, id);
      if (job.printNow) uncleared.add(printer.id);
      return undefined;
    } catch (thrown) {
      if (job.printNow && mayBeTaken()) uncleared.add(printer.id);
      if (!canGoOn() || !(thrown instanceof ApiError)) {
        const reason = (thrown as Error).message;
        log.write("job failed", { queue: id, printer: printer.id, job_id: job.id, job_name: job.name, reason });
        throw thrown;
      }
      return thrown;
    } finally {
      fed.delete(printer.id);
    }
  }

  /** `refusal` is the last of a printer. */
  async function hold(job: PrintJob, refusal: ApiError | undefined): Promise<void> {
    if (!held) {
      throw operationFailed(
        `No printer of the queue "${name}" can take the job now, and there is no folder to hold it in: wait until one is ready, ` +
          `or start the server with --job-dir FOLDER.${refusal ? ` The last that was asked: ${refusal.message}` : ""}`,
      );
    }
    await held.add(job, id);
    log.write("job held", { queue: id, job_id: job.id, job_name: job.name, print_now: job.printNow });
  }

  /** Once for each job. */
  function noteUnfit({ id: jobId, name: jobName, machine_type, state }: HeldJob): void {
    if (state !== "waiting" || unfit.has(jobId)) return;
    unfit.add(jobId);
    const reason = `No printer of the queue prints scenes for ${machine_type}.`;
    log.write("job held", { queue: id, job_id: jobId, job_name: jobName, reason });
  }

  async function submit(job: PrintJob): Promise<void> {
    // Those that came before go first; what starts nothing does not wait for those that wait for a person.
    const isFirst = !heldJobs().some(
      (one) =>
        one.state === "waiting" &&
        one.machine_type === job.machineType &&
        (job.printNow || releasedFor(one).length > 0),
    );
    const ready = readyMembers(job.machineType);
    const offered = job.printNow ? ready.filter((printer) => mayStartOn(printer.id)) : spread(ready);
    const once = slicedOnce(job);
    let refusal: ApiError | undefined;
    try {
      for (const printer of isFirst ? offered : []) {
        // Slicing and sending may have taken minutes.
        if (!isFree(printer)) continue;
        refusal = await offer(printer, once);
        if (!refusal) return;
      }
      await hold(once.job, refusal);
    } finally {
      await once.close();
    }
  }

  function stateOf(job: HeldJob): QueuedJob["state"] {
    if (job.state === "sending" || dispatcher?.isSending(job.id)) return "SENDING";
    if (job.state === "set aside") return "SET_ASIDE";
    return releasedFor(job).length > 0 ? "WAITING_FOR_PRINTER" : "WAITING_FOR_RELEASE";
  }

  const jobs = (): QueuedJob[] =>
    heldJobs().map((job) => ({
      id: job.id,
      name: job.name,
      materialCode: job.material_code,
      machineType: job.machine_type,
      printNow: job.print_now,
      state: stateOf(job),
      reason: job.reason,
      readyPrinters: readyMembers(job.machine_type).map((printer) => printer.id),
      totals: job.totals,
    }));

  function dispatchHeldJobs(): void {
    const free = paused ? [] : members().filter(isFree);
    for (const job of heldJobs()) {
      const candidates = names.filter((one) => mayPrint(one, job.machine_type));
      if (candidates.length === 0) noteUnfit(job);
      const released = releasedFor(job);
      const allowed = candidates.filter((one) => released.includes(one));
      if (allowed.length === 0) continue;
      const fitting = free.filter(
        (one) => allowed.includes(one.id) && one.machineTypes.includes(job.machine_type) && isFree(one),
      );
      const printer = dispatcher?.dispatch(job.print_now ? fitting : spread(fitting), job, allowed);
      if (printer && !job.print_now) noteGift(printer.id);
    }
  }

  return {
    id,
    name,
    isPaused: paused,
    startsByItself,
    label: `queue of printers ("${name}")`,
    otherNames: [name],
    get machineTypes() {
      return machineTypes();
    },
    get mayPrintOthers() {
      members();
      return names.some((one) => !typesByName.has(one));
    },
    describe: () =>
      queueDevice(config, {
        readyCount: members().filter(isFree).length,
        states: heldJobs().map(stateOf),
        typesByName,
        machineTypes: machineTypes(),
      }),
    submit,
    installFirmware: () =>
      Promise.reject(
        operationFailed(`"${name}" is a queue of printers: name the printer that is to get the firmware.`),
      ),
    jobs,
    order(jobId, action, printer) {
      if (!held || !dispatcher) throw notFound(`The queue "${name}" holds no jobs: the server has no --job-dir.`);
      const readyFor = (job: HeldJob): Printer[] => readyMembers(job.machine_type);
      const queue = { name, isPaused: paused, startsByItself, held, dispatcher, uncleared, jobs: heldJobs, readyFor };
      const job = orderJob(queue, jobId, action, printer);
      log.write("job updated", { queue: id, job_id: job.id, job_name: job.name, action, printer });
      dispatchHeldJobs();
    },
    look() {
      // What prints, whoever has started it, fills a platform.
      const busy = members().filter((printer) => !printer.isReady() && !fed.has(printer.id));
      if (!startsByItself) for (const printer of busy) uncleared.add(printer.id);
      dispatchHeldJobs();
    },
    settled: async () => dispatcher?.settled(),
  };
}
