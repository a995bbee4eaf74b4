/**
 * How far two facets that cross would have to be moved apart, mm, at most: along the normal of the one or of the other. Not
 * positive where one lies on one side of the other's plane, or has no area.
 */
export function pierceDepth(a: Float32Array, i: number, b: Float32Array, j: number): number {
  const depth = depthThrough(a, i, b, j);
  return depth > 0 ? Math.min(depth, depthThrough(b, j, a, i)) : depth;
}

/** How far the second facet reaches beyond the plane of the first one, on the side where it reaches less far. */
function depthThrough(a: Float32Array, i: number, b: Float32Array, j: number): number {
  const ux = a[i + 3] - a[i];
  const uy = a[i + 4] - a[i + 1];
  const uz = a[i + 5] - a[i + 2];
  const vx = a[i + 6] - a[i];
  const vy = a[i + 7] - a[i + 1];
  const vz = a[i + 8] - a[i + 2];
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const size = Math.sqrt(nx * nx + ny * ny + nz * nz);
  if (size === 0) return 0;
  let above = -Infinity;
  let below = -Infinity;
  for (let corner = j; corner < j + 9; corner += 3) {
    const height = nx * (b[corner] - a[i]) + ny * (b[corner + 1] - a[i + 1]) + nz * (b[corner + 2] - a[i + 2]);
    if (height > above) above = height;
    if (-height > below) below = -height;
  }
  return Math.min(above, below) / size;
}
