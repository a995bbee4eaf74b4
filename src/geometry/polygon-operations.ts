import type { CrossSection, FillRule } from "manifold-3d";
import { flipToDelaunay } from "./delaunay.ts";
import { type ManifoldModule, loadManifold } from "./manifold.ts";
import { type Polygon, type Polygons, signedArea } from "./polygon.ts";

/** Corners closer than this to the line between their neighbours are removed. Clipping and offsetting leave such corners. */
const SIMPLIFY_TOLERANCE_MM = 0.002;

/** The region that `make` constructs with Clipper2, the 2D library of Manifold. Cross-sections passed to `keep` are deleted. */
async function withCrossSections(
  make: (manifold: ManifoldModule, keep: (section: CrossSection) => CrossSection) => CrossSection,
  toleranceMm = SIMPLIFY_TOLERANCE_MM,
): Promise<Polygons> {
  const manifold = await loadManifold();
  const kept: CrossSection[] = [];
  const keep = (section: CrossSection): CrossSection => {
    kept.push(section);
    return section;
  };
  try {
    const made = keep(make(manifold, keep));
    const simple = toleranceMm > 0 ? keep(made.simplify(toleranceMm)) : made;
    return simple.toPolygons().map((points) => Float64Array.from(points.flat()));
  } finally {
    for (const section of new Set(kept)) section.delete();
  }
}

/** The cross-section of polygons by a fill rule. Manifold does not accept an empty list. */
const crossSectionOf = ({ CrossSection }: ManifoldModule, polygons: readonly Polygon[], rule: FillRule): CrossSection =>
  polygons.length === 0 ? CrossSection.square(0) : CrossSection.ofPolygons(toPointLists(polygons), rule);

/** Polygons in the representation of Manifold. */
export const toPointLists = (polygons: Polygons): [x: number, y: number][][] =>
  polygons.map((polygon) => Array.from({ length: polygon.length / 2 }, (_, i) => [polygon[2 * i], polygon[2 * i + 1]]));

/** The union of polygons by the nonzero rule: the points with a total winding number other than 0. */
export const unionPolygons = (polygons: readonly Polygon[]): Promise<Polygons> =>
  withCrossSections((manifold) => crossSectionOf(manifold, polygons, "NonZero"));

/** The union of polygons by the nonzero rule with all its corners, exact but for the coordinates of the library: multiples of 1e-8 mm. */
export const unionExactly = (polygons: readonly Polygon[]): Promise<Polygons> =>
  withCrossSections((manifold) => crossSectionOf(manifold, polygons, "NonZero"), 0);

/** The union of polygons with its holes filled. */
export async function unionWithoutHoles(polygons: readonly Polygon[]): Promise<Polygons> {
  const outlines = (await unionPolygons(polygons)).filter((polygon) => signedArea(polygon) > 0);
  // An outline in a former hole is inside another outline now.
  return await unionPolygons(outlines);
}

/** The intersection of two regions. */
export const intersectPolygons = (a: Polygons, b: Polygons): Promise<Polygons> =>
  withCrossSections((manifold, keep) => {
    const [first, second] = [a, b].map((region) => keep(crossSectionOf(manifold, region, "Positive")));
    return first.intersect(second);
  });

/** A region minus the union of other polygons. */
export const subtractPolygons = (region: Polygons, polygons: readonly Polygon[]): Promise<Polygons> =>
  withCrossSections((manifold, keep) => {
    const whole = keep(crossSectionOf(manifold, region, "Positive"));
    return whole.subtract(keep(crossSectionOf(manifold, polygons, "NonZero")));
  });

/** Segments of a full circle in rounded corners. */
const SEGMENTS = 32;

/**
 * Offsets a region by each distance in turn: positive outward, with rounded corners, negative inward. Outward and back is a
 * morphological closing, which fills gaps; inward and back is an opening, which removes thin parts.
 */
export const offsetPolygons = (region: Polygons, ...distancesMm: readonly number[]): Promise<Polygons> =>
  withCrossSections((manifold, keep) => {
    const start = keep(crossSectionOf(manifold, region, "Positive"));
    return distancesMm.reduce((from, mm) => keep(from.offset(mm, "Round", 2, SEGMENTS)), start);
  });

/**
 * A constrained Delaunay triangulation of a region: three corner indices for each triangle, counter-clockwise. Corners are numbered through
 * the polygons in order. Delaunay, because slender triangles across a whole plate would meet every body that is united with it.
 */
export async function triangulatePolygons(region: Polygons): Promise<Uint32Array> {
  const { triangulate } = await loadManifold();
  const triangles = Uint32Array.from(triangulate(toPointLists(region)).flat());
  return flipToDelaunay(Float64Array.from(region.flatMap((polygon) => [...polygon])), triangles);
}
