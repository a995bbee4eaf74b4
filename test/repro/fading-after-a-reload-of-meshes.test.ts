import assert from "node:assert/strict";
import { test } from "node:test";
import type { InstancedMesh } from "three";
import { DrawnBodies } from "../../src/page/view/drawn-bodies.ts";
import { translation } from "../../src/page/view/instances.ts";
import { paletteOf } from "../../src/page/view/palette.ts";
import { box } from "../fixture/shapes.ts";

// While supports were edited, some bodies did not fade: their simplified mesh had been fetched again, and the buffers of the instances were disposed of with
// the one that it replaced, although the mesh in full detail used them. A simplified mesh of another size that came while its predecessor was drawn left
// no buffers at all: after Prepare of ten parts the picture was never finished.

const surface = () => {
  const { vertices, triangles } = box([1, 1, 1]);
  return { positions: Float32Array.from(vertices), triangles: Uint32Array.from(triangles) };
};

/** Bodies with one instance, and a function that shows it within a number of triangles and returns what is drawn. */
function shownBodies() {
  const bodies = new DrawnBodies();
  const instance = {
    modelId: "a",
    role: "part",
    inBounds: true,
    triangles: 12,
    matrix: translation([0, 0, 0]),
  } as const;
  const style = {
    palette: paletteOf(false),
    selected: new Set<string>(),
    hovered: undefined,
    overlapping: new Set<string>(),
    preview: new Map(),
  };
  const show = (budget = Infinity): InstancedMesh => {
    bodies.show(new Map([["hash", [instance]]]), style);
    bodies.refine(budget);
    return bodies.object.children[0] as InstancedMesh;
  };
  return { bodies, show };
}

const hasBuffers = ({ geometry }: InstancedMesh): boolean =>
  ["style", "letters", "opacity"].every((name) => name in geometry.attributes);

test("a mesh that replaces another one takes no buffers from the level that is drawn", () => {
  const { bodies, show } = shownBodies();
  bodies.add("hash", surface(), true);
  const simplified = show().geometry;
  bodies.add("hash", surface(), false);
  const drawn = show().geometry;
  assert.notEqual(drawn, simplified);
  let disposed: string[] | undefined;
  simplified.addEventListener("dispose", ({ target }) => (disposed = Object.keys(target.attributes)));
  bodies.add("hash", surface(), true);
  assert.deepEqual(disposed, ["position"]);
  assert.ok(hasBuffers(show()));
});

test("a simplified mesh that replaces the one that is drawn takes over its buffers", () => {
  const { bodies, show } = shownBodies();
  bodies.add("hash", surface(), false);
  bodies.add("hash", surface(), true);
  const before = show(0).geometry;
  bodies.add("hash", surface(), true);
  const after = show(0);
  assert.notEqual(after.geometry, before);
  assert.ok(hasBuffers(after));
});
