import { add, exactLength, subtract, times, type Vec3 } from "../../core/geometry.ts";
import type { Watch } from "../../core/watch.ts";
import type { FacetTree } from "../../mesh/bvh/facet-tree.ts";
import { firstHit } from "../../mesh/bvh/first-hit.ts";
import type { Sheet } from "./sheet.ts";

/** Looked for from so far under the surface on, in depths. */
const SKIN = 0.1;

/**
 * Whether something else than material lies up to `depthMm` under a sheet: the far side of a wall, or a cavity. Looked for
 * under places `apartMm` from each other.
 */
export function isPierced(
  tree: FacetTree,
  { corners, triangles }: Sheet,
  depthMm: number,
  apartMm: number,
  watch: Watch,
): boolean {
  const skinMm = SKIN * depthMm;
  for (let at = 0; at < triangles.length; at += 3) {
    watch.report(at / triangles.length);
    const [a, b, c] = triangles.slice(at, at + 3).map((corner) => corners[corner]);
    const longest = Math.max(
      ...[
        [a, b],
        [b, c],
        [c, a],
      ].map(([p, q]) => exactLength(subtract(p.place, q.place))),
    );
    const pieces = Math.ceil(longest / apartMm);
    for (let i = 0; i <= pieces; i++) {
      for (let k = 0; i + k <= pieces; k++) {
        const mix = (p: Vec3, q: Vec3, r: Vec3): Vec3 =>
          times(add(add(times(p, pieces - i - k), times(q, i)), times(r, k)), 1 / pieces);
        const inward = times(mix(a.normal, b.normal, c.normal), -1);
        const start = add(mix(a.place, b.place, c.place), times(inward, skinMm));
        if (firstHit(tree, start, inward, depthMm - skinMm)) return true;
      }
    }
  }
  return false;
}
