import { stat } from "node:fs/promises";
import type { FileStore } from "../store/file-store.ts";
import { Counter, type MetricFamily } from "./metric-text.ts";

/** A store whose bytes are counted. */
export interface MeasuredFiles {
  readonly store: FileStore;
  /** Counts a file that was in the cache of this machine. */
  countHit(): void;
  families(): MetricFamily[];
}

export function measuredFiles(store: FileStore): MeasuredFiles {
  const bytes = new Counter();
  const hits = new Counter();
  // A counter that was never added to is 0, and not absent.
  for (const direction of ["stored", "fetched"]) bytes.add({ direction }, 0);
  hits.add({}, 0);
  return {
    store: {
      async put(path) {
        const stored = await store.put(path);
        bytes.add({ direction: "stored" }, stored.bytes);
        return stored;
      },
      async fetch(hash, path) {
        await store.fetch(hash, path);
        bytes.add({ direction: "fetched" }, (await stat(path)).size);
      },
      list: () => store.list(),
      remove: (hash) => store.remove(hash),
    },
    countHit: () => hits.add(),
    families: () => [
      bytes.family("printwright_store_bytes_total", "Bytes of files that this worker stored and fetched."),
      hits.family("printwright_cache_hits_total", "Files of jobs that were in the cache of this machine."),
    ],
  };
}
