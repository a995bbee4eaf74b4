import assert from "node:assert/strict";
import { test } from "node:test";
import { manifoldnessOf } from "../../src/check/manifoldness.ts";
import { noProgress } from "../../src/core/progress.ts";
import { dentalArch } from "../bench/models.ts";
import { longTest, slowCases } from "../fixture/long.ts";
import { meshFrom, meshOf } from "../fixture/stage.ts";
import { DRAINS, makeDental } from "../solid/dental/dental-cases.ts";

test("smoothed sides below a narrow cleft between teeth do not pass through each other", async () => {
  for (const [facets, extrudeMm] of slowCases([
    [20_000, 5],
    [5000, 2],
    [20_000, 12],
  ])) {
    const mesh = meshOf(dentalArch(facets, 2));
    const { mesh: based } = await makeDental(mesh, { cut: { belowGumlineMm: 0 }, extrudeMm, isSmoothed: true });
    assert.ok(!manifoldnessOf(based, noProgress).selfIntersecting, `${facets} facets, ${extrudeMm} mm`);
  }
});

longTest("rounding inverts no facet of the bottom if corners are close and collinear", async () => {
  const part = await meshFrom("assets/demo/functional-part.stl");
  const cut = { heightMm: (part.box.min[2] + part.box.max[2]) / 2 };
  const { mesh } = await makeDental(part, { cut, extrudeMm: 2.94, isSmoothed: true, keepsAllPieces: true });
  const { isManifold, selfIntersecting } = manifoldnessOf(mesh, noProgress);
  assert.deepEqual([isManifold, selfIntersecting], [true, false]);
});

longTest(
  "rounding makes no walls of a cavity intersect, even if they are parallel to the grid of the cavity's roof",
  async () => {
    const mesh = meshOf(dentalArch(20_000, 2));
    const hollow = { shellMm: 2.75, wallMm: 1, drains: DRAINS };
    const { mesh: hollowed, solid } = await makeDental(mesh, {
      cut: { heightMm: 3 },
      extrudeMm: 5,
      isSmoothed: true,
      hollow,
    });
    const { isManifold, selfIntersecting, degenerateFaceCount } = manifoldnessOf(hollowed, noProgress);
    assert.deepEqual([isManifold, selfIntersecting, degenerateFaceCount], [true, false, 0]);
    assert.ok(hollowed.volumeMm3 < 0.9 * solid!.volumeMm3);
  },
);
