import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import type { Mesh } from "../../src/mesh/mesh.ts";
import { NORMAL_ONE, cornerNormals } from "../../src/render/corner-normals.ts";
import { box, cylinder, uvSphere } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/stage.ts";

/** The position and the normal of each corner. */
function corners(mesh: Mesh): { at: number[]; normal: number[] }[] {
  const normals = cornerNormals(mesh, noProgress);
  return Array.from(mesh.triangles, (vertex, corner) => ({
    at: Array.from(mesh.vertices.subarray(3 * vertex, 3 * vertex + 3)),
    normal: Array.from(normals.subarray(3 * corner, 3 * corner + 3), (part) => part / NORMAL_ONE),
  }));
}

const distance = (a: readonly number[], b: readonly number[]): number => Math.hypot(...a.map((part, i) => part - b[i]));

test("a sphere is smooth: its normals point away from its centre", () => {
  for (const { at, normal } of corners(meshOf(uvSphere(10, 40, 20)))) {
    // The poles have too many facets for a common normal.
    if (Math.hypot(at[0], at[1]) < 3) continue;
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

test("a cylinder has a smooth side and sharp rims", () => {
  for (const { at, normal } of corners(meshOf(cylinder(10, 30, 48)))) {
    const isCap = Math.abs(normal[2]) > 0.5;
    const wanted = isCap ? [0, 0, Math.sign(at[2])] : [at[0] / 10, at[1] / 10, 0];
    assert.ok(distance(normal, wanted) < 0.02, `${at}: ${normal}`);
  }
});

test("each facet at a vertex with very many facets keeps its normal, in bounded time", () => {
  for (const { at, normal } of corners(meshOf(cylinder(10, 30, 20_000)))) {
    if (at[0] !== 0 || at[1] !== 0) continue;
    assert.ok(distance(normal, [0, 0, Math.sign(at[2])]) < 1e-3);
  }
});

test("facets without area have zero normals and do not change others", () => {
  const sound = meshOf(box([10, 10, 10]));
  const triangles = Uint32Array.of(...sound.triangles, 0, 1, 1, 0, 0, 0);
  const normals = cornerNormals({ ...sound, triangles }, noProgress);
  assert.deepEqual(normals.subarray(0, 3 * sound.triangles.length), cornerNormals(sound, noProgress));
  assert.ok(normals.subarray(3 * sound.triangles.length).every((part) => part === 0));
});
