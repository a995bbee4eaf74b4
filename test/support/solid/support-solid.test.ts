import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../../../src/core/api-error.ts";
import { RAFT_TYPES } from "../../../src/catalog/raft-type.ts";
import { noProgress } from "../../../src/core/progress.ts";
import { bodiesOf } from "../../../src/mesh/bodies.ts";
import { describeDefects, meshReport } from "../../../src/mesh/mesh-report.ts";
import type { Mesh } from "../../../src/mesh/mesh.ts";
import { groundMm } from "../../../src/hold/support-lift.ts";
import { supportSolid } from "../../../src/support/solid/support-solid.ts";
import type { SupportSettings } from "../../../src/support/support-settings.ts";
import type { SupportTree } from "../../../src/support/tree/support-tree.ts";
import { longTest, slowRuns } from "../../fixture/long.ts";
import { randomFrom } from "../../fixture/random.ts";
import { sectionsOf } from "../../fixture/sections.ts";
import { SETTINGS } from "../settings.ts";
import { someTree } from "../some-tree.ts";

const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1] as const;
/** Area of a regular octagon in a circle of radius 1, which is the section of every strut. */
const OCTAGON = 2 * Math.SQRT2;
const NO_FOOTPRINT = new Float64Array(0);

async function solidOf(tree: SupportTree, settings: SupportSettings, label = ""): Promise<Mesh> {
  const request = { tree, settings, footprint: NO_FOOTPRINT, label, neededAreaMm2: 0 };
  return (await supportSolid(request, noProgress)).mesh;
}

/** One pillar of 20 mm and a tip of 3 mm on it. */
function onePillar(settings: SupportSettings): SupportTree {
  const z = groundMm(settings);
  return {
    nodes: Float64Array.of(3, 4, z, 0.8, 3, 4, z + 20, 0.8, 3, 4, z + 23, 0.25),
    struts: [
      { from: 1, to: 0, kind: "PILLAR" },
      { from: 2, to: 1, kind: "TIP" },
    ],
    feet: [{ node: 0, on: "GROUND" }],
    touches: Int32Array.of(2),
  };
}

const areaAt = (mesh: Mesh, zMm: number): number => sectionsOf(mesh, IDENTITY, [zMm - mesh.box.min[2]])[0].areaMm2;

const near = (actual: number, expected: number, slack = 1e-3): void =>
  assert.ok(Math.abs(actual - expected) <= slack, `${actual} instead of ${expected}`);

test("one pillar has the volume of its cylinder, its cone and its cap", async () => {
  const settings = { ...SETTINGS, raftType: "NONE", earlyLayerMergeMm: 0 } as const;
  const mesh = await solidOf(onePillar(settings), settings);
  const cone = (from: number, to: number, height: number): number =>
    (OCTAGON * height * (from ** 2 + from * to + to ** 2)) / 3;
  const cap = cone(0.25, 0.25 * Math.SQRT1_2, 0.25 * Math.SQRT1_2);
  const flare = cone(1.1, 0.8, 0.3) - OCTAGON * 0.8 ** 2 * 0.3;
  near(mesh.volumeMm3, OCTAGON * 0.8 ** 2 * 20 + cone(0.8, 0.25, 3) + cap + flare, 0.01);
  assert.deepEqual(describeDefects(meshReport(mesh, noProgress)), []);
});

test("a pillar begins at the height of its raft, and is as wide as its balls", async () => {
  for (const raftType of RAFT_TYPES) {
    for (const zCompressionCorrectionMm of [0, 0.4]) {
      const settings = { ...SETTINGS, raftType, zCompressionCorrectionMm };
      const mesh = await solidOf(onePillar(settings), settings);
      assert.equal(mesh.box.min[2], 0);
      near(mesh.box.max[2], groundMm(settings) + 23 + 0.25 * Math.SQRT1_2);
      near(areaAt(mesh, groundMm(settings) + 10), OCTAGON * 0.8 ** 2);
    }
  }
});

test("a breakaway pillar has a neck just above the raft, and only there", async () => {
  const settings = { ...SETTINGS, breakawayStructureEnabled: true };
  const mesh = await solidOf(onePillar(settings), settings);
  near(areaAt(mesh, 2.5), OCTAGON * (0.6 * 0.8) ** 2);
  near(areaAt(mesh, 4), OCTAGON * 0.8 ** 2);
  const bare = { ...settings, raftType: "NONE" } as const;
  near(areaAt(await solidOf(onePillar(bare), bare), 0.5), OCTAGON * 0.8 ** 2);
});

longTest("trees of any shape become closed bodies with two facets at each edge", async () => {
  for (const raftType of RAFT_TYPES) {
    for (let seed = 1; seed <= slowRuns(6); seed++) {
      const settings: SupportSettings = {
        ...SETTINGS,
        raftType,
        raftLabelEnabled: true,
        breakawayStructureEnabled: seed % 2 === 0,
        zCompressionCorrectionMm: seed % 3 === 0 ? 0.2 : 0,
        earlyLayerMergeMm: 0.3 * (seed % 4),
      };
      const tree = someTree({ pillars: 20, widthMm: 40, groundMm: groundMm(settings), random: randomFrom(seed) });
      const mesh = await solidOf(tree, settings, "B08");
      assert.deepEqual(describeDefects(meshReport(mesh, noProgress)), [], `${raftType}, ${seed}`);
      assert.ok(mesh.box.min[2] >= 0);
      if (raftType === "FULL_RAFT") assert.equal(outerBodies(mesh), 1);
    }
  }
});

/** The number of bodies that are not the wall of a cavity. */
function outerBodies(mesh: Mesh): number {
  const { count, bodyOf } = bodiesOf(mesh);
  const volumes = new Float64Array(count);
  const at = (corner: number, k: number): number => mesh.vertices[3 * mesh.triangles[corner] + k];
  bodyOf.forEach((body, t) => {
    const [a, b, c] = [3 * t, 3 * t + 1, 3 * t + 2];
    volumes[body] +=
      at(a, 0) * (at(b, 1) * at(c, 2) - at(b, 2) * at(c, 1)) +
      at(a, 1) * (at(b, 2) * at(c, 0) - at(b, 0) * at(c, 2)) +
      at(a, 2) * (at(b, 0) * at(c, 1) - at(b, 1) * at(c, 0));
  });
  return volumes.filter((volume) => volume > 0).length;
}

longTest("a solid contains every ball of its tree, and two solids of the same tree are equal", async () => {
  const tree = someTree({ pillars: 15, widthMm: 30, groundMm: 2, random: randomFrom(9) });
  const mesh = await solidOf(tree, SETTINGS);
  for (let node = 0; node < tree.nodes.length / 4; node++) {
    const [x, y, z] = tree.nodes.subarray(4 * node, 4 * node + 3);
    assert.ok(isInside(mesh, [x + 1e-4, y + 2e-4, z + 3e-4]), `node ${node}`);
  }
  assert.equal((await solidOf(tree, SETTINGS)).hash, mesh.hash);
});

/** Whether a ray from the point to the left meets the surface an odd number of times. */
function isInside({ vertices, triangles }: Mesh, [x, y, z]: readonly [number, number, number]): boolean {
  let hits = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => vertices.subarray(3 * triangles[t + k], 3 * triangles[t + k] + 3));
    const side = (p: Float32Array, q: Float32Array): number => (p[1] - y) * (q[2] - z) - (p[2] - z) * (q[1] - y);
    const [u, v, w] = [side(b, c), side(c, a), side(a, b)];
    if (u > 0 !== v > 0 || v > 0 !== w > 0) continue;
    if ((u * a[0] + v * b[0] + w * c[0]) / (u + v + w) < x) hits++;
  }
  return hits % 2 === 1;
}

test("a tree without struts is refused", async () => {
  const empty = { nodes: new Float64Array(0), struts: [], feet: [], touches: Int32Array.of(-1) };
  await assert.rejects(
    solidOf(empty, SETTINGS),
    (thrown) => thrown instanceof ApiError && /No touchpoint/.test(thrown.message),
  );
});
