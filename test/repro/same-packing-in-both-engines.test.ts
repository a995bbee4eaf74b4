import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { IDENTITY_POSE } from "../../src/geometry/pose.ts";
import type { MovablePart } from "../../src/pack/pack-chamber.ts";
import { packedHere } from "../fixture/packed-here.ts";
import { box, tetrahedron } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/slices.ts";
import { surfaceOfStl } from "../fixture/surface-edits.ts";
import { longTest } from "../fixture/long.ts";

// Engines differ in the last bits of sines: parts that kept an oblique orientation had slightly different places under Bun and under
// Deno.

const corpus = (name: string): Uint8Array => readFileSync(new URL(`../fixture/corpus/${name}`, import.meta.url));

longTest("obliquely turned parts with every lock have exactly the same places under Bun and Deno", async () => {
  const meshes = [box([12, 7, 4]), tetrahedron(11), surfaceOfStl(corpus("thingi-65004.stl"))].map((surface) =>
    meshOf(surface),
  );
  const turns: readonly MovablePart["turns"][] = ["all", "z-and-flip", "z", "none"];
  const parts = turns.flatMap((allowed, i) =>
    meshes.map((mesh, k): MovablePart => {
      const scale = 14 / Math.max(...mesh.box.max.map((value, axis) => value - mesh.box.min[axis]));
      const orientation = { x: 17.3 * i + k, y: -41.7, z: 123.4 + 5 * k };
      return { mesh, pose: { ...IDENTITY_POSE, orientation, scale }, turns: allowed };
    }),
  );
  const region = { min: [-30, -30, 0], max: [30, 30, 90], filletRadiusMm: 8 } as const;
  const { poses, placed } = await packedHere({ parts, obstacles: [], region, spacingMm: 2, wallDistanceMm: 0 });
  assert.equal(placed, parts.length);
  assert.equal(createHash("sha256").update(JSON.stringify(poses)).digest("hex").slice(0, 16), "bb84ef91a7155736");
});
