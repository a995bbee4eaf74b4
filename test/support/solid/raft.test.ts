import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../../src/core/progress.ts";
import { union } from "../../../src/mesh/boolean.ts";
import { meshReport } from "../../../src/mesh/mesh-report.ts";
import type { Mesh } from "../../../src/mesh/mesh.ts";
import { groundMm, liftMm } from "../../../src/hold/support-lift.ts";
import type { PillarFoot, RaftRequest } from "../../../src/support/solid/raft-form.ts";
import { holdsMoments, neededRaftArea } from "../../../src/support/solid/raft-hold.ts";
import { buildRaft } from "../../../src/support/solid/raft.ts";
import type { SupportSettings } from "../../../src/support/support-settings.ts";
import { longTest, slowCases } from "../../fixture/long.ts";
import { randomFrom } from "../../fixture/random.ts";
import { sectionsOf } from "../../fixture/sections.ts";
import { meshOf } from "../../fixture/slices.ts";
import { SETTINGS } from "../settings.ts";

const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1] as const;

const foot = (x: number, y: number): PillarFoot => ({ x, y, radius: 0.5 });

async function raftOf(
  feet: readonly PillarFoot[],
  settings: SupportSettings,
  rest: Partial<RaftRequest> = {},
  label = "",
) {
  const { bodies } = await buildRaft(
    { feet, settings, footprint: new Float64Array(0), neededAreaMm2: 0, ...rest },
    label,
  );
  return meshOf(await union(bodies, noProgress));
}

const areaAt = (mesh: Mesh, zMm: number): number => sectionsOf(mesh, IDENTITY, [zMm])[0].areaMm2;
const bodiesOf = (mesh: Mesh): number => meshReport(mesh, noProgress).bodies;
const near = (actual: number, expected: number, slack: number): void =>
  assert.ok(Math.abs(actual - expected) <= slack, `${actual} instead of ${expected}`);

const mini: SupportSettings = { ...SETTINGS, raftType: "MINI_RAFT" };
const onPlatform: SupportSettings = { ...SETTINGS, raftType: "MINI_RAFTS_ON_BP" };
const bare: SupportSettings = { ...SETTINGS, raftType: "NONE" };

test("the heights of the ground and of the model follow from the raft type", () => {
  assert.deepEqual([SETTINGS, mini, onPlatform, bare].map(groundMm), [2, 2, 2, 0]);
  assert.equal(groundMm({ ...SETTINGS, zCompressionCorrectionMm: 0.3 }), 2.3);
  assert.equal(groundMm({ ...bare, zCompressionCorrectionMm: 0.3 }), 0.3);
  assert.equal(groundMm({ ...SETTINGS, raftThicknessMm: 0 }), 0);
  assert.equal(liftMm(SETTINGS), 7);
});

test("the raft of one foot is a disc whose rim slopes outward at 45°", async () => {
  const mesh = await raftOf([foot(1, 2)], mini);
  assert.deepEqual([mesh.box.min[2], mesh.box.max[2]], [0, 2]);
  for (const z of [0.1, 0.5, 0.9]) near(Math.sqrt(areaAt(mesh, z) / Math.PI), 1.5 + z, 0.05);
  near(Math.sqrt(areaAt(mesh, 1.5) / Math.PI), 2.5, 0.05);
});

test("the rim is vertical as far as early layers are merged, and slopes above", async () => {
  const mesh = await raftOf([foot(0, 0)], { ...mini, earlyLayerMergeMm: 0.6 });
  near(areaAt(mesh, 0.55), areaAt(mesh, 0.05), 1e-3);
  near(Math.sqrt(areaAt(mesh, 1.1) / Math.PI), 2, 0.05);
});

test("z compression is added at the bottom", async () => {
  const mesh = await raftOf([foot(0, 0)], { ...mini, zCompressionCorrectionMm: 0.5 });
  assert.equal(mesh.box.max[2], 2.5);
  near(areaAt(mesh, 0.45), areaAt(mesh, 0.05), 1e-3);
});

test("distant feet share one full raft and have separate mini rafts; clusters share one", async () => {
  const feet = [foot(0, 0), foot(4, 0), foot(40, 0), foot(40, 30)];
  assert.equal(bodiesOf(await raftOf(feet, SETTINGS)), 1);
  assert.equal(bodiesOf(await raftOf(feet, mini)), 3);
  assert.equal(bodiesOf(await raftOf([foot(0, 0), foot(8, 0)], onPlatform)), 2);
  // The gap between their discs is 4 mm.
  assert.equal(
    bodiesOf(await raftOf([foot(0, 0), foot(8, 0)], { ...onPlatform, raftThicknessMm: 1, earlyLayerMergeMm: 2.5 })),
    1,
  );
});

test("without a raft there are bases only if early layers join flares", async () => {
  const feet = [foot(0, 0), foot(2, 0), foot(20, 0)];
  const none = await buildRaft({ feet, settings: bare, footprint: new Float64Array(0), neededAreaMm2: 0 }, "");
  assert.equal(none.bodies.length, 0);
  const joined = await raftOf(feet, { ...bare, earlyLayerMergeMm: 0.5 });
  assert.equal(bodiesOf(joined), 1);
  assert.equal(joined.box.max[2], 0.5);
  assert.ok(joined.box.max[0] < 5);
});

test("no raft has holes, which would trap resin", async () => {
  const ring = Array.from({ length: 24 }, (_, i) =>
    foot(15 * Math.cos((Math.PI * i) / 12), 15 * Math.sin((Math.PI * i) / 12)),
  );
  for (const settings of [SETTINGS, mini, { ...onPlatform, earlyLayerMergeMm: 0.5 }]) {
    assert.ok(areaAt(await raftOf(ring, settings), 0.05) > 0.95 * Math.PI * 15 ** 2);
  }
});

longTest("rafts stay inside the volume and below every foot", async () => {
  const random = randomFrom(5);
  const volume = { dimensionsMm: [40, 30, 50], filletRadiusMm: 5 } as const;
  const feet = Array.from({ length: 40 }, () => foot(38 * (random() - 0.5), 28 * (random() - 0.5))).filter(
    ({ x, y }) => Math.abs(x) < 14 || Math.abs(y) < 9,
  );
  for (const settings of [SETTINGS, mini, onPlatform]) {
    const { vertices } = await raftOf(feet, settings, { volume });
    for (let at = 0; at < vertices.length; at += 3) {
      const [dx, dy] = [Math.abs(vertices[at]) - 15, Math.abs(vertices[at + 1]) - 10];
      assert.ok(Math.max(dx, dy) < 5 + 1e-3);
      assert.ok(Math.hypot(Math.max(0, dx), Math.max(0, dy)) < 5 + 0.02);
    }
  }
});

test("a full raft that a model rests on covers its footprint", async () => {
  const footprint = Float64Array.of(-10, -5, 10, -5, 10, 5, -10, 5);
  const resting = { ...SETTINGS, heightAboveRaftMm: 0 };
  assert.ok(areaAt(await raftOf([foot(0, 0)], resting, { footprint }), 0.05) >= 200);
  assert.ok(areaAt(await raftOf([foot(0, 0)], SETTINGS, { footprint }), 0.05) < 20);
});

longTest("a label is on the plate if there is room, and otherwise on a tab", async () => {
  const wide = [foot(-20, -8), foot(20, -8), foot(-20, 8), foot(20, 8), foot(-10, 8), foot(10, 8)];
  const rest = { footprint: Float64Array.of(-22, -10, 22, -10, 22, 10, -22, 10) };
  const named = { ...SETTINGS, raftLabelEnabled: true };
  const bodiesWith = async (feet: readonly PillarFoot[], settings: SupportSettings, label: string): Promise<number> =>
    (await buildRaft({ feet, settings, neededAreaMm2: 0, ...rest }, label)).bodies.length;
  const dense = Array.from({ length: 23 * 11 }, (_, i) => foot(2 * (i % 23) - 22, 2 * Math.floor(i / 23) - 10));
  // There is no room between the pillars, so the label is on a tab in front of them.
  assert.equal(await bodiesWith(dense, named, "A1"), 2);
  const tabbed = await raftOf(dense, named, rest, "A1");
  assert.ok(tabbed.box.min[1] < (await raftOf(dense, SETTINGS, rest)).box.min[1] - 3);
  assert.equal(bodiesOf(tabbed), 1);
  const full = Array.from({ length: 45 }, (_, i) => foot(6 * (i % 9) - 24, 7 * Math.floor(i / 9) - 14));
  assert.equal(await bodiesWith(full, named, "A1"), 2);
  assert.equal(await bodiesWith(full, SETTINGS, "A1"), 1);
  assert.equal(await bodiesWith(full, named, " "), 1);
  assert.equal(await bodiesWith(full, { ...named, raftType: "MINI_RAFT" }, "A1"), 1);
  assert.equal(await bodiesWith(wide, named, "a name that is much longer than any raft of these is wide or deep"), 1);
  const mesh = await raftOf(full, named, rest, "A1");
  near(mesh.box.max[2], 2.4, 1e-6);
  assert.ok(areaAt(mesh, 2.2) > 1);
});

test("rafts of every type are as wide as needed, and no wider", async () => {
  const random = randomFrom(11);
  const feet = Array.from({ length: 12 }, (_, i) => foot(12 * (i % 4) + random(), 12 * Math.floor(i / 4) + random()));
  for (const settings of [SETTINGS, mini, onPlatform, { ...bare, earlyLayerMergeMm: 0.3 }]) {
    const request = { feet, settings, footprint: new Float64Array(0) };
    const plain = await buildRaft({ ...request, neededAreaMm2: 0 }, "");
    assert.deepEqual([plain.widenMm, plain.isLoose], [0, false]);
    for (const neededAreaMm2 of slowCases([150, 60])) {
      const { bodies, widenMm, isLoose } = await buildRaft({ ...request, neededAreaMm2 }, "");
      if (widenMm === 0) assert.deepEqual(bodies, plain.bodies);
      assert.equal(isLoose, false);
      // Without a raft, flares are bodies of the tree.
      if (settings.raftType === "NONE") assert.equal(widenMm, neededAreaMm2 === 60 ? 0.5 : 1.5);
      else assert.ok(areaAt(meshOf(await union(bodies, noProgress)), 0.05) >= neededAreaMm2);
    }
  }
  const wide = await raftOf(feet, mini, { neededAreaMm2: 400 });
  near(areaAt(wide, 0.05), 450, 50);
  assert.equal(bodiesOf(await raftOf(feet, SETTINGS, { neededAreaMm2: 900 })), 1);
});

test("the growth of a raft that the volume cuts off, and of flares below a low model, is limited", async () => {
  const volume = { dimensionsMm: [20, 20, 50], filletRadiusMm: 2 } as const;
  const request = { feet: [foot(0, 0)], footprint: new Float64Array(0), neededAreaMm2: 600 };
  assert.equal((await buildRaft({ ...request, settings: SETTINGS, volume }, "")).isLoose, true);
  assert.equal((await buildRaft({ ...request, settings: SETTINGS }, "")).isLoose, false);
  const low = await buildRaft({ ...request, settings: { ...bare, heightAboveRaftMm: 2 } }, "");
  assert.ok(low.isLoose && low.widenMm <= 2 - 0.3 - 0.4);
});

test("the needed area is twice the largest pull over a fifth of 2.59 N/mm²", () => {
  const loads = [0, 20, 40, 8].map((n, i) => ({ heightMm: i, n, x: 0, y: 0 }));
  near(neededRaftArea(loads), (2 * 40) / (2.59 / 5), 1e-9);
});

test("a raft holds a model that leans out beyond it only if it is wide enough", () => {
  const square = (half: number) => [Float64Array.of(-half, -half, half, -half, half, half, -half, half)];
  const at = (x: number, n: number) => [{ heightMm: 10, n, x, y: 0 }];
  // Half of 0.518 N/mm² over 400 mm²: 103.6 N in the middle, √(1 + 30² / (0.72 · 400 / 12)) = 6.2 times less at 30 mm off the middle.
  assert.ok(holdsMoments(square(10), at(0, 103)) && !holdsMoments(square(10), at(0, 104)));
  assert.ok(holdsMoments(square(10), at(30, 16.5)) && !holdsMoments(square(10), at(30, 17)));
  assert.ok(holdsMoments(square(20), at(30, 100)));
});
