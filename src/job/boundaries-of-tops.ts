import type { ErrorFactory } from "../core/api-error.ts";

/**
 * The boundaries of layers by the heights of their tops, mm above the platform. Throws the error of `refuse` for heights that fall or are
 * no numbers. Layers of one height, which calibration prints have, are allowed.
 */
export function boundariesOfTops(topsMm: ArrayLike<number>, refuse: ErrorFactory): Float64Array {
  const boundaries = new Float64Array(topsMm.length + 1);
  boundaries.set(topsMm, 1);
  for (let k = 1; k < boundaries.length; k++) {
    if (boundaries[k] >= boundaries[k - 1] && Number.isFinite(boundaries[k])) continue;
    throw refuse(`its layer ${k} is not above the one below it: the file is damaged; take another copy of it`);
  }
  return boundaries;
}
