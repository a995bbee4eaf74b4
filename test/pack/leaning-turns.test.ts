import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { IDENTITY_POSE, rotationMatrix } from "../../src/geometry/pose.ts";
import type { Vec3 } from "../../src/geometry/vector.ts";
import { inBounds } from "../../src/layout/bounds.ts";
import { outlineOf } from "../../src/mesh/outline.ts";
import { packChamber } from "../../src/pack/pack-chamber.ts";
import { box } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/slices.ts";

const VOLUME = { dimensionsMm: [55, 55, 100], filletRadiusMm: 3 } as const;

/** Height of the packing of copies of a freely turning box in a chamber of 55 × 55 × 100 mm; undefined if not all fit. */
function heightOf(size: Vec3, count = 1): number | undefined {
  const mesh = meshOf(box(size));
  const parts = Array.from({ length: count }, () => ({ mesh, pose: IDENTITY_POSE, turns: "all" as const }));
  const region = { min: [-27.5, -27.5, 0], max: [27.5, 27.5, 100], filletRadiusMm: 3 } as const;
  const { poses, heightMm } = packChamber(
    { parts, obstacles: [], region, spacingMm: 2, wallDistanceMm: 0 },
    noProgress,
  );
  if (poses.includes(undefined)) return undefined;
  for (const pose of poses) assert.ok(inBounds(outlineOf(mesh, rotationMatrix(pose!.orientation)), pose!, VOLUME));
  return heightMm;
}

test("strips longer than each side of the chamber are tilted into its diagonals, rods are put on the diagonal of the floor", () => {
  const strip = heightOf([103, 13, 1]);
  assert.ok(strip !== undefined && strip < 90, `${strip} mm`);
  const rods = heightOf([60, 2, 2], 3);
  assert.ok(rods !== undefined && rods < 2.1, `${rods} mm`);
  // Parts that fit along the axes stay along them.
  assert.ok(Math.abs(heightOf([50, 7, 2])! - 2) < 1e-3);
  assert.equal(heightOf([150, 13, 1]), undefined);
});

test("plates that fit only across the corner of the chamber are packed side by side, not slanted on top of each other", () => {
  for (const count of [1, 3]) {
    const plates = heightOf([66, 33, 1], count);
    assert.ok(plates !== undefined && plates < 33.1, `${count}: ${plates} mm`);
  }
});
