import assert from "node:assert/strict";
import { dot, type Vec3, subtract, unit } from "../../../src/core/geometry.ts";
import { unwatched } from "../../../src/core/watch.ts";
import { facetTree } from "../../../src/mesh/bvh/facet-tree.ts";
import { windingNumber } from "../../../src/mesh/bvh/winding-number.ts";
import { type Mesh, triangleCount, vertexCount } from "../../../src/mesh/mesh.ts";
import { faultsOf, survey } from "../../../src/mesh/survey.ts";
import type { Bore } from "../../../src/solid/drill/bore.ts";
import type { Hole } from "../../../src/solid/drill/hole.ts";

/** A hole of 4 mm down from the origin, through the wall. */
export const someHole = (changes: Partial<Hole> = {}): Hole => ({
  position: [0, 0, 0],
  direction: [0, 0, -1],
  diameterMm: 4,
  depthMm: "AUTO",
  outsetMm: 1,
  ...changes,
});

/** Down, leaned by so many degrees toward `azimuth`. */
export function leaned(degrees: number, azimuth = 30): Vec3 {
  const [angle, about] = [degrees, azimuth].map((each) => (each * Math.PI) / 180) as [number, number];
  return unit([Math.sin(angle) * Math.cos(about), Math.sin(angle) * Math.sin(about), -Math.cos(angle)]);
}

/** Vertices less edges plus facets: 2 for each sphere, 2 less for each tunnel. */
export const eulerOf = (mesh: Mesh): number => vertexCount(mesh) - triangleCount(mesh) / 2;

/** Asserts that the mesh is a closed manifold without slivers that have no area. */
export function assertSound(mesh: Mesh, what = ""): void {
  const found = survey(mesh, unwatched);
  assert.deepEqual(faultsOf(found), [], what);
  assert.equal(found.collapsedFacets, 0, what);
}

/** How far a point stands out of a bore; negative within it. */
export function standsOut({ frame, radiusMm, fromMm, toMm }: Bore, point: Vec3): number {
  const away = subtract(point, frame.origin);
  const along = dot(away, frame.s);
  const across = Math.sqrt(Math.max(0, dot(away, away) - along * along));
  return Math.max(across - radiusMm, fromMm - along, along - toMm);
}

/** Points in the box around a mesh, a third of them near one of the bores. */
function* pointsAbout(mesh: Mesh, bores: readonly Bore[], count: number, random: () => number): Generator<Vec3> {
  const { min, max } = mesh.box;
  for (let i = 0; i < count; i++) {
    const bore = i % 3 === 0 ? bores[Math.floor(bores.length * random())] : undefined;
    if (!bore) {
      yield [0, 1, 2].map((axis) => min[axis]! + (max[axis]! - min[axis]!) * random()) as unknown as Vec3;
      continue;
    }
    const { frame, radiusMm, fromMm, toMm } = bore;
    const along = fromMm + (toMm - fromMm) * random();
    const [u, v] = [0, 0].map(() => 1.3 * radiusMm * (2 * random() - 1)) as [number, number];
    yield [0, 1, 2].map(
      (axis) => frame.origin[axis]! + along * frame.s[axis]! + u * frame.u[axis]! + v * frame.v[axis]!,
    ) as unknown as Vec3;
  }
}

/** Asserts by points that what is left is what was there less the bores; the cutters' facets and rounding are let off. */
export function assertDrilled(
  before: Mesh,
  after: Mesh,
  bores: readonly Bore[],
  random: () => number,
  count = 1000,
): void {
  const [treeBefore, treeAfter] = [facetTree(before, unwatched), facetTree(after, unwatched)];
  let drilled = 0;
  for (const point of pointsAbout(before, bores, count, random)) {
    const out = Math.min(...bores.map((bore) => standsOut(bore, point)));
    if (Math.abs(out) < 0.02) continue;
    const expected = out > 0 && windingNumber(treeBefore, point) > 0;
    assert.equal(windingNumber(treeAfter, point) > 0, expected, `at ${point}, ${out} mm out of the bores`);
    if (out < 0) drilled++;
  }
  assert.ok(drilled > count / 20, `${drilled} points in bores`);
}
