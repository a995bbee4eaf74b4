/**
 * A triangle whose corners stand at the heights low ≤ mid ≤ high: the integral, over all heights up to z, of the share of its area
 * that lies below. Above the triangle it grows by 1 for each millimetre.
 */
export function integralBelow(low: number, mid: number, high: number, z: number): number {
  if (z <= low) return 0;
  if (z <= mid) return (z - low) ** 3 / (3 * (mid - low) * (high - low));
  const above = z - (low + mid + high) / 3;
  return z >= high ? above : above + (high - z) ** 3 / (3 * (high - mid) * (high - low));
}

/** The share of such a triangle that lies below z. */
export function shareBelow(low: number, mid: number, high: number, z: number): number {
  if (z <= low) return 0;
  if (z >= high) return 1;
  if (z <= mid) return (z - low) ** 2 / ((mid - low) * (high - low));
  return 1 - (high - z) ** 2 / ((high - mid) * (high - low));
}
