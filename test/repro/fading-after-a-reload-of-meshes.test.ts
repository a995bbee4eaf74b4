import assert from "node:assert/strict";
import { test } from "node:test";
import type { InstancedMesh } from "three";
import { DrawnBodies } from "../../src/page/view/drawn-bodies.ts";
import { translation } from "../../src/page/view/instances.ts";
import { paletteOf } from "../../src/page/view/palette.ts";
import { box } from "../fixture/shapes.ts";

// While supports were edited, some bodies did not fade: their simplified mesh had been fetched again, and the buffers of the instances were disposed of with
// the one that it replaced, although the mesh in full detail used them.

const surface = () => {
  const { vertices, triangles } = box([1, 1, 1]);
  return { positions: Float32Array.from(vertices), triangles: Uint32Array.from(triangles) };
};

test("a mesh that replaces another one takes no buffers from the level that is drawn", () => {
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
  const show = (): InstancedMesh => {
    bodies.show(new Map([["hash", [instance]]]), style);
    bodies.refine(Infinity);
    return bodies.object.children[0] as InstancedMesh;
  };
  bodies.add("hash", surface(), true);
  const simplified = show().geometry;
  bodies.add("hash", surface(), false);
  const drawn = show().geometry;
  assert.notEqual(drawn, simplified);
  let disposed: string[] | undefined;
  simplified.addEventListener("dispose", ({ target }) => (disposed = Object.keys(target.attributes)));
  bodies.add("hash", surface(), true);
  assert.deepEqual(disposed, ["position"]);
  assert.ok(["style", "letters", "opacity"].every((name) => name in show().geometry.attributes));
});
