import { type Vec3, add, mapVec3 } from "../../geometry/vector.ts";
import { wireMm } from "../../scene/wire-numbers.ts";
import type { Draft } from "../../support/draft/draft-supports.ts";
import type { StrutKind } from "../../support/tree/support-tree.ts";

type WireStrut = [number, number, number, number, number, number, number, number, StrutKind];

/** The trees of a draft that a client does not know yet, and those that it knows and that are gone. `offset`: from the draft to the scene. */
export function treesOnWire(draft: Draft, knownTrees: readonly number[], offset: Vec3) {
  const { ids, starts, treeOfPoint } = draft;
  const known = new Set(knownTrees);
  const points: number[][] = Array.from(ids, () => []);
  treeOfPoint.forEach((tree, point) => points[tree]?.push(point));
  const trees = points.flatMap((indices, tree) => {
    const id = ids[tree]!;
    if (known.has(id)) return [];
    const own: WireStrut[] = [];
    for (let strut = starts[tree]!; strut < starts[tree + 1]!; strut++) own.push(strutAt(draft, strut, offset));
    return [{ id, points: indices, struts: own }];
  });
  const present = new Set(ids);
  return {
    removed_trees: [...known].filter((id) => !present.has(id)),
    trees,
    unreached_indices: [...treeOfPoint.keys()].filter((point) => treeOfPoint[point]! < 0),
  };
}

/** A strut whose ends are moved by an offset. */
function strutAt({ struts, kinds }: Draft, strut: number, offset: Vec3): WireStrut {
  const [x, y, z, r, u, v, w, s] = struts.subarray(8 * strut, 8 * strut + 8);
  const upper = add([x!, y!, z!], offset);
  const lower = add([u!, v!, w!], offset);
  return [...mapVec3(upper, wireMm), wireMm(r!), ...mapVec3(lower, wireMm), wireMm(s!), kinds[strut]!];
}
