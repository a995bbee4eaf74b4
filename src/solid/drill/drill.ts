import { boxCentre, boxSize } from "../../geometry/box.ts";
import { ApiError, operationFailed } from "../../core/api-error.ts";
import type { Progress } from "../../core/progress.ts";
import { type Vec3, dot } from "../../geometry/vector.ts";
import { difference } from "../../mesh/boolean.ts";
import { squaredDistanceToTriangle } from "../../mesh/bvh/closest-point.ts";
import { float32SpacingMm } from "../../mesh/measure.ts";
import { type Mesh, triangleCount } from "../../mesh/mesh.ts";
import { REPAIR_HINT, meshFromBoolean, requireSolid } from "../boolean-mesh.ts";
import { type Bore, type Hole, type HoleFrame, boreCutter, holeFrame, toHoleFrame } from "./bore.ts";
import { facetsNearAxis, intersectsCylinder } from "./cylinder-facets.ts";
import { type Wall, findWall } from "./wall.ts";

/** A drilled mesh. */
export interface DrilledMesh {
  /** The input mesh itself if no hole meets it. */
  readonly mesh: Mesh;
  /** The bore of each hole; undefined for one that does not meet the mesh. */
  readonly bores: readonly (Bore | undefined)[];
}

/** A hole and the surface around it. */
interface HoleProbe {
  /** Absent if the hole does not meet the mesh. */
  readonly bore?: Bore;
  /** Whether there is a surface where the hole begins, even one without material on its inner side. */
  readonly isNear: boolean;
}

/** A bore is longer than the wall by this share of its diameter, for facets between the probe lines. */
const MARGIN = 0.1;
/** The least margin, if the opposite wall is near. */
const MIN_MARGIN = 0.01;

/** The diameter of a bore, at least, in steps of single precision. */
const MIN_STEPS_ACROSS = 256;

/**
 * Drills holes, each of them placed on the mesh before drilling. Facets away from the holes keep their bits. Throws
 * OPERATION_FAILED if a hole meets a mesh that does not bound a solid, or if nothing of the mesh is left.
 */
export async function drill(mesh: Mesh, holes: readonly Hole[], progress: Progress): Promise<DrilledMesh> {
  const probing = progress.part(0, 0.4);
  const probes = holes.map((hole, i) => probeHole(mesh, hole, probing.part(i / holes.length, (i + 1) / holes.length)));
  const bores = probes.map(({ bore }) => bore);
  // In a mesh with gaps it is unknown on which side of a surface the material is.
  if (probes.some(({ isNear }) => isNear)) requireSolid(mesh, progress.part(0.4, 0.5));
  const met = bores.filter((bore) => bore !== undefined);
  if (met.length === 0) return { mesh, bores };
  requireResolvableWidth(mesh, bores);
  const drilled = await withRepairHint(() => difference(mesh, met.map(boreCutter), progress.part(0.5, 0.8)));
  if (triangleCount(drilled) === 0) {
    throw operationFailed("the holes leave nothing of it: drill smaller ones, or delete the model.");
  }
  return { mesh: meshFromBoolean(drilled, progress.part(0.8, 1)), bores };
}

function requireResolvableWidth(mesh: Mesh, bores: readonly (Bore | undefined)[]): void {
  const narrow = bores.findIndex((bore) => bore && 2 * bore.radiusMm < MIN_STEPS_ACROSS * float32SpacingMm(mesh.box));
  if (narrow < 0) return;
  throw operationFailed(`hole ${narrow + 1} is too narrow for coordinates of single precision: drill it wider.`);
}

/** The boolean finds defects that {@link requireSolid} does not. */
async function withRepairHint<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw thrown instanceof ApiError ? operationFailed(`its surface does not bound a solid: ${REPAIR_HINT}`) : thrown;
  }
}

/**
 * Finds where a hole is cut. The bore starts outside the whole surface that it goes through, even a curved or inclined
 * one.
 */
function probeHole(mesh: Mesh, requested: Hole, progress: Progress): HoleProbe {
  const hole = snapToSurface(mesh, requested, progress.part(0, 0.3));
  if (!hole) return { isNear: false };
  const { depthMm, outsetMm } = hole;
  const frame = holeFrame(hole);
  const diameterMm = Math.min(hole.diameterMm, maxDiameter(mesh, frame));
  const radiusMm = diameterMm / 2;
  const facets = facetsNearAxis(mesh, frame, radiusMm, progress.part(0.3, 0.6));
  const rounding = roundingTolerance(mesh, radiusMm);
  // A surface that only touches the hole does not meet it.
  const probeRadius = Math.max(0, radiusMm - rounding);
  // The position may be this far from the surface.
  const reach = Math.max(outsetMm, radiusMm);
  const wall = findWall(facets, probeRadius, reach, rounding, progress.part(0.6, 1));
  const outset = Math.max(outsetMm, MARGIN * radiusMm);
  const [least, most] = extentAlongAxis(mesh, frame);
  const bore = (surfaceMm: number, endMm: number, holeMm: number): Bore => ({
    frame,
    radiusMm,
    fromMm: Math.max(Math.min(0, surfaceMm) - outset, least - diameterMm),
    toMm: Math.min(endMm, most + diameterMm),
    depthMm: holeMm,
  });
  if (depthMm === "AUTO") {
    return wall
      ? { bore: bore(wall.surfaceMm, cutEnd(wall, diameterMm), wall.throughMm - wall.surfaceMm), isNear: true }
      : { isNear: intersectsCylinder(facets, probeRadius, -reach, reach) };
  }
  const fixed = bore(wall && wall.entryMm >= -reach ? wall.surfaceMm : 0, depthMm, depthMm);
  const isNear =
    intersectsCylinder(facets, probeRadius, fixed.fromMm + rounding, fixed.toMm - rounding) ||
    (wall !== undefined && wall.entryMm < fixed.toMm - rounding);
  return isNear ? { bore: fixed, isNear } : { isNear };
}

function snapToSurface(mesh: Mesh, hole: Hole, progress: Progress): Hole | undefined {
  if (hole.searchMm === undefined) return hole;
  const position = closestPointOnMesh(mesh, hole.position, hole.searchMm, progress);
  return position && { ...hole, position };
}

/** A hole this wide removes everything at its depth; a much wider cutter would cost the boolean its precision. */
function maxDiameter({ box }: Mesh, frame: HoleFrame): number {
  const ends = [box.min, box.max];
  const distances = ends.flatMap(([x]) =>
    ends.flatMap(([, y]) =>
      ends.map(([, , z]) => {
        const [u, v] = toHoleFrame(frame, [x, y, z]);
        return Math.sqrt(u * u + v * v);
      }),
    ),
  );
  return 4 * Math.max(...distances);
}

/** Points closer than this count as one: rounding of coordinates, or a share of the radius that does not matter. */
const roundingTolerance = (mesh: Mesh, radiusMm: number): number =>
  Math.max(1e-4 * radiusMm, 4 * float32SpacingMm(mesh.box));

/** The range of the mesh's box along the axis. A much longer cutter would cost the boolean its precision. */
function extentAlongAxis({ box }: Mesh, frame: HoleFrame): [least: number, most: number] {
  const [, , middle] = toHoleFrame(frame, boxCentre(box));
  const [sx, sy, sz] = frame.s;
  const half = dot(boxSize(box), [Math.abs(sx), Math.abs(sy), Math.abs(sz)]) / 2;
  return [middle - half, middle + half];
}

/** The end of the bore through a wall: beyond the wall and, if there is space, before the opposite one. */
function cutEnd({ throughMm, oppositeMm }: Wall, diameterMm: number): number {
  const free = (oppositeMm - throughMm) / 2;
  return throughMm + Math.min(MARGIN * diameterMm, Math.max(MIN_MARGIN * diameterMm, free));
}

const FACETS_PER_REPORT = 65_536;

/**
 * The closest point of a mesh within `limitMm`. It tests every facet: for a few queries of a large mesh that takes less
 * time than building a `Bvh`.
 */
export function closestPointOnMesh(mesh: Mesh, [x, y, z]: Vec3, limitMm: number, progress: Progress): Vec3 | undefined {
  const { vertices, triangles } = mesh;
  // The closest vertex bounds the distance, so most facets fail a test of their boxes.
  let reach = Math.min(limitMm, distanceToVertices(vertices, x, y, z));
  let least = limitMm * limitMm;
  let best: Vec3 | undefined;
  const corners = new Float32Array(9);
  const barycentric = { v: 0, w: 0 };
  for (let at = 0; at < triangles.length; at += 3) {
    if (at % (3 * FACETS_PER_REPORT) === 0) progress.report(at / triangles.length);
    const a = 3 * triangles[at];
    const b = 3 * triangles[at + 1];
    const c = 3 * triangles[at + 2];
    if (isSeparated(vertices[a], vertices[b], vertices[c], x, reach)) continue;
    if (isSeparated(vertices[a + 1], vertices[b + 1], vertices[c + 1], y, reach)) continue;
    if (isSeparated(vertices[a + 2], vertices[b + 2], vertices[c + 2], z, reach)) continue;
    for (let axis = 0; axis < 3; axis++) {
      corners[axis] = vertices[a + axis];
      corners[3 + axis] = vertices[b + axis];
      corners[6 + axis] = vertices[c + axis];
    }
    const squared = squaredDistanceToTriangle(corners, 0, x, y, z, barycentric);
    if (squared >= least) continue;
    least = squared;
    reach = Math.min(reach, Math.sqrt(squared));
    const { v, w } = barycentric;
    const coordinate = (axis: number): number =>
      corners[axis] + v * (corners[3 + axis] - corners[axis]) + w * (corners[6 + axis] - corners[axis]);
    best = [coordinate(0), coordinate(1), coordinate(2)];
  }
  return best;
}

const isSeparated = (a: number, b: number, c: number, coordinate: number, reach: number): boolean =>
  Math.min(a, b, c) - coordinate > reach || coordinate - Math.max(a, b, c) > reach;

function distanceToVertices(vertices: Float32Array, x: number, y: number, z: number): number {
  let least = Infinity;
  for (let at = 0; at < vertices.length; at += 3) {
    const [dx, dy, dz] = [vertices[at] - x, vertices[at + 1] - y, vertices[at + 2] - z];
    least = Math.min(least, dx * dx + dy * dy + dz * dz);
  }
  return Math.sqrt(least);
}
