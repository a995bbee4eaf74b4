import type { Progress } from "../../core/progress.ts";
import type { Vec3 } from "../../geometry/vector.ts";
import { bodiesOf, bodyVolumes } from "../../mesh/bodies.ts";
import { difference, intersection, union } from "../../mesh/boolean.ts";
import { boxOf } from "../../geometry/box.ts";
import { type Mesh, type Surface, filterFacets, triangleCount, vertexAt } from "../../mesh/mesh.ts";
import { meshFromBoolean } from "../boolean-mesh.ts";
import { type Bore, boreCutter, circumscribedPrism, segmentCount, toHoleFrame } from "./bore.ts";

/** A piece that closes a hole in a wall. */
export interface Plug {
  readonly mesh: Mesh;
  /** Index of its hole. */
  readonly hole: number;
}

/** The space that a plug may fill. */
interface PlugCore {
  readonly surface: Surface;
  readonly bore: Bore;
  /** Index of its hole. */
  readonly hole: number;
}

/** Pieces smaller than this share of the largest of their hole are chips of a rim, not plugs. */
const MIN_PIECE_SHARE = 0.01;

/**
 * The material that bores remove from a mesh, less `playMm` all around: a plug for each wall that one of the holes
 * `plugged` goes through, in the order of the holes. Voids within a wall are filled. The mesh must bound a solid.
 */
export async function makePlugs(
  mesh: Mesh,
  bores: readonly (Bore | undefined)[],
  plugged: readonly number[],
  playMm: number,
  progress: Progress,
): Promise<Plug[]> {
  const cores = await plugCores(bores, plugged, playMm, progress.part(0, 0.3));
  if (cores.length === 0) return [];
  const surfaces = cores.map(({ surface }) => surface);
  const pieces = await intersection(mesh, await union(surfaces, progress.part(0.3, 0.4)), progress.part(0.4, 0.6));
  const bodies = bodiesOf(pieces);
  const volumes = bodyVolumes(pieces, bodies);
  const coreOfBody = Array.from(bodies.firstFacets, (facet) =>
    containingCore(vertexAt(pieces, pieces.triangles[3 * facet]), cores),
  );
  const largest = new Map<PlugCore, number>();
  coreOfBody.forEach((core, body) => largest.set(core, Math.max(volumes[body], largest.get(core) ?? 0)));
  const making = progress.part(0.6, 1);
  const plugs = coreOfBody.flatMap((core, body): Plug[] => {
    if (volumes[body] <= MIN_PIECE_SHARE * largest.get(core)!) return [];
    const surface = filterFacets(pieces, (facet) => bodies.bodyOf[facet] === body);
    const part = making.part(body / bodies.count, (body + 1) / bodies.count);
    return [{ mesh: meshFromBoolean(surface, part), hole: core.hole }];
  });
  return plugs.sort((a, b) => a.hole - b.hole);
}

/**
 * The space in each plugged bore that leaves `playMm` all around; none if a bore is too narrow for that. If bores
 * cross, the first keeps its whole plug, and a bore without a plug stays free.
 */
async function plugCores(
  bores: readonly (Bore | undefined)[],
  plugged: readonly number[],
  playMm: number,
  progress: Progress,
): Promise<PlugCore[]> {
  const cutters = bores.map((bore) => bore && boreCutter(bore));
  const cores: PlugCore[] = [];
  for (const hole of plugged) {
    progress.report(cores.length / plugged.length);
    const bore = bores[hole];
    if (!bore || bore.radiusMm <= playMm || bore.toMm - bore.fromMm <= 2 * playMm) continue;
    const others = cutters.filter((_, other) => other < hole || (other > hole && !plugged.includes(other)));
    const surface = await subtractNearby(
      shrunkCutter(bore, playMm),
      others.filter((other) => other !== undefined),
      progress.silent(),
    );
    if (triangleCount(surface) > 0) cores.push({ surface, bore, hole });
  }
  return cores;
}

/** A smaller cutter, with sides parallel to those of the bore's cutter. It is also shorter, because an end may be inside the material. */
const shrunkCutter = ({ frame, radiusMm, fromMm, toMm }: Bore, playMm: number): Surface =>
  circumscribedPrism(frame, radiusMm - playMm, fromMm + playMm, toMm - playMm, segmentCount(radiusMm));

async function subtractNearby(surface: Surface, others: readonly Surface[], progress: Progress): Promise<Surface> {
  const { min, max } = boxOf(surface.vertices);
  const near = others.filter(({ vertices }) => {
    const box = boxOf(vertices);
    return min.every((least, axis) => box.min[axis] <= max[axis] && box.max[axis] >= least);
  });
  return near.length === 0 ? surface : difference(surface, near, progress);
}

/** Cores are disjoint, so a vertex of their union belongs to one: the core with the least distance outside its bore. */
function containingCore(vertex: Vec3, cores: readonly PlugCore[]): PlugCore {
  const distanceOutside = ({ bore: { frame, radiusMm, fromMm, toMm } }: PlugCore): number => {
    const [u, v, s] = toHoleFrame(frame, vertex);
    return Math.max(Math.sqrt(u * u + v * v) - radiusMm, fromMm - s, s - toMm);
  };
  return cores.reduce((best, core) => (distanceOutside(core) < distanceOutside(best) ? core : best));
}
