/** Corners of triangles, x, y, z of each, as in a {@link FacetClusters}. */
type Corners = Float32Array;

/**
 * The planes that may separate other triangles from one triangle: its own plane, and the three planes through its edges at a right
 * angle to it, which face outward. Three numbers for each plane, edges first.
 */
export type FacetPlanes = Float64Array<ArrayBuffer>;

const OWN = 9;
/** Offsets of the bounds of rounding errors: of heights above the triangle's own plane, and above the planes of its edges. */
const OWN_ERROR = 12;
const EDGE_ERROR = 13;

export const newFacetPlanes = (): FacetPlanes => new Float64Array(14);

/**
 * A bound of the relative rounding error of a height, which is made of sums and products of six double-precision numbers, with a wide
 * margin: a smaller height counts as undecided.
 */
const ROUNDING = 2 ** -45;

/** Computes the planes of the triangle whose corners start at `i`. */
export function setFacetPlanes(planes: FacetPlanes, corners: Corners, i: number): void {
  const ux = corners[i + 3] - corners[i];
  const uy = corners[i + 4] - corners[i + 1];
  const uz = corners[i + 5] - corners[i + 2];
  const vx = corners[i + 6] - corners[i + 3];
  const vy = corners[i + 7] - corners[i + 4];
  const vz = corners[i + 8] - corners[i + 5];
  const wx = corners[i] - corners[i + 6];
  const wy = corners[i + 1] - corners[i + 7];
  const wz = corners[i + 2] - corners[i + 8];
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  planes[0] = uy * nz - uz * ny;
  planes[1] = uz * nx - ux * nz;
  planes[2] = ux * ny - uy * nx;
  planes[3] = vy * nz - vz * ny;
  planes[4] = vz * nx - vx * nz;
  planes[5] = vx * ny - vy * nx;
  planes[6] = wy * nz - wz * ny;
  planes[7] = wz * nx - wx * nz;
  planes[8] = wx * ny - wy * nx;
  planes[OWN] = nx;
  planes[OWN + 1] = ny;
  planes[OWN + 2] = nz;
  const u = Math.abs(ux) + Math.abs(uy) + Math.abs(uz);
  const v = Math.abs(vx) + Math.abs(vy) + Math.abs(vz);
  const w = Math.abs(wx) + Math.abs(wy) + Math.abs(wz);
  planes[OWN_ERROR] = ROUNDING * u * v;
  planes[EDGE_ERROR] = ROUNDING * u * v * Math.max(u, v, w);
}

/**
 * Whether one of the planes of the triangle at `i` certainly separates the triangle at `j` from it, apart from shared corners and
 * edges. Such triangles do not intersect ({@link trianglesIntersect}); for other triangles nothing is known. All corners are within
 * `reach` of each other, by the sum of the distances along the axes. Decides nearly all pairs of neighbours in a smooth surface, in a
 * fraction of the time of the exact predicate.
 */
export function isFacetSeparated(planes: FacetPlanes, reach: number, corners: Corners, i: number, j: number): boolean {
  const ax = corners[j];
  const ay = corners[j + 1];
  const az = corners[j + 2];
  const bx = corners[j + 3];
  const by = corners[j + 4];
  const bz = corners[j + 5];
  const cx = corners[j + 6];
  const cy = corners[j + 7];
  const cz = corners[j + 8];
  for (let plane = OWN; plane >= 0; plane -= 3) {
    const q = plane === OWN ? i : i + plane;
    const nx = planes[plane];
    const ny = planes[plane + 1];
    const nz = planes[plane + 2];
    const x = corners[q];
    const y = corners[q + 1];
    const z = corners[q + 2];
    const a = nx * (ax - x) + ny * (ay - y) + nz * (az - z);
    const b = nx * (bx - x) + ny * (by - y) + nz * (bz - z);
    const c = nx * (cx - x) + ny * (cy - y) + nz * (cz - z);
    const slack = planes[plane === OWN ? OWN_ERROR : EDGE_ERROR] * reach;
    const isOutside = a >= -slack && b >= -slack && c >= -slack;
    if (!isOutside && (plane !== OWN || a > slack || b > slack || c > slack)) continue;
    // A corner that is too near to the plane to be certain must be a shared corner, and at least one corner must not be shared.
    const isNearA = a <= slack && a >= -slack;
    const isNearB = b <= slack && b >= -slack;
    const isNearC = c <= slack && c >= -slack;
    if (isNearA && isNearB && isNearC) continue;
    if (
      (!isNearA || isCornerInPlane(corners, i, plane, ax, ay, az)) &&
      (!isNearB || isCornerInPlane(corners, i, plane, bx, by, bz)) &&
      (!isNearC || isCornerInPlane(corners, i, plane, cx, cy, cz))
    )
      return true;
  }
  return false;
}

/** Whether a point is a corner of the triangle at `i` in one of its planes. */
function isCornerInPlane(corners: Corners, i: number, plane: number, x: number, y: number, z: number): boolean {
  const opposite = plane === OWN ? NONE : plane === 0 ? 6 : plane - 3;
  for (let corner = 0; corner < 9; corner += 3) {
    const at = i + corner;
    if (corner !== opposite && corners[at] === x && corners[at + 1] === y && corners[at + 2] === z) return true;
  }
  return false;
}

const NONE = -1;

/**
 * As {@link isFacetSeparated}, by a plane between the two triangles: through a shared corner, at a right angle to the difference of
 * the directions in which the triangles leave it, or, without a shared corner, at a right angle to the line of their centres. Decides
 * cases in which each plane of one triangle contains a corner of the other, such as the crossing of straight lines of edges.
 */
export function isSeparatedBetween(reach: number, corners: Corners, i: number, j: number): boolean {
  let p = NONE;
  let q = NONE;
  for (let k = i; k < i + 9; k += 3) {
    for (let l = j; l < j + 9; l += 3) {
      if (corners[k] !== corners[l] || corners[k + 1] !== corners[l + 1] || corners[k + 2] !== corners[l + 2]) continue;
      if (p !== NONE) return false;
      p = k;
      q = l;
    }
  }
  const x = p === NONE ? corners[i] : corners[p];
  const y = p === NONE ? corners[i + 1] : corners[p + 1];
  const z = p === NONE ? corners[i + 2] : corners[p + 2];
  normal.fill(0);
  addDirections(corners, i, p, x, y, z, -1);
  addDirections(corners, j, q, x, y, z, 1);
  const nx = normal[0];
  const ny = normal[1];
  const nz = normal[2];
  let highest = -Infinity;
  let lowest = Infinity;
  for (let k = 0; k < 9; k += 3) {
    const a = nx * (corners[i + k] - x) + ny * (corners[i + k + 1] - y) + nz * (corners[i + k + 2] - z);
    const b = nx * (corners[j + k] - x) + ny * (corners[j + k + 1] - y) + nz * (corners[j + k + 2] - z);
    if (i + k !== p) highest = Math.max(highest, a);
    if (j + k !== q) lowest = Math.min(lowest, b);
  }
  const slack = ROUNDING * reach * (Math.abs(nx) + Math.abs(ny) + Math.abs(nz));
  return p === NONE ? lowest - highest > slack : highest < -slack && lowest > slack;
}

const normal = new Float64Array(3);

/**
 * Adds to `normal` the vectors from x, y, z to the corners of a triangle. If corner `own` is at x, y, z, the other two are scaled to
 * equal lengths.
 */
function addDirections(corners: Corners, i: number, own: number, x: number, y: number, z: number, sign: number): void {
  for (let k = i; k < i + 9; k += 3) {
    if (k === own) continue;
    const u = corners[k] - x;
    const v = corners[k + 1] - y;
    const w = corners[k + 2] - z;
    const weight = own === NONE ? sign : sign / (Math.abs(u) + Math.abs(v) + Math.abs(w));
    normal[0] += weight * u;
    normal[1] += weight * v;
    normal[2] += weight * w;
  }
}
