import assert from "node:assert/strict";
import { test } from "node:test";
import { unwatched } from "../../src/core/watch.ts";
import { canonicalMesh } from "../../src/mesh/canonical.ts";
import type { Mesh } from "../../src/mesh/mesh.ts";
import { internMesh } from "../../src/scene/intern-mesh.ts";
import { box } from "../fixture/shapes.ts";

const meshOf = (side: number): Mesh => canonicalMesh(box([side, side, side]), 1, unwatched);

test("a mesh that comes again is the one that came first", () => {
  const [first, second] = [meshOf(3), meshOf(3)];
  assert.notEqual(first, second);
  assert.equal(internMesh(first), first);
  assert.equal(internMesh(second), first);
  assert.equal(internMesh(first), first);
});

test("another mesh stays itself", () => {
  const [one, other] = [meshOf(4), meshOf(5)];
  assert.equal(internMesh(one), one);
  assert.equal(internMesh(other), other);
  assert.notEqual(one.hash, other.hash);
});
