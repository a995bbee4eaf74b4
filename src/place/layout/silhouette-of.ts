import { centreOf, type Mat3 } from "../../core/geometry.ts";
import type { Watch } from "../../core/watch.ts";
import { convexHull } from "../../mesh/convex-hull.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import { clampToHull } from "./clamp-to-hull.ts";
import { coverOf } from "./cover.ts";
import { doubleArea, rectangleOf, type Region, type Ring } from "./region.ts";
import { simplifyOutward } from "./simplify-outward.ts";
import { trace } from "./trace.ts";

/** Edge of the pixels that find the outline: fine beside any spacing that a print needs. */
const PIXEL_MM = 0.05;
/** Most pixels along a side; larger bodies get larger ones. */
const MOST_PIXELS = 8192;
/** How far a straight edge may lead past the steps of pixels. */
const STEPS_TOLERANCE_MM = 0.1;
/** How far an edge may lead past a row of facets that stands for a curve. */
const CURVE_TOLERANCE_MM = 0.01;
/** Holes less wide than this are closed: nothing that is printed alone fits in with its spacing. */
const LEAST_HOLE_MM = 4;
/** Places are rounded to this, below what engines differ by in sines. */
const PLACE_STEPS_PER_MM = 2 ** 30;

/**
 * What a mesh covers seen from above once it is turned and scaled, relative to its origin. The region holds the true silhouette
 * and reaches at most 0.02 mm beyond its convex hull: boxes side by side are exact. In hollows it reaches at most 0.19 mm beyond
 * the silhouette of a body up to 400 mm wide. Holes that are too small for another part are closed.
 */
export function silhouetteOf(mesh: Mesh, turned: Mat3, scale: number, watch: Watch): Region {
  const { xs, ys } = seenFromAbove(mesh, turned, scale);
  const exactHull = convexHull(xs, ys);
  const hull = simplifyOutward(exactHull, CURVE_TOLERANCE_MM);
  const box = rectangleOf([exactHull]);
  const pixelMm = Math.max(PIXEL_MM, (box.maxX - box.minX) / MOST_PIXELS, (box.maxY - box.minY) / MOST_PIXELS);
  const rings = trace(coverOf(xs, ys, mesh.triangles, box, pixelMm, watch));
  return { rings: rings.filter(matters).flatMap((ring) => tidied(ring, hull)) };
}

/** `hull` is undefined for an upright sheet, which covers a line alone. */
function tidied(ring: Ring, hull: Ring | undefined): Ring[] {
  const smooth = simplifyOutward(ring, STEPS_TOLERANCE_MM);
  if (!smooth || !hull) return smooth ? [smooth] : [];
  const exact = simplifyOutward(clampToHull(smooth, hull), CURVE_TOLERANCE_MM);
  return exact ? [exact] : [];
}

/** Whether a ring is an outer one, or a hole wide enough to be of use. */
function matters(ring: Ring): boolean {
  const { minX, minY, maxX, maxY } = rectangleOf([ring]);
  return doubleArea(ring) > 0 || Math.min(maxX - minX, maxY - minY) >= LEAST_HOLE_MM;
}

function seenFromAbove({ vertices, box }: Mesh, m: Mat3, scale: number): { xs: Float64Array; ys: Float64Array } {
  const [cx, cy, cz] = centreOf(box);
  const count = vertices.length / 3;
  const xs = new Float64Array(count);
  const ys = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const [x, y, z] = [vertices[3 * i] - cx, vertices[3 * i + 1] - cy, vertices[3 * i + 2] - cz];
    xs[i] = rounded(scale * (m[0] * x + m[1] * y + m[2] * z));
    ys[i] = rounded(scale * (m[3] * x + m[4] * y + m[5] * z));
  }
  return { xs, ys };
}

const rounded = (mm: number): number => Math.round(mm * PLACE_STEPS_PER_MM) / PLACE_STEPS_PER_MM;
