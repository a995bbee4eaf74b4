import assert from "node:assert/strict";
import { test } from "node:test";
import { type CheckKind, type Finding, KeptFindings } from "../../src/scene/findings.ts";
import { withPose } from "../../src/scene/pose.ts";
import type { Model, Scene } from "../../src/scene/project.ts";
import { sceneModel, someScene } from "../fixture/some-scene.ts";

const finding = (kind: CheckKind, ...models: readonly Model[]): Finding => ({
  id: `${kind} ${models.map(({ id }) => id).join()}`.slice(0, 16),
  kind,
  severity: "WARNING",
  modelIds: models.map(({ id }) => id),
  count: 1,
  size: 1,
  sizeUnit: "COUNT",
  each: { count: 1, size: 1 },
  text: kind,
  fixes: [],
});

const [a, b, c] = [sceneModel(), sceneModel(), sceneModel()];
const moved = (model: Model): Model => withPose(model, { ...model.pose, position: [50, 60, model.pose.position[2]] });
const scaled = (model: Model): Model => withPose(model, { ...model.pose, scale: 3 });

/** "old" or "known" for each finding that is kept for the scene, and the models whose findings of each kind are not known. */
function known(kept: KeptFindings, scene: Scene) {
  const { findings = [], checks = [] } = kept.of(scene) ?? {};
  const states = findings.map(({ kind, modelIds, isOld }) => [kind, modelIds, isOld ? "old" : "known"]);
  return { states, old: Object.fromEntries(checks.map(({ kind, oldModelIds }) => [kind, oldModelIds])) };
}

test("an edit makes the findings at its model old, a move only those of places, and an undo brings them back", () => {
  const kept = new KeptFindings();
  const scene = someScene([a, b, c]);
  assert.equal(kept.of(scene), undefined);
  kept.keep(scene, {
    checks: ["INTERFERENCES", "CUPS"],
    findings: [finding("INTERFERENCES", a, b), finding("CUPS", a, b), finding("CUPS", c)],
  });
  const all = [
    ["INTERFERENCES", [a.id, b.id], "known"],
    ["CUPS", [a.id, b.id], "known"],
    ["CUPS", [c.id], "known"],
  ];
  assert.deepEqual(known(kept, scene), { states: all, old: { INTERFERENCES: [], CUPS: [] } });
  assert.deepEqual(known(kept, { ...scene, models: [moved(a), b, c] }), {
    states: [["INTERFERENCES", [a.id, b.id], "old"], ...all.slice(1)],
    old: { INTERFERENCES: [a.id], CUPS: [] },
  });
  const edited = { ...scene, models: [a, b, scaled(c)] };
  assert.deepEqual(known(kept, edited), {
    states: [...all.slice(0, 2), ["CUPS", [c.id], "old"]],
    old: { INTERFERENCES: [c.id], CUPS: [c.id] },
  });
  const left = [finding("INTERFERENCES", a, b), finding("CUPS", a, b)];
  kept.keep(edited, { checks: ["INTERFERENCES", "CUPS"], findings: left });
  assert.deepEqual(known(kept, edited), { states: all.slice(0, 2), old: { INTERFERENCES: [], CUPS: [] } });
  assert.deepEqual(known(kept, scene).states, all, "undone");
});

test("findings of a kind stay when other kinds are checked, and those of deleted models go", () => {
  const kept = new KeptFindings();
  const scene = someScene([a, b]);
  kept.keep(scene, { checks: ["THIN_FEATURES"], findings: [finding("THIN_FEATURES", a), finding("THIN_FEATURES", b)] });
  kept.keep(scene, { checks: ["CUPS"], findings: [] });
  assert.equal(known(kept, scene).states.length, 2);
  assert.deepEqual(known(kept, { ...scene, models: [b, c] }), {
    states: [["THIN_FEATURES", [b.id], "known"]],
    old: { CUPS: [c.id], THIN_FEATURES: [c.id] },
  });
});

test("another print setting makes all findings old", () => {
  const kept = new KeptFindings();
  const scene = someScene([a]);
  kept.keep(scene, { checks: ["CUPS"], findings: [finding("CUPS", a)] });
  const other = { ...scene, setting: { ...scene.setting } };
  assert.deepEqual(known(kept, other), { states: [["CUPS", [a.id], "old"]], old: { CUPS: [a.id] } });
});
