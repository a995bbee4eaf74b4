import { getOrInsert } from "../core/memoize.ts";
import type { Progress } from "../core/progress.ts";
import { releaseArrays, toSharedMemory } from "../core/typed-arrays.ts";
import { type Rectangle, boxCentre } from "../geometry/box.ts";
import { poseKey, rotationMatrix } from "../geometry/pose.ts";
import { type ColumnCrossings, cutColumns, mergeCrossings } from "../mesh/column-crossings.ts";
import { type ColumnGrid, fineGrid, projectedArea, steadyGrid, steadyRegion } from "../mesh/column-grid.ts";
import { type Surface, triangleCount } from "../mesh/mesh.ts";
import { type OverlapVolume, overlapVolume, sweepColumns } from "../mesh/overlap-volume.ts";
import type { PlacedMesh } from "../mesh/placed-mesh.ts";
import { type RepairedSolid, repairedSolid } from "./repaired-solid.ts";

export interface CommonVolumeRequest {
  readonly placed: readonly PlacedMesh[];
  /** Contains the common volume of the bodies, seen from above. */
  readonly region: Rectangle;
  /** The columns of an earlier group that may share many of these bodies. They change the time, not the result. */
  readonly before?: GroupColumns | undefined;
}

/** The common volume of the bodies of a group. */
export interface CommonVolume extends Pick<OverlapVolume, "betweenMm3" | "slabsMm3" | "bottomMm" | "topMm"> {
  /** Only for a group of more than two bodies. Large, and in shared memory. */
  readonly columns?: GroupColumns | undefined;
}

/** The crossings of the columns of a group. A group that shares most of its bodies is measured in less time with them. */
export interface GroupColumns {
  readonly region: Rectangle;
  readonly grid: ColumnGrid;
  /** The bodies in the order of the surface indices of `crossings`. */
  readonly bodies: readonly GroupBody[];
  readonly crossings: ColumnCrossings;
}

interface GroupBody {
  /** Key of the body's mesh and pose. */
  readonly key: string;
  /** Area of the body's facets over the region, seen from above. */
  readonly areaMm2: number;
}

/** Largest number of facets of all meshes, which take a second or two. More would delay the answer to a request about a scene. */
const MAX_FACETS = 2 ** 25;

const NOTHING: CommonVolume = { betweenMm3: 0, slabsMm3: new Float32Array(), bottomMm: 0, topMm: 0 };

/**
 * The sum of the volumes of the solids that are sliced for placed meshes, minus the volume of their union. Nothing for meshes of more
 * facets than {@link MAX_FACETS}.
 */
export function commonVolume({ placed, region, before }: CommonVolumeRequest, progress: Progress): CommonVolume {
  if (placed.reduce((sum, { mesh }) => sum + triangleCount(mesh), 0) > MAX_FACETS) return NOTHING;
  const surfaceOf = newSurfaces(progress.silent());
  // The grid of a pair covers only the intersection of both boxes. The grid of more bodies stays the same when one of the bodies
  // changes.
  if (placed.length > 2) return ofMany(placed, region, before, surfaceOf, progress);
  const surfaces = placed.map((one) => () => surfaceOf(one));
  return withoutRegion(overlapVolume(surfaces, fineGrid(region, surfaces), progress));
}

const withoutRegion = ({ betweenMm3, slabsMm3, bottomMm, topMm }: OverlapVolume): CommonVolume => ({
  betweenMm3,
  slabsMm3,
  bottomMm,
  topMm,
});

function ofMany(
  placed: readonly PlacedMesh[],
  wanted: Rectangle,
  last: GroupColumns | undefined,
  surfaceOf: (one: PlacedMesh) => Surface,
  progress: Progress,
): CommonVolume {
  const region = steadyRegion(wanted);
  const old = last && isSame(last.region, region) ? last : undefined;
  const oldAreas = new Map(old?.bodies.map(({ key, areaMm2 }) => [key, areaMm2]));
  const bodies = placed.map((one, i): GroupBody => {
    progress.report((AREA_SHARE * i) / placed.length);
    const key = poseKey(one.mesh.hash, one.pose);
    return { key, areaMm2: oldAreas.get(key) ?? projectedArea(surfaceOf(one), region) };
  });
  const grid = steadyGrid(region, totalMm2(bodies));
  const before = old && old.grid.columns === grid.columns && old.grid.rows === grid.rows ? old : undefined;
  const all = placed.map((one, index) => ({ index, surfaceOf: () => surfaceOf(one), ...bodies[index] }));
  const missing = before ? all.filter(({ key }) => !oldAreas.has(key)) : all;
  const cut = cutColumns(missing, grid, progress.part(AREA_SHARE, CUT_SHARE), totalMm2(missing));
  const crossings = before ? mergeCrossings(before.crossings, indicesIn(bodies, before), cut) : cut;
  const volume = sweepColumns(crossings, grid, placed.length, progress.part(CUT_SHARE, 1));
  return { ...withoutRegion(volume), columns: { region, grid, bodies, crossings: inSharedMemory(crossings) } };
}

/** Shares of the progress at the end of the areas, and of the crossings. */
const AREA_SHARE = 0.2;
const CUT_SHARE = 0.8;

/** For each body of an earlier group, its index among other bodies; −1 if it is not among them. */
function indicesIn(bodies: readonly GroupBody[], before: GroupColumns): Int32Array {
  const indices = new Map(bodies.map(({ key }, index) => [key, index]));
  return Int32Array.from(before.bodies, ({ key }) => indices.get(key) ?? -1);
}

const totalMm2 = (bodies: readonly Pick<GroupBody, "areaMm2">[]): number =>
  bodies.reduce((sum, { areaMm2 }) => sum + areaMm2, 0);

const isSame = (a: Rectangle, b: Rectangle): boolean =>
  a.minX === b.minX && a.minY === b.minY && a.maxX === b.maxX && a.maxY === b.maxY;

function inSharedMemory(crossings: ColumnCrossings): ColumnCrossings {
  const { starts, z, side } = crossings;
  const copies = { starts: toSharedMemory(starts), z: toSharedMemory(z), side: toSharedMemory(side) };
  releaseArrays(starts, z, side);
  return copies;
}

/** A function for the surfaces of placed solids; each mesh is repaired once. */
function newSurfaces(progress: Progress): (one: PlacedMesh) => Surface {
  const solids = new Map<string, RepairedSolid>();
  return (one) => {
    const solid = getOrInsert(solids, one.mesh.hash, () => repairedSolid(one.mesh, progress));
    return { vertices: sceneVertices(solid, one), triangles: solid.triangles };
  };
}

/** The rotation is rounded, since engines differ in the last bits of sines. */
function sceneVertices({ vertices }: Surface, { mesh, pose: { position, orientation, scale } }: PlacedMesh) {
  const [a, b, c, d, e, f, g, h, i] = rotationMatrix(orientation).map(Math.fround);
  const [u, v, w] = boxCentre(mesh.box);
  const placed = new Float64Array(vertices.length);
  for (let at = 0; at < vertices.length; at += 3) {
    const x = scale * (vertices[at] - u);
    const y = scale * (vertices[at + 1] - v);
    const z = scale * (vertices[at + 2] - w);
    placed[at] = a * x + b * y + c * z + position[0];
    placed[at + 1] = d * x + e * y + f * z + position[1];
    placed[at + 2] = g * x + h * y + i * z + position[2];
  }
  return placed;
}
