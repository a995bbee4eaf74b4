import assert from "node:assert/strict";
import { test } from "node:test";
import type { Vec3 } from "../../src/core/geometry.ts";
import { Cancelled, cancelJob, newJobState, unwatched, type Watch, watchJob } from "../../src/core/watch.ts";
import { bodiesOf, closedBodies } from "../../src/mesh/bodies.ts";
import { combine } from "../../src/mesh/combine.ts";
import { containersOf } from "../../src/mesh/containment.ts";
import { edgesOf } from "../../src/mesh/edges.ts";
import { type Surface, vertexCount } from "../../src/mesh/mesh.ts";
import { insideOut, moved, randomFrom } from "../fixture/altered.ts";
import { box } from "../fixture/shapes.ts";

function containersAmong(surface: Surface, watch: Watch): Map<number, Set<number>> {
  const edges = edgesOf(surface.triangles, vertexCount(surface));
  const bodies = bodiesOf(surface, edges);
  return containersOf(surface, bodies, closedBodies(surface, edges, bodies), [...Array(bodies.count).keys()], watch);
}

test("boxes lie inside the boxes that reach around them, however they face", () => {
  const random = randomFrom(3);
  for (const isOnGrid of [false, true]) {
    const pick = (most: number): number => (isOnGrid ? Math.round(most * random()) : most * random());
    const placed = Array.from({ length: 150 }, () => ({
      at: [pick(8), pick(8), pick(8)] as Vec3,
      size: [1 + pick(9), 1 + pick(9), 1 + pick(9)] as Vec3,
    }));
    const surface = combine(placed.map(({ at, size }, i) => moved(i % 3 === 0 ? insideOut(box(size)) : box(size), at)));
    let found = 0;
    for (const [inner, outers] of containersAmong(surface, unwatched)) {
      placed.forEach((outer, i) => {
        const isAround = [0, 1, 2].every(
          (axis) =>
            Math.abs(outer.at[axis]! - placed[inner]!.at[axis]!) <=
            (outer.size[axis]! - placed[inner]!.size[axis]!) / 2,
        );
        const isStrictlyAround = [0, 1, 2].every(
          (axis) =>
            Math.abs(outer.at[axis]! - placed[inner]!.at[axis]!) < (outer.size[axis]! - placed[inner]!.size[axis]!) / 2,
        );
        if (isStrictlyAround && i !== inner) assert.ok(outers.has(i), `${inner} in ${i}`);
        if (!isAround) assert.ok(!outers.has(i), `${inner} not in ${i}`);
        found += outers.has(i) ? 1 : 0;
      });
    }
    assert.ok(found > 50, `${found}`);
  }
});

test("thousands of bodies side by side are looked at until the job is cancelled", () => {
  const state = newJobState();
  cancelJob(state);
  const rods = Array.from({ length: 600 }, (_, i) => moved(box([1, 50, 1]), [2 * (i % 30), 0, 2 * Math.floor(i / 30)]));
  assert.throws(() => containersAmong(combine(rods), watchJob(state)), Cancelled);
});
