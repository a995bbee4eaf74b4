import assert from "node:assert/strict";
import { test } from "node:test";
import { dot, unit, type Vec3 } from "../../../src/core/geometry.ts";
import { kernelDirection } from "../../../src/mesh/repair/kernel-direction.ts";
import { randomFrom } from "../../fixture/altered.ts";

function directionFrom(random: () => number): Vec3 {
  for (;;) {
    const place: Vec3 = [2 * random() - 1, 2 * random() - 1, 2 * random() - 1];
    if (dot(place, place) <= 1 && dot(place, place) > 0) return unit(place);
  }
}

test("no direction goes deeper behind all planes", () => {
  const random = randomFrom(1);
  for (let i = 0; i < 60; i++) {
    const axis = directionFrom(random);
    const width = 2 * random();
    const normals = Array.from({ length: 3 + (i % 6) }, (): Vec3 => {
      const [x, y, z] = directionFrom(random);
      return unit([axis[0] + width * x, axis[1] + width * y, axis[2] + width * z]);
    });
    const { direction, depth } = kernelDirection(normals);
    const depthOf = (way: Vec3): number => Math.min(...normals.map((normal) => -dot(normal, way)));
    assert.ok(Math.abs(depthOf(direction) - depth) < 1e-12);
    assert.ok(Math.abs(dot(direction, direction) - 1) < 1e-12);
    const best = Math.max(...Array.from({ length: 3000 }, () => depthOf(directionFrom(random))));
    if (best > 0.05) assert.ok(depth > best - 0.02, `${depth} for ${best}`);
    else assert.ok(depth < best + 0.1);
  }
});

test("a corner of a cube goes in along its diagonal; one with facets all around has no way in", () => {
  const { direction, depth } = kernelDirection([
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ]);
  for (const value of [depth, ...direction.map((along) => -along)])
    assert.ok(Math.abs(value - Math.sqrt(1 / 3)) < 1e-6);
  const around: Vec3[] = [
    [1, 0, 0],
    [-1, 0, 0],
    [0, 1, 0],
    [0, -1, 0],
  ];
  assert.ok(kernelDirection(around).depth <= 0);
});
