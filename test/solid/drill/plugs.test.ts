import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../../src/core/progress.ts";
import { intersection } from "../../../src/mesh/boolean.ts";
import { buildBvh } from "../../../src/mesh/bvh/bvh.ts";
import { distanceToSurface } from "../../../src/mesh/bvh/closest-point.ts";
import { type Mesh, triangleCount } from "../../../src/mesh/mesh.ts";
import type { Hole } from "../../../src/solid/drill/bore.ts";
import { drill } from "../../../src/solid/drill/drill.ts";
import { type Plug, makePlugs } from "../../../src/solid/drill/plugs.ts";
import { corpusMesh } from "../../fixture/orienting.ts";
import { box, cylinder, uvSphere } from "../../fixture/shapes.ts";
import { meshOf } from "../../fixture/slices.ts";
import { insideOut, moved } from "../../fixture/surface-edits.ts";
import { assertClosedManifold, inclined, someHole } from "./holes.ts";

const PLAY_MM = 0.1;

/** A drilled mesh, and the plugs of all holes. */
async function plugged(mesh: Mesh, ...changes: Partial<Hole>[]): Promise<{ left: Mesh; plugs: Plug[] }> {
  const { mesh: left, bores } = await drill(mesh, changes.map(someHole), noProgress);
  const plugs = await makePlugs(mesh, bores, [...changes.keys()], PLAY_MM, noProgress);
  for (const plug of plugs) assertClosedManifold(plug.mesh);
  return { left, plugs };
}

/** Least distance from four points of each edge of a plug to another mesh. */
function gapTo({ vertices, triangles }: Mesh, other: Mesh): number {
  const tree = buildBvh(other, noProgress);
  let least = Infinity;
  for (let i = 0; i < triangles.length; i++) {
    const a = 3 * triangles[i];
    const b = 3 * triangles[i % 3 === 2 ? i - 2 : i + 1];
    for (const share of [0, 0.25, 0.5, 0.75]) {
      const at = (axis: number): number => vertices[a + axis] + share * (vertices[b + axis] - vertices[a + axis]);
      least = Math.min(least, distanceToSurface(tree, [at(0), at(1), at(2)], 10));
    }
  }
  return least;
}

/** Asserts that there is the required play around the plug, within rounding. */
async function assertFits({ mesh }: Plug, left: Mesh): Promise<void> {
  const gap = gapTo(mesh, left);
  assert.ok(gap > PLAY_MM - 1e-4 && gap < PLAY_MM + 1e-3, `${gap} mm`);
  assert.equal(triangleCount(await intersection(mesh, left, noProgress)), 0, "they interfere");
}

const assertVolume = (plug: Plug, expected: number, share = 0.01): void =>
  assert.ok(Math.abs(plug.mesh.volumeMm3 - expected) <= share * expected, `${plug.mesh.volumeMm3} for ${expected}`);

test("a plug fits its hole in a slab, straight and inclined, with 0.1 mm of play", async () => {
  const slab = meshOf(moved(box([40, 40, 4]), [0, 0, -2]));
  for (const lean of [0, 25, 50]) {
    const { left, plugs } = await plugged(slab, { direction: inclined(lean), diameterMm: 5 });
    assert.deepEqual(
      plugs.map(({ hole }) => hole),
      [0],
    );
    await assertFits(plugs[0], left);
    assertVolume(plugs[0], (Math.PI * 2.4 ** 2 * 4) / Math.cos((lean * Math.PI) / 180));
  }
});

test("a plug of a blind hole leaves play at the end of the hole", async () => {
  const block = meshOf(moved(box([40, 40, 20]), [0, 0, -10]));
  const { left, plugs } = await plugged(block, { depthMm: 6 });
  await assertFits(plugs[0], left);
  assertVolume(plugs[0], Math.PI * 1.9 ** 2 * 5.9);
});

test("a plug has the shape of the surfaces that it closes", async () => {
  const ball = meshOf(uvSphere(20, 96, 48), insideOut(uvSphere(17, 96, 48)));
  const position: Hole["position"] = [0, 0, 20];
  const { left, plugs } = await plugged(ball, { position, diameterMm: 12 });
  assert.equal(plugs.length, 1);
  await assertFits(plugs[0], left);
  const { vertices, box } = plugs[0].mesh;
  assert.equal(box.max[2], 20);
  for (let at = 0; at < vertices.length; at += 3) {
    const away = Math.hypot(vertices[at], vertices[at + 1], vertices[at + 2]);
    assert.ok(away < 20 + 1e-5 && away > 16.9, `a corner at radius ${away}`);
  }
  // The volume between spheres within a cylinder of radius a: 2π/3 (R³ − (R² − a²)^1.5).
  const capped = (radius: number): number => ((2 * Math.PI) / 3) * (radius ** 3 - (radius ** 2 - 5.9 ** 2) ** 1.5);
  assertVolume(plugs[0], capped(20) - capped(17));
});

test("a hole through two walls has a plug for each", async () => {
  const tube = meshOf(cylinder(20, 30), insideOut(cylinder(17, 26)));
  const { left, plugs } = await plugged(tube, { position: [20, 0, 2], direction: [-1, 0, 0], depthMm: 60 });
  assert.deepEqual(
    plugs.map(({ hole }) => hole),
    [0, 0],
  );
  assert.ok(plugs[0].mesh.box.max[0] < 0 && plugs[1].mesh.box.min[0] > 0);
  for (const plug of plugs) await assertFits(plug, left);
});

test("a void in the wall is filled in its plug, and chips are not plugs", async () => {
  const bubble = insideOut(moved(uvSphere(0.8), [0, 0, -2]));
  const slab = meshOf(moved(box([40, 40, 4]), [0, 0, -2]), bubble);
  const { plugs } = await plugged(slab, { depthMm: 8, diameterMm: 5 });
  assert.equal(plugs.length, 1);
  assertVolume(plugs[0], Math.PI * 2.4 ** 2 * 4);
  // A splinter of a bar next to the slab reaches into the hole.
  const bar = moved(box([10, 40, 0.1]), [7, 0, -10]);
  const beside = await plugged(meshOf(moved(box([40, 40, 4]), [0, 0, -2]), bar), { depthMm: 12, diameterMm: 5 });
  assert.equal(beside.plugs.length, 1);
});

test("plugs of crossing holes stay apart, and an open hole goes through them", async () => {
  const block = meshOf(box([20, 20, 20]));
  const down = { position: [0, 0, 10], diameterMm: 6 } as const;
  const aside = { position: [10, 0, 0], direction: [-1, 0, 0], diameterMm: 4 } as const;
  const { left, plugs } = await plugged(block, down, aside);
  assert.deepEqual(plugs.map(({ hole }) => hole).sort(), [0, 1, 1]);
  for (const [i, plug] of plugs.entries()) {
    await assertFits(plug, left);
    for (const other of plugs.slice(0, i)) {
      assert.ok(gapTo(plug.mesh, other.mesh) > PLAY_MM - 1e-3);
      assert.equal(triangleCount(await intersection(plug.mesh, other.mesh, noProgress)), 0);
    }
  }
  const { bores } = await drill(block, [down, aside].map(someHole), noProgress);
  const [alone, ...none] = await makePlugs(block, bores, [0], PLAY_MM, noProgress);
  assert.deepEqual(none, []);
  // The plug lacks the part of the open hole, whose axis has a length of 2 · 2.9 in the plug.
  assert.ok(alone!.mesh.volumeMm3 < Math.PI * 2.9 ** 2 * 20 - Math.PI * 2 ** 2 * 2 * 1.9);
});

test("there is no plug for a hole as small as the play, a missed one, or one for which none is requested", async () => {
  const block = meshOf(moved(box([40, 40, 20]), [0, 0, -10]));
  const holes = [
    { diameterMm: 0.2 },
    { depthMm: 0.05, outsetMm: 0, position: [5, 0, 0] },
    { position: [90, 0, 0] },
    { position: [9, 0, 0] },
  ] as const;
  const { bores } = await drill(block, holes.map(someHole), noProgress);
  assert.deepEqual(
    bores.map((bore) => bore !== undefined),
    [true, true, false, true],
  );
  assert.deepEqual(await makePlugs(block, bores, [0, 1, 2], PLAY_MM, noProgress), []);
  assert.deepEqual(await makePlugs(block, bores, [], PLAY_MM, noProgress), []);
});

test("plugs of corpus models fit", async () => {
  const mesh = await corpusMesh("thingi-472042.stl");
  const { vertices } = mesh;
  const top = vertices.findIndex((z, i) => i % 3 === 2 && z === mesh.box.max[2]);
  const position: Hole["position"] = [vertices[top - 2], vertices[top - 1], vertices[top]];
  const { left, plugs } = await plugged(mesh, { position, diameterMm: 6 });
  assert.ok(plugs.length > 0);
  for (const plug of plugs) await assertFits(plug, left);
});
