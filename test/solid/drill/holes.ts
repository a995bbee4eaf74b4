import assert from "node:assert/strict";
import { noProgress } from "../../../src/core/progress.ts";
import { type Vec3, dot, subtract, unit } from "../../../src/geometry/vector.ts";
import { buildBvh } from "../../../src/mesh/bvh/bvh.ts";
import { windingNumber } from "../../../src/mesh/bvh/winding-number.ts";
import { describeDefects, meshReport } from "../../../src/mesh/mesh-report.ts";
import { type Mesh, triangleCount, vertexCount } from "../../../src/mesh/mesh.ts";
import { type Bore, type Hole, fromHoleFrame } from "../../../src/solid/drill/bore.ts";

/** A hole with a diameter of 4 mm, down from the origin through the wall. */
export const someHole = (changes: Partial<Hole> = {}): Hole => ({
  position: [0, 0, 0],
  direction: [0, 0, -1],
  diameterMm: 4,
  depthMm: "AUTO",
  outsetMm: 1,
  ...changes,
});

/** A direction inclined against straight down, toward `azimuth`; both in degrees. */
export function inclined(degrees: number, azimuth = 30): Vec3 {
  const [angle, about] = [(degrees * Math.PI) / 180, (azimuth * Math.PI) / 180];
  return unit([Math.sin(angle) * Math.cos(about), Math.sin(angle) * Math.sin(about), -Math.cos(angle)]);
}

/** Vertices − edges + facets: 2 for each sphere, 2 less for each tunnel. */
export const eulerCharacteristic = (mesh: Mesh): number => vertexCount(mesh) - triangleCount(mesh) / 2;

/** Asserts that the mesh is a closed manifold without collapsed facets. */
export function assertClosedManifold(mesh: Mesh, what = ""): void {
  const found = meshReport(mesh, noProgress);
  assert.deepEqual(describeDefects(found), [], what);
  assert.equal(found.collapsedFacets, 0, what);
}

/** Distance of a point outside a bore; negative inside. */
export function distanceOutside({ frame, radiusMm, fromMm, toMm }: Bore, point: Vec3): number {
  const away = subtract(point, frame.origin);
  const along = dot(away, frame.s);
  const across = Math.sqrt(Math.max(0, dot(away, away) - along * along));
  return Math.max(across - radiusMm, fromMm - along, along - toMm);
}

/** Random points in the box of a mesh, a third of them near one of the bores. */
function* randomPoints(mesh: Mesh, bores: readonly Bore[], count: number, random: () => number): Generator<Vec3> {
  const { min, max } = mesh.box;
  for (let i = 0; i < count; i++) {
    const bore = i % 3 === 0 ? bores[Math.floor(bores.length * random())] : undefined;
    if (!bore) {
      const at = (axis: 0 | 1 | 2): number => min[axis] + (max[axis] - min[axis]) * random();
      yield [at(0), at(1), at(2)];
      continue;
    }
    const { frame, radiusMm, fromMm, toMm } = bore;
    const along = fromMm + (toMm - fromMm) * random();
    const aside = (): number => 1.3 * radiusMm * (2 * random() - 1);
    yield fromHoleFrame(frame, [aside(), aside(), along]);
  }
}

/** Asserts at random points that the result is the solid minus the bores, except within 0.02 mm of the bores. */
export function assertDrilled(
  before: Mesh,
  after: Mesh,
  bores: readonly Bore[],
  random: () => number,
  count = 1000,
): void {
  const [treeBefore, treeAfter] = [buildBvh(before, noProgress), buildBvh(after, noProgress)];
  let drilled = 0;
  for (const point of randomPoints(before, bores, count, random)) {
    const out = Math.min(...bores.map((bore) => distanceOutside(bore, point)));
    if (Math.abs(out) < 0.02) continue;
    const expected = out > 0 && windingNumber(treeBefore, point) > 0;
    assert.equal(windingNumber(treeAfter, point) > 0, expected, `at ${point}, ${out} mm out of the bores`);
    if (out < 0) drilled++;
  }
  assert.ok(drilled > count / 20, `${drilled} points in bores`);
}
