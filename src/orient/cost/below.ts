/**
 * Adds to `sums[slab]`, for the slabs from `first` to `last` of a thickness, `growth` times the mean share of a triangle that lies
 * below the heights in that slab. Its corners stand at the heights low ≤ mid ≤ high, within those slabs. The share is a quadratic
 * on either side of the middle corner, so its integral up to a height is a cubic there; above the triangle it grows by 1 for each
 * millimetre. Cubes are products: engines may differ in the last bits of powers.
 */
export function addSharesBelow(
  sums: Float64Array,
  growth: number,
  low: number,
  mid: number,
  high: number,
  first: number,
  last: number,
  slabMm: number,
): void {
  const rising = 1 / (3 * (mid - low) * (high - low));
  const closing = 1 / (3 * (high - mid) * (high - low));
  const mean = (low + mid + high) / 3;
  const factor = growth / slabMm;
  let below = 0;
  for (let slab = first; slab <= last; slab++) {
    const z = (slab + 1) * slabMm;
    const over = z - low;
    const under = high - z;
    let integral = z - mean;
    // Rounding may put the end of the first slab at the lowest corner, where a level side makes `rising` infinite.
    if (z <= low) integral = 0;
    else if (z <= mid) integral = over * over * over * rising;
    else if (under > 0) integral += under * under * under * closing;
    sums[slab] += factor * (integral - below);
    below = integral;
  }
}

/** The share of such a triangle that lies below z. */
export function shareBelow(low: number, mid: number, high: number, z: number): number {
  if (z <= low) return 0;
  if (z >= high) return 1;
  if (z <= mid) return ((z - low) * (z - low)) / ((mid - low) * (high - low));
  return 1 - ((high - z) * (high - z)) / ((high - mid) * (high - low));
}
