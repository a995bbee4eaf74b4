import { machineHashes } from "../farm/job/machine-hashes.ts";
import type { JobQueue } from "../farm/queue/job-queue.ts";
import { openQueue } from "../farm/queue/open-queue.ts";
import type { FileHash, FileStore } from "../farm/store/file-store.ts";
import { openStore } from "../farm/store/open-store.ts";
import { operationFailed } from "../core/api-error.ts";
import { lazy } from "../core/memoize.ts";
import { openedOnce } from "../core/opened-once.ts";

/** The queue of workers and the store of their files, which are opened when a tool first needs them. */
export interface FarmAccess {
  readonly queue: () => Promise<JobQueue>;
  readonly store: () => Promise<FileStore>;
  /** Hashes of the files of own machines and resins, with which jobs are checked. */
  readonly machines: () => Promise<readonly FileHash[]>;
  close(): Promise<void>;
}

interface FarmOptions {
  /** As `--queue`, `--store`, `--machines` and `--resin`. */
  readonly queue?: string | undefined;
  readonly store?: string | undefined;
  readonly machines: readonly string[];
  readonly resin?: string | undefined;
}

/** Access to the farm that the options name. A queue or store that cannot be opened is tried again by the next call. */
export function newFarmAccess({ queue, store, ...machineFiles }: FarmOptions): FarmAccess {
  const { open, close } = openedOnce(() => openQueue({ queue }));
  return {
    queue: open,
    store: () => openStore(store),
    machines: lazy(() => machineHashes(machineFiles)),
    close,
  };
}

/** The farm of a server that has one: tools that need it are listed only there. */
export function requireFarm(farm: FarmAccess | undefined): FarmAccess {
  if (farm) return farm;
  throw operationFailed("This server has no queue: the user starts printwright mcp with --submit.");
}
