import assert from "node:assert/strict";
import { test } from "node:test";
import { type FaceImportance, MOST_IMPORTANT, faceImportance } from "../../src/hold/face-importance.ts";
import type { Surface } from "../../src/mesh/mesh.ts";
import { type PartSurface, partSurface } from "../../src/orient/part-surface.ts";
import { BRACKET, CONE, MUG } from "../fixture/orienting.ts";
import { box, cylinder, lathe, torus, uvSphere } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/slices.ts";
import { subdivided } from "../fixture/surface-edits.ts";
import { assertNear } from "../fixture/test-server.ts";

const AXES = [1, 0, 0, 0, 1, 0, 0, 0, 1] as const;

function importanceOf(surface: Surface): PartSurface & FaceImportance {
  const part = partSurface(meshOf(surface), 1);
  return { ...part, ...faceImportance(part, AXES) };
}

/** The area-weighted mean of the weights of the facets whose distance from the z axis is in a range. */
function meanWeight(
  { vertices, triangles, areas, weights }: PartSurface & FaceImportance,
  from: number,
  to: number,
): number {
  let sum = 0;
  let area = 0;
  for (let facet = 0; facet < areas.length; facet++) {
    const [x, y] = [0, 1].map((axis) =>
      [0, 1, 2].reduce((mean, k) => mean + vertices[3 * triangles[3 * facet + k] + axis] / 3, 0),
    );
    const radius = Math.sqrt(x * x + y * y);
    if (radius < from || radius >= to) continue;
    sum += areas[facet] * weights[facet];
    area += areas[facet];
  }
  return sum / area;
}

test("weights are from 1 to the maximum, and their mean does not depend on the fineness of the facets", () => {
  for (const shape of [box([30, 20, 10]), cylinder(8, 40), torus(20, 5), uvSphere(15), BRACKET, CONE, MUG]) {
    const coarse = importanceOf(shape);
    assert.ok(coarse.weights.every((weight) => weight >= 1 && weight <= MOST_IMPORTANT));
    const mean = meanWeight(coarse, 0, Infinity);
    assertNear(meanWeight(importanceOf(subdivided(shape)), 0, Infinity), mean, 0.1 * mean);
  }
});

/** A disc with a bore. */
const washer = lathe(
  [
    [4, 0],
    [20, 0],
    [20, 10],
    [4, 10],
  ],
  96,
  true,
);

test("a bore counts more than the outside of the part, and a plain face counts least", () => {
  const part = importanceOf(subdivided(washer));
  const [bore, face, outside] = [meanWeight(part, 0, 4.1), meanWeight(part, 6, 18), meanWeight(part, 19.9, 21)];
  assert.ok(bore > outside + 0.1 && outside > face, `${[bore, face, outside]}`);
});

/** A rod with ridges around it, like the thread of a screw. */
const PITCH_MM = 1.75;
const thread = lathe(
  [
    [0, 0],
    ...Array.from({ length: 41 }, (_, i): [number, number] => [i % 2 === 0 ? 4 : 5, (i * PITCH_MM) / 2]),
    [0, 20 * PITCH_MM],
  ],
  64,
  false,
);

test("a thread counts most, and its flanks need no support when the screw is upright", () => {
  const part = importanceOf(thread);
  assert.ok(meanWeight(part, 3.9, 5.1) > 2, `${meanWeight(part, 3.9, 5.1)}`);
  const { normals } = partSurface(meshOf(thread), 1);
  const overhangMm2 = (of: Float64Array): number =>
    part.areas.reduce((sum, area, facet) => (of[3 * facet + 2] < -Math.SQRT1_2 ? sum + area : sum), 0);
  assert.ok(overhangMm2(part.normals) < 0.4 * overhangMm2(normals), `${[part.normals, normals].map(overhangMm2)}`);
});

test("facets outside fine relief keep their normals", () => {
  for (const shape of [BRACKET, CONE, MUG, torus(20, 5), washer]) {
    const part = partSurface(meshOf(shape), 1);
    assert.deepEqual(faceImportance(part, AXES).normals, part.normals);
  }
});
