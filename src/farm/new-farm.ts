import { ApiError, type ErrorCode } from "../core/api-error.ts";
import { must } from "../core/must.ts";
import type { Farm } from "./farm.ts";
import type { JobQueue } from "./queue/job-queue.ts";

/** Codes of wrong steps and files that requests answer with; steps may have any others. */
const SUBMIT_CODES: ReadonlySet<ErrorCode> = new Set(["INPUT_ERROR", "NOT_FOUND", "OPERATION_FAILED"]);

/** The farm whose queue the environment names (`queue/open-queue.ts`), and whose files are those of this user. */
export function newFarm(): Farm {
  let opening: Promise<JobQueue> | undefined;
  const queue = async (): Promise<JobQueue> => {
    const mine = (opening ??= import("./queue/open-queue.ts").then(({ openQueue }) => openQueue()));
    try {
      return await mine;
    } catch (thrown) {
      // The next request tries again.
      if (opening === mine) opening = undefined;
      throw thrown;
    }
  };
  return {
    queue,
    async submit(request, convertedExtensions) {
      const [{ newJob }, { openStore }] = await Promise.all([
        import("./job/new-job.ts"),
        import("./store/open-store.ts"),
      ]);
      const job = await inSubmitCodes(async () => newJob(request, await openStore(), { convertedExtensions }));
      const [submitted] = await (await queue()).submit([job]);
      return must(submitted, "the submitted job");
    },
    async close() {
      await (await opening?.catch(() => undefined))?.close();
    },
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
