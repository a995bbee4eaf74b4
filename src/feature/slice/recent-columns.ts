import type { GroupColumns } from "../../slice/common-volume.ts";

/** Size of the columns of two of the largest groups, 18 MiB each, and of many small ones. */
const MAX_BYTES = 40 * 2 ** 20;

export interface RecentColumns {
  get(key: string): GroupColumns | undefined;
  /** Drops the least recently used entries if all together take too much memory. */
  set(key: string, columns: GroupColumns): void;
}

/** The columns of the most recently measured groups, by key. */
export function newRecentColumns(maxBytes = MAX_BYTES): RecentColumns {
  const kept = new Map<string, GroupColumns>();
  let bytes = 0;
  function take(key: string): GroupColumns | undefined {
    const columns = kept.get(key);
    if (!columns) return undefined;
    kept.delete(key);
    bytes -= bytesOf(columns);
    return columns;
  }
  function put(key: string, columns: GroupColumns): void {
    take(key);
    kept.set(key, columns);
    bytes += bytesOf(columns);
    for (const oldest of kept.keys()) {
      if (bytes <= maxBytes) return;
      take(oldest);
    }
  }
  return {
    get(key) {
      const columns = take(key);
      if (columns) put(key, columns);
      return columns;
    },
    set: put,
  };
}

const bytesOf = ({ crossings: { starts, z, side } }: GroupColumns): number =>
  starts.byteLength + z.byteLength + side.byteLength;
