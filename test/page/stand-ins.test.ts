import assert from "node:assert/strict";
import { test } from "node:test";
import { instancesByMesh } from "../../src/page/view/instances.ts";
import { withStandIns } from "../../src/page/view/stand-ins.ts";
import type { ShownModel } from "../../src/page/view/view.ts";

const body = (mesh: string, z: number) =>
  ({ mesh, triangles: 12, matrix: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, z, 1] }) as const;

/** A part at a height, with supports if these have a mesh. */
const model = (id: string, z: number, supports?: string): ShownModel => ({
  ...body(id, z),
  id,
  name: id,
  kind: "part",
  visible: true,
  inBounds: true,
  supports: supports === undefined ? undefined : body(supports, 0),
  letters: undefined,
});

const before = instancesByMesh([model("a", 0, "old"), model("b", 0)]);
const after = instancesByMesh([model("a", 5, "new"), model("b", 7)]);

/** What is drawn of each model: its meshes with their heights. */
function drawn(...loaded: string[]): Record<string, string[]> {
  const { instances } = withStandIns(after, before, (hash) => loaded.includes(hash));
  const all = [...instances].flatMap(([hash, ofMesh]) =>
    ofMesh.map(({ modelId, matrix }) => ({ modelId, text: `${hash} ${matrix[14]}` })),
  );
  return Object.fromEntries(
    [...Map.groupBy(all, ({ modelId }) => modelId)].map(([id, of]) => [id, of.map(({ text }) => text).toSorted()]),
  );
}

test("a part stays as it was until the meshes of all its bodies are loaded, while others change at once", () => {
  assert.deepEqual(drawn("a", "b", "old"), { a: ["a 0", "old 0"], b: ["b 7"] });
  assert.deepEqual(drawn("a", "b", "old", "new"), { a: ["a 5", "new 0"], b: ["b 7"] });
  assert.deepEqual([...withStandIns(after, before, (hash) => hash !== "new").waiting], ["a"]);
});

test("loaded meshes of a part that waits stay in the graphics, and a new part has nothing to stand in", () => {
  const { instances } = withStandIns(after, before, (hash) => hash !== "new");
  assert.deepEqual([...instances.keys()].toSorted(), ["a", "b", "new", "old"]);
  const added = instancesByMesh([model("a", 0, "old"), model("b", 0), model("c", 0)]);
  const { instances: withNew, waiting } = withStandIns(added, before, (hash) => hash !== "c");
  assert.equal(withNew, added);
  assert.equal(waiting.size, 0);
});
