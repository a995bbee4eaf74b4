import assert from "node:assert/strict";
import { test } from "node:test";
import { meshTree, interfere, placeSolid } from "../../src/check/interferences.ts";
import { noProgress } from "../../src/core/progress.ts";
import { IDENTITY_POSE } from "../../src/geometry/pose.ts";
import type { Mesh } from "../../src/mesh/mesh.ts";
import { type Packing, type PackRequest, packChamber } from "../../src/pack/pack-chamber.ts";
import { box, torus } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/slices.ts";

const request = (meshes: readonly Mesh[], changes: Partial<PackRequest> = {}): PackRequest => ({
  parts: meshes.map((mesh) => ({ mesh, pose: IDENTITY_POSE, turns: "all" })),
  obstacles: [],
  region: { min: [-30, -30, 0], max: [30, 30, 60], filletRadiusMm: 5 },
  spacingMm: 2,
  wallDistanceMm: 0,
  ...changes,
});

function assertApart({ parts, obstacles, spacingMm }: PackRequest, { poses }: Packing): void {
  const placed = [...obstacles, ...parts.flatMap(({ mesh }, i) => (poses[i] ? { mesh, pose: poses[i] } : []))];
  const trees = placed.map(({ mesh }) => meshTree(mesh, noProgress));
  for (const [i, a] of placed.entries()) {
    for (const [j, b] of placed.slice(0, i).entries()) {
      const [one, other] = [placeSolid(a, trees[i], a.pose), placeSolid(b, trees[j], a.pose)];
      assert.ok(!interfere(one, other, spacingMm, noProgress), `${i} and ${j} are nearer than ${spacingMm} mm`);
    }
  }
}

test("all parts that fit are placed, apart by the spacing", () => {
  const meshes = [meshOf(torus(10, 2)), meshOf(box([12, 8, 20])), meshOf(box([30, 3, 8])), meshOf(torus(6, 3))];
  for (const spacingMm of [0, 2, 4.5]) {
    const packed = request([...meshes, ...meshes], { spacingMm });
    const packing = packChamber(packed, noProgress);
    assert.equal(packing.placed, 8);
    assertApart(packed, packing);
  }
});
