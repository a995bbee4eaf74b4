/** Items sorted into buckets: those of bucket b are `items[starts[b]]` … `items[starts[b + 1] - 1]`, ascending. */
export interface Buckets {
  readonly starts: Uint32Array;
  readonly items: Uint32Array;
}

/**
 * A counting sort: the indices of `keys` by key, which is a bucket's index from 0 to `bucketCount` − 1. Stable. A negative key leaves
 * its index out. Keys are an array because a callback would take three times as long (measured for 3 million keys).
 */
export function bucketBy(keys: Uint32Array | Int32Array, bucketCount: number): Buckets {
  const starts = new Uint32Array(bucketCount + 2);
  for (let i = 0; i < keys.length; i++) if (keys[i] >= 0) starts[keys[i] + 2]++;
  for (let bucket = 2; bucket < starts.length; bucket++) starts[bucket] += starts[bucket - 1];
  const items = new Uint32Array(starts[bucketCount + 1]);
  // starts[b + 1] is the slot of the next item of bucket b; after all items it is the end of bucket b.
  for (let i = 0; i < keys.length; i++) if (keys[i] >= 0) items[starts[keys[i] + 1]++] = i;
  return { starts: starts.subarray(0, bucketCount + 1), items };
}
