import assert from "node:assert/strict";
import { test } from "node:test";
import { must } from "../../../src/core/must.ts";
import { ENDPOINTS } from "../../../src/feature/endpoints.ts";
import { checkWholeScene, tryFixes } from "../../../src/feature/findings/endpoint.ts";
import { IDENTITY_POSE } from "../../../src/geometry/pose.ts";
import type { Model, Scene } from "../../../src/scene/project.ts";
import { longTest } from "../../fixture/long.ts";
import { BLOCK, HOVERING, MUG, MUSHROOM, OPEN, UPSIDE_DOWN, modelAt } from "../../fixture/parts-to-check.ts";
import { recordingServer } from "../../fixture/recording-server.ts";
import { box } from "../../fixture/shapes.ts";
import { meshOf } from "../../fixture/slices.ts";
import { someScene } from "../../fixture/some-scene.ts";
import { moved } from "../../fixture/surface-edits.ts";

interface Case {
  readonly models: readonly Model[];
  /** Other models of the scene. */
  readonly others?: readonly Model[];
  readonly kind: string;
  readonly severity: string;
  readonly text: RegExp;
  /** Titles of the fixes. */
  readonly fixes: readonly string[];
  readonly body?: object;
  /** Whether its fixes take seconds. */
  readonly isSlow?: boolean;
}

const CASES: Readonly<Record<string, Case>> = {
  "two that overlap": {
    models: [modelAt(0, 0, { mesh: BLOCK }), modelAt(5, 3, { mesh: MUG })],
    kind: "INTERFERENCES",
    severity: "ERROR",
    text: /^2 parts overlap$/,
    fixes: ["Move apart"],
  },
  "one beyond the right side": {
    models: [modelAt(100, 0, { mesh: BLOCK })],
    kind: "IN_BOUNDS",
    severity: "ERROR",
    text: /^Reaches 4 mm past the right side$/,
    fixes: ["Move inside"],
  },
  "one larger than the printer": {
    models: [modelAt(0, 0, { mesh: BLOCK, pose: { ...IDENTITY_POSE, scale: 20 } })],
    kind: "IN_BOUNDS",
    severity: "ERROR",
    text: /^Reaches .* mm past the (front|back)$/,
    fixes: ["Scale to 78 %"],
  },
  "two beside the platform": {
    models: [modelAt(120, 0, { mesh: BLOCK }), modelAt(120, 20, { mesh: MUG })],
    others: [modelAt(0, 0, { mesh: BLOCK })],
    kind: "IN_BOUNDS",
    severity: "ERROR",
    text: /^2 parts do not fit: they stand outside of the printer$/,
    fixes: ["Move 2 to a new scene", "Move inside", "Remove 2"],
  },
  "one that is not closed": {
    models: [modelAt(0, 0, { mesh: OPEN })],
    kind: "MANIFOLDNESS",
    severity: "ERROR",
    text: /^Not closed: 3 open edges$/,
    fixes: ["Repair"],
  },
  "a mug on its mouth": {
    models: [modelAt(0, 0, { mesh: MUG, pose: { ...IDENTITY_POSE, orientation: UPSIDE_DOWN } })],
    kind: "CUPS",
    severity: "WARNING",
    text: /^1 cup traps resin, 0\.45 ml$/,
    fixes: ["Vent"],
    isSlow: true,
  },
  "one that begins in mid-air": {
    models: [modelAt(0, 0, { mesh: HOVERING })],
    kind: "MINIMA",
    severity: "ERROR",
    text: /^1 place begins in mid-air, and nothing supports the part$/,
    fixes: ["Hold it"],
    isSlow: true,
  },
  "an overhang": {
    models: [modelAt(0, 0, { mesh: MUSHROOM })],
    kind: "SUPPORTEDNESS",
    severity: "WARNING",
    text: /^\d+(\.\d)? % of the overhangs have no support$/,
    fixes: ["Hold it"],
    isSlow: true,
  },
  "one that lost its supports": {
    models: [modelAt(0, 0, { mesh: MUSHROOM, lostSupports: "TURNED" })],
    kind: "SUPPORTS",
    severity: "ERROR",
    text: /^Lost its supports: it was turned$/,
    fixes: ["Support again"],
    isSlow: true,
  },
  "a thin wall": {
    models: [modelAt(0, 0, { mesh: meshOf(box([5, 5, 3]), moved(box([5, 0.4, 3]), [0, 8, 0])) })],
    kind: "THIN_FEATURES",
    severity: "WARNING",
    text: /^1 wall is thinner than 1 mm, 6 mm³$/,
    fixes: [],
    body: { checks: ["THIN_FEATURES"], threshold_mm: 1 },
  },
};

for (const [name, one] of Object.entries(CASES)) {
  const { models, others = [], kind, severity, text, fixes, body = { checks: [kind] }, isSlow } = one;
  const scene = someScene([...others, ...models]);
  const foundIn = async (send: ReturnType<typeof recordingServer>["send"], now: Scene): Promise<any[]> =>
    (await send(checkWholeScene, now, body)).answer.findings;

  test(`${name}: the finding has words, a severity and fixes`, async () => {
    const [found, ...more] = await foundIn(recordingServer().send, scene);
    assert.deepEqual(more, []);
    assert.deepEqual([found.kind, found.severity], [kind, severity]);
    assert.match(found.text, text);
    assert.deepEqual(new Set(found.model_ids), new Set(models.map(({ id }) => id)));
    const titles = found.fixes.map(({ title }: { title: string }) => title);
    assert.deepEqual(titles, fixes);
  });

  const declare = isSlow ? longTest : (test as typeof longTest);
  declare(`${name}: the requests of its fixes remove the finding`, async () => {
    const { send } = recordingServer();
    const [found] = await foundIn(send, scene);
    for (const { requests } of found.fixes) {
      let now = scene;
      for (const { path, body: fixing } of requests) {
        const endpoint = must(
          ENDPOINTS.find((endpoint) => endpoint.path === path),
          path,
        );
        now = (await send(endpoint, now, fixing)).scene;
      }
      assert.deepEqual(await foundIn(send, now), []);
    }
  });
}

/** A mug on its mouth, turned over where that is asked for; and a plate on which no more blocks fit at 2 mm from each other. */
const TRIED: Readonly<Record<string, { readonly models: readonly Model[]; readonly titles: readonly string[] }>> = {
  "a mug on its mouth": {
    models: [modelAt(0, 0, { mesh: MUG, pose: { ...IDENTITY_POSE, orientation: UPSIDE_DOWN } })],
    titles: ["Turn it"],
  },
  "a mug that may not turn": {
    models: [modelAt(0, 0, { mesh: MUG, lock: "FULLY_LOCKED", pose: { ...IDENTITY_POSE, orientation: UPSIDE_DOWN } })],
    titles: [],
  },
  "plates that fit only at 1 mm": { models: platesOf(65.5), titles: ["Try 1 mm spacing"] },
  "plates that do not fit": { models: platesOf(67.5), titles: [] },
};

/** Three plates as deep as the platform, the third beside it: with gaps of 2 mm they fit up to a width of 65 mm. */
function platesOf(widthMm: number): readonly Model[] {
  const mesh = meshOf(box([widthMm, 120, 2]));
  return [modelAt(-67, 0, { mesh }), modelAt(0, 0, { mesh }), modelAt(200, 0, { mesh })];
}

for (const [name, { models, titles }] of Object.entries(TRIED)) {
  longTest(`${name}: fixes that a trial finds to help remove the finding, others are not offered`, async () => {
    const { send } = recordingServer();
    const scene = someScene(models);
    const body = { checks: ["CUPS", "IN_BOUNDS"] };
    const [found] = (await send(checkWholeScene, scene, body)).answer.findings;
    const tried = await send(tryFixes, scene, { finding_id: found.id });
    assert.equal(tried.scene, scene);
    assert.deepEqual(
      tried.answer.fixes.map(({ title }: { title: string }) => title),
      titles,
    );
    for (const { requests } of tried.answer.fixes) {
      let now = scene;
      for (const { path, body: fixing } of requests) {
        const endpoint = must(
          ENDPOINTS.find((endpoint) => endpoint.path === path),
          path,
        );
        now = (await send(endpoint, now, fixing)).scene;
      }
      assert.deepEqual((await send(checkWholeScene, now, body)).answer.findings, []);
    }
    await assert.rejects(send(tryFixes, scene, { finding_id: "0" }), { code: "NOT_FOUND" });
  });
}

test("faults of supports are findings, whose fixes make the supports anew with their settings", async () => {
  const { ask, send } = recordingServer();
  const bare = someScene([modelAt(0, 0, { mesh: HOVERING })]);
  const autoSupport = must(
    ENDPOINTS.find(({ path }) => path === "/v1/scene/model/auto-support/"),
    "auto-support",
  );
  const settings = { raft_type: "MINI_RAFT", density: 1.2, internal_supports_enabled: false };
  const { scene } = await send(autoSupport, bare, settings);
  const [model] = scene.models;
  const supports = must(model.supports, "The supports");
  const faults = {
    unreached: [
      [1, 2, 3],
      [1, 2, 4],
    ],
    slender: [[0, 0, 0]],
    unheld: [[0, 0, 7]],
    isLoose: true,
  } as const;
  const faulty = { ...scene, models: [{ ...model, supports: { ...supports, faults } }] };
  const body = { checks: ["SUPPORTS"] };
  assert.deepEqual(await ask(checkWholeScene, scene, body), { status: "OK", findings: [] });
  const { status, findings } = await ask(checkWholeScene, faulty, body);
  assert.equal(status, "WARNING");
  const changes = findings.map(({ text, fixes: [{ title, requests }] }: any) => {
    const { internal_supports_enabled, density, raft_type, touchpoint_size_mm } = requests[0].body;
    assert.equal(touchpoint_size_mm, supports.settings.touchpointSizeMm);
    return [text, title, internal_supports_enabled, density, raft_type];
  });
  assert.deepEqual(changes, [
    ["No support reaches 2 points", "Let supports stand on the part", true, 1.2, "MINI_RAFT"],
    ["1 support is slender and may buckle", "Denser", false, 1.2 * 1.3, "MINI_RAFT"],
    ["Too little holds the part at 1 height", "Denser", false, 1.2 * 1.3, "MINI_RAFT"],
    ["The raft is too small to hold the part on the platform", "Full raft", false, 1.2, "FULL_RAFT"],
  ]);
});

longTest("a low point that supports leave out is held by one point more; the others stay", async () => {
  const { send } = recordingServer();
  const endpointOf = (path: string) =>
    must(
      ENDPOINTS.find((endpoint) => endpoint.path === path),
      path,
    );
  const bare = modelAt(0, 0, { mesh: HOVERING });
  const below = { position: { x: bare.pose.position[0] - 4, y: 0, z: 0 }, normal: { x: 0, y: 0, z: -1 } };
  const points = { model_id: bare.id, points: [below], snap_mm: 5 };
  const { scene } = await send(endpointOf("/v1/scene/model/supports/set/"), someScene([bare]), points);
  const body = { checks: ["MINIMA"] };
  const { findings } = (await send(checkWholeScene, scene, body)).answer;
  const { kind, severity, count, fixes } = findings[0];
  assert.deepEqual([kind, severity, count], ["MINIMA", "WARNING", 1]);
  const [{ path, body: fixing }] = fixes[0].requests;
  const { scene: held } = await send(endpointOf(path), scene, fixing);
  assert.equal(held.models[0].supports?.touchpoints.length, 2);
  assert.deepEqual((await send(checkWholeScene, held, body)).answer.findings, []);
});

longTest("bare overhangs of a supported part are held by more points; the others stay", async () => {
  const { send } = recordingServer();
  const endpointOf = (path: string) =>
    must(
      ENDPOINTS.find((endpoint) => endpoint.path === path),
      path,
    );
  const bare = modelAt(0, 0, { mesh: MUSHROOM });
  const [x, y, z] = bare.pose.position;
  // Below the cap, whose underside is 3.5 mm above the middle of the part.
  const below = { position: { x: x - 8, y, z: z + 3.5 }, normal: { x: 0, y: 0, z: -1 } };
  const points = { model_id: bare.id, points: [below] };
  const { scene } = await send(endpointOf("/v1/scene/model/supports/set/"), someScene([bare]), points);
  const body = { checks: ["SUPPORTEDNESS"] };
  const [found] = (await send(checkWholeScene, scene, body)).answer.findings;
  assert.deepEqual([found.kind, found.severity, found.size_unit], ["SUPPORTEDNESS", "WARNING", "PERCENT"]);
  const [{ title, requests }] = found.fixes;
  assert.equal(title, "Hold it");
  let held = scene;
  for (const { path, body: fixing } of requests) held = (await send(endpointOf(path), held, fixing)).scene;
  const touches = (one: Scene) => must(one.models[0].supports, "The supports").touchpoints;
  assert.ok(touches(held).length > touches(scene).length);
  for (const { position } of touches(scene)) {
    assert.ok(touches(held).some((other) => other.position.every((value, axis) => value === position[axis])));
  }
  const [left] = (await send(checkWholeScene, held, body)).answer.findings;
  assert.ok(left === undefined || left.size < found.size, `${left?.size} % of ${found.size} % are left`);
});
