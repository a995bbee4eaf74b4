/** In ascending values, the index of the first that is not less than `value`; their number where there is none. */
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

/** In ascending values, the index of the first that is greater than `value`; their number where there is none. */
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

/** The first of the indices 0 … `count` − 1 for which `isBefore` is false; `count` where there is none. It holds for all before it. */
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
