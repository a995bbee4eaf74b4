import assert from "node:assert/strict";
import { test } from "node:test";
import { manifoldnessOf } from "../../src/check/manifoldness.ts";
import { unwatched } from "../../src/core/watch.ts";
import { dentalArch } from "../bench/dental-arch.ts";
import { meshFrom, meshOf } from "../fixture/stage.ts";
import { DRAINS, made } from "../solid/dental/made.ts";

test("smoothed sides below a narrow cleft between teeth do not pass through each other", async () => {
  for (const [facets, extrudeMm] of [
    [5000, 2],
    [20_000, 5],
    [20_000, 12],
  ]) {
    const mesh = meshOf(dentalArch(facets, 2));
    const { mesh: based } = await made(mesh, { cut: { belowGumlineMm: 0 }, extrudeMm, isSmoothed: true });
    assert.ok(!manifoldnessOf(based, unwatched).selfIntersecting, `${facets} facets, ${extrudeMm} mm`);
  }
});

test("where corners lie close in a line, rounding turns no facet of the bottom over", async () => {
  const part = await meshFrom("assets/demo/functional-part.stl");
  const cut = { heightMm: (part.box.min[2] + part.box.max[2]) / 2 };
  const { mesh } = await made(part, { cut, extrudeMm: 2.94, isSmoothed: true, keepsPieces: true });
  const { isManifold, selfIntersecting } = manifoldnessOf(mesh, unwatched);
  assert.deepEqual([isManifold, selfIntersecting], [true, false]);
});

test("where walls of a hollow run along the grid of its roof, rounding lets none pass through another", async () => {
  const mesh = meshOf(dentalArch(20_000, 2));
  const hollow = { shellMm: 2.75, wallMm: 1, drains: DRAINS };
  const { mesh: hollowed, solid } = await made(mesh, { cut: { heightMm: 3 }, extrudeMm: 5, isSmoothed: true, hollow });
  const { isManifold, selfIntersecting, degenerateFaceCount } = manifoldnessOf(hollowed, unwatched);
  assert.deepEqual([isManifold, selfIntersecting, degenerateFaceCount], [true, false, 0]);
  assert.ok(hollowed.volumeMm3 < 0.9 * solid!.volumeMm3);
});
