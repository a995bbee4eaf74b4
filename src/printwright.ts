import { setTimeout as sleep } from "node:timers/promises";
import { newOperationRecords } from "./api/operation-records.ts";
import { ownFiles, replacements } from "./catalog/open-printers.ts";
import { defaultSetting } from "./catalog/resolve.ts";
import { newConversionRunner } from "./convert/conversion-runner.ts";
import { newConverters } from "./convert/converters.ts";
import { newJobConverters } from "./convert/job-converters.ts";
import { noLog, openEventLog } from "./core/event-log.ts";
import { newId } from "./core/id.ts";
import { type MemoryBudget, newMemoryBudget } from "./core/memory-budget.ts";
import { VERSION } from "./core/version.ts";
import { type Runner, SYNC_TIMEOUT_MS } from "./http/run-request.ts";
import { newRunningRequests } from "./http/running-requests.ts";
import { newSceneQueue } from "./http/scene-queue.ts";
import { newFarm } from "./farm/new-farm.ts";
import { openSession } from "./printer/account/session.ts";
import { newPrinters, openProtocols } from "./printer/printers.ts";
import { newSentPrints } from "./printer/sent-prints.ts";
import { KeptFindings } from "./scene/findings.ts";
import { newStore } from "./scene/project.ts";
import { newPool } from "./worker/pool.ts";
import { newSharedResults } from "./worker/shared-results.ts";
import type { WorkArguments } from "./command/work-arguments.ts";

/** Maximum wait, when it closes, for cancelled requests to remove their unfinished files, ms. */
const CLEANUP_MS = 200;

/** Everything that carries out requests, without a port: a server and the command line receive requests in different ways. */
export interface Printwright {
  readonly runner: Runner;
  readonly budget: MemoryBudget;
  /**
   * A runner of requests with a project of its own, on the same threads. `created` is the time that the files state which these requests
   * make; the present time if absent.
   */
  newProject(created?: Date): Runner;
  close(): Promise<void>;
}

/** Makes a project with its default scene, worker threads, printers, and the runner of requests. */
export function newPrintwright(args: WorkArguments, syncTimeoutMs = SYNC_TIMEOUT_MS): Printwright {
  const log = args.log === undefined ? noLog : openEventLog(args.log);
  for (const { id, file } of replacements()) log.write("machine data replaced", { id, file });
  const session = openSession(args.account ?? { accounts: [], accountUrl: undefined }, log);
  const mediumThread = new URL("./medium-worker.ts", import.meta.url);
  const sent = newSentPrints(log);
  const protocols = openProtocols({ known: [], ...args.printers, mediumThread }, session, sent.log);
  const printers = newPrinters(protocols, sent);
  const budget = newMemoryBudget(args.maxMemoryBytes);
  const pool = newPool(new URL("./worker.ts", import.meta.url), { budget, size: args.threads });
  const conversions = newConversionRunner();
  const shared = {
    version: VERSION,
    maxScenes: args.maxScenes,
    pool,
    sharedResults: newSharedResults(pool),
    converters: newConverters(args.converters ?? [], conversions),
    jobConverters: newJobConverters(args.jobConverters ?? [], conversions),
    ctbNotice: args.ctbNotice,
    printers,
    session,
    farm: newFarm(ownFiles()),
  };
  // One for all projects: ids of scenes are unique, and closing waits for it.
  const sceneQueue = newSceneQueue();
  const newProject = (created?: Date): Runner => ({
    server: {
      ...shared,
      store: newStore({ scenes: [{ id: newId(), setting: defaultSetting(), models: [], cages: [] }] }),
      operations: newOperationRecords(),
      keptFindings: new KeptFindings(),
      created,
    },
    sceneQueue,
    syncTimeoutMs,
    unanswered: newRunningRequests(),
  });
  return {
    runner: newProject(),
    budget,
    newProject,
    async close() {
      await Promise.all([pool.close(), printers.close(), conversions.close(), shared.farm.close()]);
      await Promise.race([sceneQueue.settled(), sleep(CLEANUP_MS)]);
      log.close();
    },
  };
}
