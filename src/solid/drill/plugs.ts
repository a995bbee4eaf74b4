import type { Vec3 } from "../../core/geometry.ts";
import type { Watch } from "../../core/watch.ts";
import { bodiesOf, bodyVolumes } from "../../mesh/bodies.ts";
import { intersection } from "../../mesh/boolean/intersection.ts";
import { union } from "../../mesh/boolean/union.ts";
import type { Mesh, Surface } from "../../mesh/mesh.ts";
import { keepFacets } from "../../mesh/repair/keep-facets.ts";
import type { Bore } from "./bore.ts";
import { cutMesh } from "../cut-mesh.ts";
import { toFrame } from "./frame.ts";
import { type Core, plugCores } from "./plug-cores.ts";

/** What closes a hole where it goes through a wall. */
export interface Plug {
  readonly mesh: Mesh;
  /** The number of its hole. */
  readonly hole: number;
}

/** Pieces of less than this share of the largest of their hole are chips that a rim has left, and no plugs. */
const CHIP = 0.01;

/**
 * What bores take out of the mesh as it was, less `playMm` all round, so that it fits back in: a plug for each wall that a
 * hole of `plugged` goes through, in the order of the holes. A void within a wall is filled in its plug. The mesh must
 * bound a solid.
 */
export async function plugsOf(
  mesh: Mesh,
  bores: readonly (Bore | undefined)[],
  plugged: readonly number[],
  playMm: number,
  watch: Watch,
): Promise<Plug[]> {
  const cores = await plugCores(bores, plugged, playMm, watch.part(0, 0.3));
  if (cores.length === 0) return [];
  const tools = await union(
    cores.map(({ surface }) => surface),
    watch.part(0.3, 0.4),
  );
  const pieces = await intersection(mesh, tools);
  const bodies = bodiesOf(pieces);
  const volumes = bodyVolumes(pieces, bodies);
  const coreOfBody = Array.from(bodies.firstFacets, (facet) => coreAround(cornerOf(pieces, facet), cores));
  const largest = new Map<Core, number>();
  coreOfBody.forEach((core, body) => largest.set(core, Math.max(volumes[body]!, largest.get(core) ?? 0)));
  const making = watch.part(0.6, 1);
  const plugs = coreOfBody.flatMap((core, body): Plug[] => {
    if (volumes[body]! <= CHIP * largest.get(core)!) return [];
    const surface = keepFacets(pieces, (facet) => bodies.bodyOf[facet] === body);
    const part = making.part(body / bodies.count, (body + 1) / bodies.count);
    return [{ mesh: cutMesh(surface, part), hole: core.hole }];
  });
  return plugs.sort((a, b) => a.hole - b.hole);
}

function cornerOf({ vertices, triangles }: Surface, facet: number): Vec3 {
  const at = 3 * triangles[3 * facet];
  return [vertices[at], vertices[at + 1], vertices[at + 2]];
}

/** Cores lie apart, so a corner lies in one alone: the one out of whose bore it stands the least. */
function coreAround(corner: Vec3, cores: readonly Core[]): Core {
  const standsOut = ({ bore: { frame, radiusMm, fromMm, toMm } }: Core): number => {
    const [u, v, s] = toFrame(frame, corner);
    return Math.max(Math.sqrt(u * u + v * v) - radiusMm, fromMm - s, s - toMm);
  };
  return cores.reduce((best, core) => (standsOut(core) < standsOut(best) ? core : best));
}
