import type { Progress } from "../core/progress.ts";
import { convexHull } from "../geometry/convex-hull.ts";
import { facetOf } from "../geometry/halfedge.ts";
import {
  type ManifoldModule,
  deleteAll,
  interruptible,
  loadManifold,
  releaseLargeInstance,
} from "../geometry/manifold.ts";
import { signedArea } from "../geometry/polygon.ts";
import { type Vec3, add, cross, dot, exactLength, times, unit } from "../geometry/vector.ts";
import { NO_HALFEDGE, oppositeHalfedges } from "./edges.ts";
import { float32SpacingMm } from "./measure.ts";
import { type Mesh, type Surface, facetNormal, triangleCount, vertexAt, vertexCount } from "./mesh.ts";

/** A flat face of the convex hull of a mesh, on which a part can lie, in the coordinates of the mesh. */
export interface HullFace {
  /** Outward unit normal. */
  readonly normal: Vec3;
  readonly areaMm2: number;
  /** Corners of its convex outline, counter-clockwise seen from outside: x, y, z of each. */
  readonly rim: readonly number[];
}

/** A part does not lie still on smaller faces (design of the page, section 7, from PrusaSlicer's tool for laying parts flat). */
const LEAST_MM2 = 5;
const MOST_FACES = 254;
/** Corners nearer to the plane of a face belong to it, mm: less than a step of any printer. */
const FLATNESS_MM = 1e-3;
/** The same in steps of single precision, for large coordinates. */
const FLATNESS_STEPS = 4;
/** Vertices that one call of the hull takes, besides the corners of the hull so far. */
const BATCH = 65_536;

/** The flat faces of the convex hull with at least 5 mm², at most 254, the largest first. None for a flat mesh. */
export async function hullFaces(mesh: Mesh, progress: Progress): Promise<HullFace[]> {
  const hull = await hullOf(mesh, progress);
  const toleranceMm = Math.max(FLATNESS_MM, FLATNESS_STEPS * float32SpacingMm(mesh.box));
  return facesOf(hull, toleranceMm)
    .filter(({ areaMm2 }) => areaMm2 >= LEAST_MM2)
    .sort((a, b) => b.areaMm2 - a.areaMm2)
    .slice(0, MOST_FACES);
}

async function hullOf(mesh: Mesh, progress: Progress): Promise<Surface> {
  const kernel = await loadManifold();
  let hull: Surface = { vertices: new Float32Array(), triangles: new Uint32Array() };
  let corners: readonly Vec3[] = [];
  const batches = Math.ceil(vertexCount(mesh) / BATCH);
  for (let batch = 0; batch < batches; batch++) {
    const points = [...corners, ...everyNth(mesh, batch, batches)];
    hull = hullOfPoints(kernel, points, progress.part(batch / batches, (batch + 1) / batches));
    // Points in one plane have no hull yet.
    corners = triangleCount(hull) === 0 ? points : everyNth(hull, 0, 1);
  }
  releaseLargeInstance();
  return hull;
}

/** Spread over the mesh, whose vertices are sorted by x: those of one wall alone have no hull. */
const everyNth = (surface: Surface, first: number, step: number): Vec3[] =>
  Array.from({ length: Math.ceil((vertexCount(surface) - first) / step) }, (_, i) =>
    vertexAt(surface, first + i * step),
  );

function hullOfPoints(kernel: ManifoldModule, points: readonly Vec3[], progress: Progress): Surface {
  const solid = interruptible(kernel, progress, () => kernel.Manifold.hull(points.map((point) => [...point])));
  try {
    const { vertProperties, triVerts } = solid.getMesh();
    return { vertices: vertProperties.slice(), triangles: triVerts.slice() };
  } finally {
    deleteAll(kernel, [solid]);
  }
}

/** The faces of a convex surface: facets whose corners are in the plane of a larger one, and connected to it. */
function facesOf(hull: Surface, toleranceMm: number): HullFace[] {
  const normals = Array.from({ length: triangleCount(hull) }, (_, facet) => facetNormal(hull, facet));
  const opposite = oppositeHalfedges(hull.triangles, vertexCount(hull));
  const isTaken = new Uint8Array(normals.length);
  const bySize = [...normals.keys()].sort((a, b) => exactLength(normals[b]) - exactLength(normals[a]));
  return bySize.flatMap((seed) => {
    if (isTaken[seed] === 1 || exactLength(normals[seed]) === 0) return [];
    const facets = facetsInPlane(hull, seed, unit(normals[seed]), opposite, isTaken, toleranceMm);
    return [faceOf(hull, facets, unit(facets.map((facet) => normals[facet]).reduce(add)))];
  });
}

/** The facets around a seed in its plane, which are marked as taken. */
function facetsInPlane(
  hull: Surface,
  seed: number,
  normal: Vec3,
  opposite: Uint32Array,
  isTaken: Uint8Array,
  toleranceMm: number,
): number[] {
  const planeMm = dot(vertexAt(hull, hull.triangles[3 * seed]), normal);
  const isFlat = (facet: number): boolean =>
    [0, 1, 2].every(
      (i) => Math.abs(dot(vertexAt(hull, hull.triangles[3 * facet + i]), normal) - planeMm) <= toleranceMm,
    );
  const found = [seed];
  isTaken[seed] = 1;
  for (const facet of found) {
    for (let halfedge = 3 * facet; halfedge < 3 * facet + 3; halfedge++) {
      if (opposite[halfedge] === NO_HALFEDGE) continue;
      const other = facetOf(opposite[halfedge]);
      if (isTaken[other] === 1 || !isFlat(other)) continue;
      isTaken[other] = 1;
      found.push(other);
    }
  }
  return found;
}

/** The face of facets in one plane: the convex outline of their corners. */
function faceOf(hull: Surface, facets: readonly number[], normal: Vec3): HullFace {
  const corners = facets.flatMap((facet) => [0, 1, 2].map((i) => vertexAt(hull, hull.triangles[3 * facet + i])));
  const [ax, ay, az] = [Math.abs(normal[0]), Math.abs(normal[1]), Math.abs(normal[2])];
  const u = unit(cross(ax <= ay && ax <= az ? [1, 0, 0] : ay <= az ? [0, 1, 0] : [0, 0, 1], normal));
  const v = cross(normal, u);
  const [origin] = corners;
  const along = (axis: Vec3) => Float64Array.from(corners, (corner) => dot(corner, axis) - dot(origin, axis));
  const outline = convexHull(along(u), along(v));
  const rim = Array.from({ length: outline.length / 2 }, (_, i) => [
    ...add(origin, add(times(u, outline[2 * i]), times(v, outline[2 * i + 1]))),
  ]).flat();
  return { normal, areaMm2: signedArea(outline), rim };
}
