import assert from "node:assert/strict";
import { test } from "node:test";
import type { Model, Project, Scene } from "../../src/scene/project.ts";
import { KeptStates } from "../../src/ui/kept-states.ts";
import { isSameState } from "../../src/ui/same-state.ts";

// States to undo and redo, without a server. Poses are told apart by identity, as in a project.

const ID = "scene";
const pose = (): Model["pose"] => ({}) as Model["pose"];
const modelOf = (id: string, name: string, at = pose()): Model => ({ id, name, pose: at }) as Model;
const sceneOf = (models: readonly Model[], part: Partial<Scene> = {}): Scene =>
  ({ id: ID, models, cages: [], ...part }) as unknown as Scene;
const projectOf = (scene: Scene): Project => ({ scenes: [scene] }) as unknown as Project;

/** States after these ones were made one after the other, and the last `undone` of them taken back. */
function keptOf(states: readonly Scene[], undone: number): KeptStates {
  const kept = new KeptStates();
  for (const [i, state] of states.slice(1).entries()) kept.record(projectOf(states[i]!), projectOf(state));
  const present = states.length - 1 - undone;
  kept.set(ID, { undo: states.slice(0, present), redo: states.slice(present + 1).toReversed() });
  return kept;
}

const namesOf = ({ models }: Scene): string[] => models.map(({ name }) => name);
const [here, there] = [pose(), pose()];

test("a new name keeps what can be redone, which gets the name as well", () => {
  const placed = sceneOf([modelOf("a", "axle", here), modelOf("b", "gear")]);
  const moved = { ...placed, models: [{ ...placed.models[0]!, pose: there }, placed.models[1]!] };
  const kept = keptOf([placed, moved], 1);
  const renamed = { ...placed, models: [{ ...placed.models[0]!, name: "shaft" }, placed.models[1]!] };
  kept.record(projectOf(placed), projectOf(renamed));
  const { undo, redo } = kept.of(ID);
  assert.deepEqual(undo, [placed]);
  assert.deepEqual(redo.map(namesOf), [["shaft", "gear"]]);
  assert.equal(redo[0]!.models[0]!.pose, there);
  assert.equal(redo[0]!.models[1]!.pose, placed.models[1]!.pose);
});

test("a new name of the scene keeps what can be redone, also of a scene that had none", () => {
  const empty = sceneOf([]);
  const full = sceneOf([modelOf("a", "axle")]);
  const kept = keptOf([empty, full], 1);
  kept.record(projectOf(empty), projectOf({ ...empty, name: "Gear case" }));
  assert.deepEqual(
    kept.of(ID).redo.map(({ name, models }) => [name, models.length]),
    [["Gear case", 1]],
  );
});

test("an undone name that another one replaces is no step to redo any more", () => {
  const [a, b] = [modelOf("a", "axle"), modelOf("b", "gear")];
  const start = sceneOf([a, b]);
  const first = sceneOf([{ ...a, name: "shaft" }, b]);
  const second = sceneOf([
    { ...a, name: "shaft" },
    { ...b, name: "wheel" },
  ]);
  const kept = keptOf([start, first, second], 2);
  kept.record(projectOf(start), projectOf(sceneOf([{ ...a, name: "rod" }, b])));
  assert.deepEqual(kept.of(ID).redo.map(namesOf), [["rod", "wheel"]]);
});

test("any other change drops what can be redone", () => {
  const placed = sceneOf([modelOf("a", "axle", here)]);
  const [model] = placed.models as [Model];
  const others: readonly Scene[] = [
    sceneOf([{ ...model, pose: pose() }]),
    sceneOf([{ ...model, name: "shaft", visible: true }]),
    sceneOf([model, modelOf("b", "axle")]),
    sceneOf([]),
    { ...placed, name: "Gear case", setting: {} as Scene["setting"] },
  ];
  for (const next of others) {
    const kept = keptOf([placed, sceneOf([{ ...model, pose: there }])], 1);
    kept.record(projectOf(placed), projectOf(next));
    assert.deepEqual(kept.of(ID), { undo: [placed], redo: [] });
  }
});

test("states are the same if all their values are", () => {
  const model = modelOf("a", "axle", here);
  const state = sceneOf([model], { name: "Gear case" });
  assert.ok(isSameState(state, { ...state, models: [{ ...model }] }));
  const { name: _name, ...nameless } = state;
  for (const [one, other] of [
    [nameless, state],
    [state, nameless],
    [state, sceneOf([{ ...model, name: "shaft" }], { name: "Gear case" })],
  ] as const) {
    assert.ok(!isSameState(one, other));
    assert.ok(isSameState(one, other, true));
  }
  assert.ok(!isSameState(state, sceneOf([{ ...model, pose: there }], { name: "Gear case" }), true));
});
