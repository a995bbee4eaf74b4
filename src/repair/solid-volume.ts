import { getOrInsert } from "../core/memoize.ts";
import type { Progress } from "../core/progress.ts";
import { EMPTY_RECTANGLE, type Rectangle, unionRectangles } from "../geometry/box.ts";
import { nearbyBoxPairs } from "../geometry/box-pairs.ts";
import { newDisjointSets } from "../geometry/disjoint-sets.ts";
import { bodyBoxes, splitByLabel } from "../mesh/bodies.ts";
import { solidsOf } from "../mesh/body-nesting.ts";
import { canonicalMesh } from "../mesh/canonical-mesh.ts";
import { closedManifoldFact } from "../mesh/mesh-facts.ts";
import { type Mesh, solidVolumeMm3 } from "../mesh/mesh.ts";
import { fineGrid, searchGrid } from "../mesh/column-grid.ts";
import { overlapVolume } from "../mesh/overlap-volume.ts";
import { isFlat } from "./is-flat.ts";
import { cachedRepairTopology } from "./repair-topology.ts";

/** Shares of the progress at which steps end: of {@link withSolidVolume}, {@link withOverlapsOnce} and {@link splitIntoBodies}. Estimates. */
const SHARES = { checked: 0.3, repaired: 0.9, overlaps: { searched: 0.2, boxed: 0.4 }, split: { searched: 0.4 } };

/**
 * The mesh with `solidVolumeMm3` set to the volume of its repaired topology, if its own facets do not bound a solid; 0 for a flat
 * mesh. Returns the same object for a closed, outward mesh and if the repair changes nothing.
 */
export function withSolidVolume(mesh: Mesh, progress: Progress): Mesh {
  const { isOpen, hasInward } = closedManifoldFact(mesh, progress.part(0, SHARES.checked));
  if (!isOpen && !hasInward) return mesh;
  if (isFlat(mesh)) return { ...mesh, solidVolumeMm3: 0 };
  const repaired = cachedRepairTopology(mesh, progress.part(SHARES.checked, SHARES.repaired));
  if (repaired === mesh) return mesh;
  return { ...mesh, solidVolumeMm3: solidVolumeMm3(withOverlapsOnce(repaired, progress.part(SHARES.repaired, 1))) };
}

/** Share of the volume of a mesh. Smaller overlaps come from rounding where bodies touch. */
const MIN_OVERLAP = 1e-6;

/**
 * The mesh with `solidVolumeMm3`: its volume without the parts that it encloses more than once, because bodies overlap, are duplicated
 * or intersect themselves. Slices contain such parts once. Returns the same object for a mesh that encloses nothing twice and for a
 * mesh that has a `solidVolumeMm3`.
 */
export function withOverlapsOnce(mesh: Mesh, progress: Progress): Mesh {
  if (mesh.solidVolumeMm3 !== undefined) return mesh;
  const { min, max } = mesh.box;
  const footprint = { minX: min[0], minY: min[1], maxX: max[0], maxY: max[1] };
  const surfaces = [() => mesh];
  const { searched, boxed } = SHARES.overlaps;
  const seen = overlapVolume(surfaces, searchGrid(footprint, mesh.areaMm2), progress.part(0, searched)).region;
  const region = unionRectangles(seen, overlapRegion(mesh, progress.part(searched, boxed)));
  const { withinMm3 } = overlapVolume(surfaces, fineGrid(region, surfaces), progress.part(boxed, 1));
  const volumeMm3 = Math.abs(mesh.volumeMm3);
  return withinMm3 <= MIN_OVERLAP * volumeMm3 ? mesh : { ...mesh, solidVolumeMm3: volumeMm3 - withinMm3 };
}

/** The part of the xy plane where boxes of bodies overlap in space. A body is connected by vertices. */
function overlapRegion({ vertices, triangles }: Mesh, progress: Progress): Rectangle {
  const sets = newDisjointSets(vertices.length / 3);
  for (let at = 0; at < triangles.length; at += 3) {
    if (at % (3 * FACETS_PER_REPORT) === 0) progress.report(at / triangles.length);
    sets.join(triangles[at], triangles[at + 1]);
    sets.join(triangles[at], triangles[at + 2]);
  }
  const bodies = new Map<number, number>();
  const bodyOf = Uint32Array.from({ length: triangles.length / 3 }, (_, facet) => {
    const root = sets.find(triangles[3 * facet]);
    return getOrInsert(bodies, root, () => bodies.size);
  });
  if (bodies.size < 2) return EMPTY_RECTANGLE;
  const boxes = bodyBoxes({ vertices, triangles }, { count: bodies.size, bodyOf });
  let region = EMPTY_RECTANGLE;
  for (const [a, b] of nearbyBoxPairs(boxes, 0, progress.silent())) {
    const common = (side: number, pick: (...both: number[]) => number): number =>
      pick(boxes[6 * a + side], boxes[6 * b + side]);
    region = unionRectangles(region, {
      minX: common(0, Math.max),
      minY: common(1, Math.max),
      maxX: common(3, Math.min),
      maxY: common(4, Math.min),
    });
  }
  return region;
}

const FACETS_PER_REPORT = 65_536;

interface Split {
  /** Number of solids in the mesh. */
  readonly count: number;
  /** One mesh per solid, with its facets unchanged to the bit; empty if there is only one solid, or more than the limit. */
  readonly meshes: readonly Mesh[];
}

/** Splits a mesh into its solids: bodies with their cavities. Only counts them if there are more than `maxCount`. */
export function splitIntoBodies(mesh: Mesh, maxCount: number, progress: Progress): Split {
  const { count, solidOf } = solidsOf(mesh, progress.part(0, SHARES.split.searched));
  if (count <= 1 || count > maxCount) return { count, meshes: [] };
  const splitting = progress.part(SHARES.split.searched, 1);
  const meshes = splitByLabel(mesh, solidOf, count).map((surface, solid) => {
    const part = splitting.part(solid / count, (solid + 1) / count);
    const piece = canonicalMesh(surface, 1, part);
    return mesh.solidVolumeMm3 === undefined ? piece : withSolidVolume(piece, part);
  });
  return { count, meshes };
}
