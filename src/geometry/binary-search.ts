/** In ascending values, the index of the first value that is not less than `value`; the length if there is none. */
export function lowerBound(values: ArrayLike<number>, value: number): number {
  let from = 0;
  let to = values.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (values[middle] < value) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** In ascending values, the index of the first value that is greater than `value`; the length if there is none. */
export function upperBound(values: ArrayLike<number>, value: number): number {
  let from = 0;
  let to = values.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (values[middle] > value) to = middle;
    else from = middle + 1;
  }
  return from;
}

/**
 * The first of the indices 0 … `count` − 1 for which `isBefore` is false; `count` if there is none. `isBefore` must be true for all
 * smaller indices.
 */
export function partitionPoint(count: number, isBefore: (index: number) => boolean): number {
  let from = 0;
  let to = count;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (isBefore(middle)) from = middle + 1;
    else to = middle;
  }
  return from;
}
