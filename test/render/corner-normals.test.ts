import assert from "node:assert/strict";
import { test } from "node:test";
import { unwatched } from "../../src/core/watch.ts";
import type { Mesh } from "../../src/mesh/mesh.ts";
import { cornerNormals, NORMAL_ONE } from "../../src/render/corner-normals.ts";
import { box, cylinder, uvSphere } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/stage.ts";

/** The position and the normal of each corner. */
function corners(mesh: Mesh): { at: number[]; normal: number[] }[] {
  const normals = cornerNormals(mesh, unwatched);
  return Array.from(mesh.triangles, (vertex, corner) => ({
    at: Array.from(mesh.vertices.subarray(3 * vertex, 3 * vertex + 3)),
    normal: Array.from(normals.subarray(3 * corner, 3 * corner + 3), (part) => part / NORMAL_ONE),
  }));
}

const distance = (a: readonly number[], b: readonly number[]): number =>
  Math.hypot(...a.map((part, i) => part - b[i]!));

test("a sphere is smooth: its normals point away from its middle", () => {
  for (const { at, normal } of corners(meshOf(uvSphere(10, 40, 20)))) {
    // The facets at the poles are too many to be merged.
    if (Math.hypot(at[0]!, at[1]!) < 3) continue;
    assert.ok(
      distance(
        normal,
        at.map((part) => part / 10),
      ) < 0.02,
      `${at}: ${normal}`,
    );
  }
});

test("a box is flat: each corner has the normal of its facet", () => {
  for (const { normal } of corners(meshOf(box([10, 20, 30])))) {
    assert.deepEqual(normal.map(Math.abs).sort(), [0, 0, 1]);
  }
});

test("a cylinder is smooth around and has sharp rims", () => {
  for (const { at, normal } of corners(meshOf(cylinder(10, 30, 48)))) {
    const isCap = Math.abs(normal[2]!) > 0.5;
    const wanted = isCap ? [0, 0, Math.sign(at[2]!)] : [at[0]! / 10, at[1]! / 10, 0];
    assert.ok(distance(normal, wanted) < 0.02, `${at}: ${normal}`);
  }
});

test("the middle of a fan of very many facets keeps their normals, in time", () => {
  for (const { at, normal } of corners(meshOf(cylinder(10, 30, 50_000)))) {
    if (at[0] !== 0 || at[1] !== 0) continue;
    assert.ok(distance(normal, [0, 0, Math.sign(at[2]!)]) < 1e-3);
  }
});

test("facets without area have no normal and spoil no other", () => {
  const sound = meshOf(box([10, 10, 10]));
  const triangles = Uint32Array.of(...sound.triangles, 0, 1, 1, 0, 0, 0);
  const normals = cornerNormals({ ...sound, triangles }, unwatched);
  assert.deepEqual(normals.subarray(0, 3 * sound.triangles.length), cornerNormals(sound, unwatched));
  assert.ok(normals.subarray(3 * sound.triangles.length).every((part) => part === 0));
});
