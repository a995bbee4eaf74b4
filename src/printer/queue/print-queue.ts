import { printableMachineTypes } from "../../catalog/catalog.ts";
import { UNKNOWN_MACHINE_TYPE } from "../../catalog/setting.ts";
import { ApiError, operationFailed } from "../../core/api-error.ts";
import { QUEUE_PRODUCT_NAME, type QueueDevice } from "../device.ts";
import type { JobTarget, PrintJob, Printer } from "../printer.ts";
import type { QueueConfig } from "../printers-file.ts";
import { sendJob } from "../send-job.ts";
import type { HeldJob } from "./held-jobs.ts";
import type { QueueSurroundings } from "./queue-surroundings.ts";
import { type HeldJobSender, newHeldJobSender } from "./send-held-job.ts";
import { type SlicedOnce, slicedOnce } from "./sliced-once.ts";

/** A queue, which `scene/print` gives jobs, and which gives them to printers. */
export interface PrintQueue extends JobTarget {
  /** Sends each held job for which a printer is ready, in the order of their arrival. */
  sendHeldJobs(): void;
  /** Resolves when nothing is being sent. */
  settled(): Promise<unknown>;
}

export function newPrintQueue(config: QueueConfig, surroundings: QueueSurroundings): PrintQueue {
  const { id, name, printers: names, paused } = config;
  const { connected, machineTypeOf, held, log, fed } = surroundings;
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
  const unfit = new Set<string>();
  const sender: HeldJobSender | undefined = held && newHeldJobSender(held, surroundings);

  /** Why the printer did not take the job, undefined where it did. Throws where no other printer can get it. */
  async function offer(printer: Printer, { job, canGoOn }: SlicedOnce): Promise<ApiError | undefined> {
    fed.add(printer.id);
    try {
      await sendJob(printer, job, log, id);
      return undefined;
    } catch (thrown) {
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

  async function take(job: PrintJob): Promise<void> {
    // Those that came before go first.
    const isFirst = !heldJobs().some(
      ({ state, machine_type }) => state === "waiting" && machine_type === job.machineType,
    );
    const once = slicedOnce(job);
    let refusal: ApiError | undefined;
    try {
      for (const printer of isFirst ? readyMembers(job.machineType) : []) {
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

  return {
    id,
    label: `queue of printers ("${name}")`,
    otherNames: [name],
    get machineTypes() {
      return machineTypes();
    },
    get mayPrintOthers() {
      members();
      return names.some((one) => !typesByName.has(one));
    },
    describe: () => describe(config, members(), heldJobs(), { isFree, typesByName, types: machineTypes() }),
    take,
    installFirmware: () =>
      Promise.reject(
        operationFailed(`"${name}" is a queue of printers: name the printer that is to get the firmware.`),
      ),
    sendHeldJobs() {
      const free = paused ? [] : members().filter(isFree);
      for (const job of heldJobs()) {
        const fitting = free.filter((one) => one.machineTypes.includes(job.machine_type) && isFree(one));
        const candidates = names.filter((one) => mayPrint(one, job.machine_type));
        if (candidates.length > 0) sender?.sendTo(fitting, job, candidates);
        else noteUnfit(job);
      }
    },
    settled: async () => sender?.settled(),
  };
}

interface Members {
  isFree(printer: Printer): boolean;
  readonly typesByName: ReadonlyMap<string, readonly string[]>;
  readonly types: readonly string[];
}

function describe(
  { id, groupId, name, printers: names, paused }: QueueConfig,
  connected: readonly Printer[],
  jobs: readonly { readonly state: string }[],
  { isFree, typesByName, types }: Members,
): QueueDevice {
  const ready = connected.filter(isFree).length;
  const setAside = jobs.filter(({ state }) => state === "set aside").length;
  const held = jobs.length - setAside;
  const parts = [
    `${ready} of ${names.length} ${names.length === 1 ? "printer" : "printers"} ready`,
    ...(held > 0 ? [`holds ${held} ${held === 1 ? "job" : "jobs"}`] : []),
    ...(setAside > 0 ? [`${setAside} set aside: see the log`] : []),
  ];
  return {
    id,
    product_name: QUEUE_PRODUCT_NAME,
    status: `${name}: ${paused ? "paused; " : ""}${parts.join("; ")}`,
    is_connected: true,
    firmware_version: "",
    dashboard_group_id: groupId,
    dashboard_queue_id: id,
    ready_to_print_now: !paused && ready > 0,
    queue_paused: paused,
    has_form_auto: false,
    supported_machine_type_ids: types,
    printers: names.map((one) => ({ id: one, machine_type_id: typesByName.get(one)?.[0] ?? UNKNOWN_MACHINE_TYPE })),
  };
}
