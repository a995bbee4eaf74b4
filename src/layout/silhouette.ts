import type { Progress } from "../core/progress.ts";
import { type Rectangle, boundingRectangle, boxCentre } from "../geometry/box.ts";
import { convexHull } from "../geometry/convex-hull.ts";
import { type Polygon, type Polygons, signedArea } from "../geometry/polygon.ts";
import type { Mat3 } from "../geometry/vector.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { clampToHull, simplifyOutward } from "./simplify-outward.ts";

/** Pixel size of the raster that finds the outline: small compared with any spacing that a print needs. */
const PIXEL_MM = 0.05;
/** Pixels along a side at most; larger bodies get larger pixels. */
const MAX_PIXELS = 8192;
/** How far a straight edge may deviate outward from the staircase of pixels. */
const STAIRCASE_TOLERANCE_MM = 0.1;
/** How far an edge may deviate outward from a row of facets that approximates a curve. */
const CURVE_TOLERANCE_MM = 0.01;
/** Narrower holes are closed: no separate part fits into them with its spacing. */
const MIN_HOLE_MM = 4;
/** Coordinates are rounded to 1 / this: the last bits of sines differ between JavaScript engines. */
const COORDINATE_STEPS_PER_MM = 2 ** 30;

/**
 * The silhouette of a mesh seen from above once it is rotated and scaled, relative to the origin of the model. The
 * polygons contain the exact silhouette. They reach at most 0.02 mm beyond its convex hull, so boxes side by side are
 * exact; in concave places of a body up to 400 mm wide they reach at most 0.19 mm beyond the silhouette. Holes too
 * small for another part are closed.
 */
export function silhouetteOf(mesh: Mesh, rotation: Mat3, scale: number, progress: Progress): Polygons {
  const { xs, ys } = projectVertices(mesh, rotation, scale);
  const exactHull = convexHull(xs, ys);
  const hull = simplifyOutward(exactHull, CURVE_TOLERANCE_MM);
  const box = boundingRectangle([exactHull]);
  const pixelMm = Math.max(PIXEL_MM, (box.maxX - box.minX) / MAX_PIXELS, (box.maxY - box.minY) / MAX_PIXELS);
  const rings = traceBoundaries(rasterizeTriangles(xs, ys, mesh.triangles, box, pixelMm, progress));
  return rings.filter(isRelevantRing).flatMap((ring) => simplifiedRing(ring, hull));
}

/**
 * The ring with few corners, or none where it vanishes. `hull` is undefined for a vertical sheet, whose silhouette is a
 * line.
 */
function simplifiedRing(ring: Polygon, hull: Polygon | undefined): Polygon[] {
  const smooth = simplifyOutward(ring, STAIRCASE_TOLERANCE_MM);
  if (!smooth || !hull) return smooth ? [smooth] : [];
  const exact = simplifyOutward(clampToHull(smooth, hull), CURVE_TOLERANCE_MM);
  return exact ? [exact] : [];
}

/** Whether a ring is an outer boundary, or a hole wide enough for another part. */
export function isRelevantRing(ring: Polygon): boolean {
  const { minX, minY, maxX, maxY } = boundingRectangle([ring]);
  return signedArea(ring) > 0 || Math.min(maxX - minX, maxY - minY) >= MIN_HOLE_MM;
}

function projectVertices({ vertices, box }: Mesh, m: Mat3, scale: number): { xs: Float64Array; ys: Float64Array } {
  const [cx, cy, cz] = boxCentre(box);
  const count = vertices.length / 3;
  const xs = new Float64Array(count);
  const ys = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const [x, y, z] = [vertices[3 * i] - cx, vertices[3 * i + 1] - cy, vertices[3 * i + 2] - cz];
    xs[i] = roundCoordinate(scale * (m[0] * x + m[1] * y + m[2] * z));
    ys[i] = roundCoordinate(scale * (m[3] * x + m[4] * y + m[5] * z));
  }
  return { xs, ys };
}

const roundCoordinate = (mm: number): number => Math.round(mm * COORDINATE_STEPS_PER_MM) / COORDINATE_STEPS_PER_MM;

/** A raster of square pixels: 1 where a triangle touches, else 0. Row 0 is at the front, column 0 at the left. */
interface CoverageGrid {
  readonly columns: number;
  readonly rows: number;
  readonly pixelMm: number;
  /** x and y of the left front corner. */
  readonly leftMm: number;
  readonly frontMm: number;
  /** Row-major; the outermost pixels are 0. */
  readonly pixels: Uint8Array;
}

/** Share of a pixel by which triangles are enlarged, so that rounding never loses a pixel. */
const ROUNDING_SHARE = 1e-6;
const FACETS_BETWEEN_REPORTS = 65_536;

/**
 * Conservative rasterization: every pixel that a triangle touches. Triangle t has the vertices `triangles[3t]`, … of
 * `xs` and `ys`.
 */
function rasterizeTriangles(
  xs: Float64Array,
  ys: Float64Array,
  triangles: Uint32Array,
  box: Rectangle,
  pixelMm: number,
  progress: Progress,
): CoverageGrid {
  // The sides of the box, where walls are, fall into the middle of pixels and not on their borders.
  const [leftMm, frontMm] = [box.minX - 1.5 * pixelMm, box.minY - 1.5 * pixelMm];
  const columns = Math.ceil((box.maxX - box.minX) / pixelMm) + 3;
  const rows = Math.ceil((box.maxY - box.minY) / pixelMm) + 3;
  const pixels = new Uint8Array(columns * rows);
  const cover: CoverageGrid = { columns, rows, pixelMm, leftMm, frontMm, pixels };
  const [us, vs] = [xs.map((x) => (x - leftMm) / pixelMm), ys.map((y) => (y - frontMm) / pixelMm)];
  for (let t = 0; t < triangles.length; t += 3) {
    if (t % (3 * FACETS_BETWEEN_REPORTS) === 0) progress.report(t / triangles.length);
    const [a, b, c] = [triangles[t], triangles[t + 1], triangles[t + 2]];
    rasterizeTriangle(cover, us[a], vs[a], us[b], vs[b], us[c], vs[c]);
  }
  return cover;
}

/** Sets the pixels that a triangle touches. Its corners are in pixels. */
function rasterizeTriangle(
  { columns, pixels }: CoverageGrid,
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
): void {
  const first = Math.floor(Math.min(ay, by, cy) - ROUNDING_SHARE);
  const last = Math.floor(Math.max(ay, by, cy) + ROUNDING_SHARE);
  for (let row = first; row <= last; row++) {
    spanStart = Infinity;
    spanEnd = -Infinity;
    const [bottom, top] = [row - ROUNDING_SHARE, row + 1 + ROUNDING_SHARE];
    widenByEdge(ax, ay, bx, by, bottom, top);
    widenByEdge(bx, by, cx, cy, bottom, top);
    widenByEdge(cx, cy, ax, ay, bottom, top);
    if (spanStart > spanEnd) continue;
    const start = row * columns;
    pixels.fill(1, start + Math.floor(spanStart - ROUNDING_SHARE), start + Math.floor(spanEnd + ROUNDING_SHARE) + 1);
  }
}

/**
 * Least and greatest x of a triangle within a row, set by {@link widenByEdge}. Module variables, not an object: this is
 * the inner loop.
 */
let spanStart = 0;
let spanEnd = 0;

/** Widens `spanStart` and `spanEnd` by the part of an edge between two heights. */
function widenByEdge(ax: number, ay: number, bx: number, by: number, bottom: number, top: number): void {
  if ((ay < bottom && by < bottom) || (ay > top && by > top)) return;
  const from = ay < bottom ? xAtHeight(ax, ay, bx, by, bottom) : ay > top ? xAtHeight(ax, ay, bx, by, top) : ax;
  const to = by < bottom ? xAtHeight(ax, ay, bx, by, bottom) : by > top ? xAtHeight(ax, ay, bx, by, top) : bx;
  if (from < spanStart) spanStart = from;
  if (to < spanStart) spanStart = to;
  if (from > spanEnd) spanEnd = from;
  if (to > spanEnd) spanEnd = to;
}

const xAtHeight = (ax: number, ay: number, bx: number, by: number, y: number): number =>
  ax + ((bx - ax) * (y - ay)) / (by - ay);

/** Steps to the next pixel corner: right, up, left, down. */
const STEP_X = [1, 0, -1, 0];
const STEP_Y = [0, 1, 0, -1];
/** The pixels ahead on the left and ahead on the right of a pixel corner, by the direction of travel. */
const LEFT_X = [0, -1, -1, 0];
const LEFT_Y = [0, 0, -1, -1];
const RIGHT_X = [0, 0, -1, -1];
const RIGHT_Y = [-1, 0, 0, -1];

const COVERED = 1;
/** Set on a covered pixel once its lower border has been traced. */
const VISITED = 2;

/**
 * The boundaries between covered and empty pixels, with the covered ones on their left. Pixels that share a corner are
 * connected.
 */
function traceBoundaries({ columns, rows, pixelMm, leftMm, frontMm, pixels: covered }: CoverageGrid): Polygon[] {
  const pixels = covered.slice();
  const rings: Polygon[] = [];
  for (let y = 1; y < rows; y++) {
    for (let x = 1; x < columns; x++) {
      const at = y * columns + x;
      if (pixels[at] !== COVERED || pixels[at - columns] !== 0) continue;
      rings.push(
        Float64Array.from(
          traceBoundary(pixels, columns, x, y),
          (n, i) => (i % 2 === 0 ? leftMm : frontMm) + n * pixelMm,
        ),
      );
    }
  }
  return rings;
}

/** The corners of the boundary that leaves the lower left corner of a pixel to the right. */
function traceBoundary(pixels: Uint8Array, columns: number, startX: number, startY: number): number[] {
  const corners: number[] = [];
  let [x, y, direction] = [startX, startY, 0];
  do {
    if (direction === 0) pixels[y * columns + x] |= VISITED;
    x += STEP_X[direction];
    y += STEP_Y[direction];
    const right = pixels[(y + RIGHT_Y[direction]) * columns + x + RIGHT_X[direction]] !== 0;
    const left = pixels[(y + LEFT_Y[direction]) * columns + x + LEFT_X[direction]] !== 0;
    if (!right && left) continue;
    corners.push(x, y);
    direction = (direction + (right ? 3 : 1)) % 4;
  } while (x !== startX || y !== startY || direction !== 0);
  return corners;
}
