import assert from "node:assert/strict";
import { test } from "node:test";
import { instancesByMesh } from "../../src/page/view/instances.ts";
import { drawnInstances, neededInstances, trialInstances } from "../../src/page/view/trial.ts";
import type { ShownModel, ShownScene } from "../../src/page/view/view.ts";

const model = (id: string, mesh: string): ShownModel => ({
  id,
  name: id,
  mesh,
  triangles: 12,
  matrix: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
  kind: "part",
  visible: true,
  inBounds: true,
  supports: undefined,
  letters: undefined,
});

test("what a change would do is drawn in place of the bodies as soon as its meshes are loaded, and these stay loaded", () => {
  const scene: ShownScene = {
    id: "scene",
    volume: { dimensionsMm: [100, 100, 100], cornerRadiusMm: 0, family: "resin" },
    models: [model("a", "m1"), model("b", "m2"), model("c", "m2"), model("d", "m3")],
  };
  const change = { models: [model("a", "m4"), model("e", "m5")], hidden: ["d"] };
  const state = { instances: instancesByMesh(scene.models), trial: trialInstances(scene, change) };
  const drawn = (...loaded: string[]): Record<string, string[]> => {
    const all = drawnInstances(state, (hash) => loaded.includes(hash));
    return Object.fromEntries([...all].map(([hash, of]) => [hash, of.map(({ modelId }) => modelId)]));
  };
  const needed = ["m1", "m2", "m3", "m4", "m5"];
  assert.deepEqual([...neededInstances(state).keys()].toSorted(), needed);
  assert.ok(
    [...neededInstances(state).values()].every((of) => of.length > 0),
    "all of them are fetched",
  );
  const present = { m1: ["a"], m2: ["b", "c"], m3: ["d"], m4: [], m5: [] };
  assert.deepEqual(drawn("m1", "m2", "m3"), present);
  assert.deepEqual(drawn("m1", "m2", "m3", "m4"), present, "one is missing");
  assert.deepEqual(drawn("m1", "m2", "m3", "m4", "m5"), { m1: [], m2: ["b", "c"], m3: [], m4: ["a"], m5: ["e"] });
});
