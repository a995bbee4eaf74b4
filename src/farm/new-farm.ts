import { ApiError, type ErrorCode } from "../core/api-error.ts";
import { must } from "../core/must.ts";
import { openedOnce } from "../core/opened-once.ts";
import type { Farm } from "./farm.ts";
import type { MachineFiles } from "./job/machine-hashes.ts";

/** Codes of wrong steps and files that requests answer with; steps may have any others. */
const SUBMIT_CODES: ReadonlySet<ErrorCode> = new Set(["INPUT_ERROR", "NOT_FOUND", "OPERATION_FAILED"]);

/** The farm whose queue the environment names (`queue/open-queue.ts`), and whose files are those of this user. `machineFiles`: those of this process. */
export function newFarm(machineFiles: MachineFiles): Farm {
  const { open: queue, close } = openedOnce(async () => (await import("./queue/open-queue.ts")).openQueue());
  return {
    queue,
    async submit(request, convertedExtensions) {
      const [{ newJob }, { machineHashes }, { openStore }] = await Promise.all([
        import("./job/new-job.ts"),
        import("./job/machine-hashes.ts"),
        import("./store/open-store.ts"),
      ]);
      const job = await inSubmitCodes(async () => {
        const machines = await machineHashes(machineFiles);
        return newJob(request, await openStore(), { convertedExtensions, machines });
      });
      const [submitted] = await (await queue()).submit([job]);
      return must(submitted, "the submitted job");
    },
    close,
  };
}

async function inSubmitCodes<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (!(thrown instanceof ApiError) || SUBMIT_CODES.has(thrown.code)) throw thrown;
    throw new ApiError("INPUT_ERROR", thrown.message);
  }
}
