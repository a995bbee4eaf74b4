import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { IDENTITY_POSE } from "../../src/geometry/pose.ts";
import { type Mesh, type Surface, placedSurface } from "../../src/mesh/mesh.ts";
import { packChamber } from "../../src/pack/pack-chamber.ts";
import { lockedParts } from "../fixture/disassembly.ts";
import { slowCases } from "../fixture/long.ts";
import { randomFrom } from "../fixture/random.ts";
import { lathe, torus } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/slices.ts";
import { moved } from "../fixture/surface-edits.ts";
import { tube } from "../fixture/tube.ts";

const arc = (radius: number, fromDeg: number, toDeg: number, riseMm: number): [number, number, number][] =>
  Array.from({ length: 25 }, (_, i) => {
    const angle = ((fromDeg + ((toDeg - fromDeg) * i) / 24) * Math.PI) / 180;
    return [radius * Math.cos(angle), radius * Math.sin(angle), (riseMm * i) / 24];
  });

/** Parts that can hook into each other or close in others. */
const SHAPES: readonly ((size: number) => Surface)[] = [
  (size) => torus(size, 1.5, 24, 8),
  (size) => tube(arc(size, 0, 290, 2), 1.2),
  (size) => tube([[0, 0, -2 * size], ...arc(size, 180, -60, 1)], 1.2),
  (size) => tube(arc(size, 0, 900, 2.4 * size), 1),
  (size) => torus(size, 1.5, 4, 4),
  (size) =>
    lathe(
      [
        [0, 0],
        [size, 0],
        [size, 1.6 * size],
        [size - 1.5, 1.6 * size],
        [size - 1.5, 1.5],
        [0, 1.5],
      ],
      24,
      false,
    ),
];

test("the oracle finds two linked rings and a ball in a box locked, and rings beside each other free", () => {
  const ring = torus(10, 1.5, 24, 8);
  const upright = { ...ring, vertices: ring.vertices.map((_, i, all) => all[3 * Math.floor(i / 3) + ((i + 1) % 3)]) };
  assert.deepEqual(lockedParts([ring, moved(upright, [10, 0, 0])]), [0, 1]);
  assert.deepEqual(lockedParts([ring, moved(upright, [0, 0, 14])]), []);
  const pot = SHAPES[5](12);
  assert.deepEqual(lockedParts([pot, moved(torus(4, 1.5, 24, 8), [0, 0, 8])]), []);
  assert.deepEqual(lockedParts([pot, moved(torus(4, 1.5, 24, 8), [0, 0, 8]), moved(pot, [0, 0, 22])]), []);
});

/** 30 scenes, by their seeds. */
const BATCHES = Array.from({ length: 10 }, (_, i) => [3 * i, 3 * i + 1, 3 * i + 2]);

test("hooks, rings, cups, frames and spirals can all be taken out one by one", () => {
  for (const scene of slowCases(BATCHES).flat()) {
    const random = randomFrom(scene);
    const meshes: Mesh[] = Array.from({ length: 5 }, () =>
      meshOf(SHAPES[Math.floor(random() * SHAPES.length)](5 + 5 * random())),
    );
    const parts = [...meshes, ...meshes].map((mesh) => ({ mesh, pose: IDENTITY_POSE, turns: "all" as const }));
    const region = { min: [-17, -17, 0], max: [17, 17, 120], filletRadiusMm: 0 } as const;
    const packing = packChamber({ parts, obstacles: [], region, spacingMm: 2, wallDistanceMm: 0 }, noProgress);
    const placed = parts.flatMap(({ mesh }, i) =>
      packing.poses[i] ? placedSurface({ mesh, pose: packing.poses[i] }) : [],
    );
    assert.equal(placed.length, 10);
    assert.deepEqual(lockedParts(placed), [], `scene ${scene}`);
  }
});
