import assert from "node:assert/strict";
import { test } from "node:test";
import { type GroupCheck, checkGroup, concludeGroup, examineChunk, prepareGroup } from "../../src/check/check-group.ts";
import { noProgress } from "../../src/core/progress.ts";
import { runAtOnce } from "../../src/core/steps.ts";
import type { SceneBody } from "../../src/scene/body-clusters.ts";
import { checkGroups } from "../../src/scene/check-groups.ts";
import { checkRequest, modelBody, supportBody } from "../fixture/check-request.ts";
import { slowRuns } from "../fixture/long.ts";
import { BARE_TABLE, HANGING_ICICLES } from "../fixture/minima.ts";
import { randomFrom } from "../fixture/random.ts";
import { box, lathe, tetrahedron, torus, uvSphere } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/slices.ts";
import { moved } from "../fixture/surface-edits.ts";

/** The three checks of each group of a scene. */
const checksOf = (bodies: readonly SceneBody[], layerMm: number): GroupCheck[] =>
  runAtOnce(checkGroups(checkRequest(bodies, layerMm), 0.1)).flatMap(({ centred: group, placed }): GroupCheck[] => [
    { check: "CUPS", group },
    { check: "MINIMA", group },
    { check: "SUPPORTEDNESS", group: placed, selfSupportingAngleDeg: 45, bridgingDistanceMm: 1 },
  ]);

/** A pot whose wall and floor are of 2 mm. */
const pot = () =>
  lathe(
    [
      [0, 0],
      [6, 0],
      [6, 9],
      [4, 9],
      [4, 2],
      [0, 2],
    ],
    48,
    false,
  );

function scenes(): SceneBody[][] {
  const random = randomFrom(3);
  const shapes = [box([3, 2, 1]), tetrahedron(3), uvSphere(2, 16, 8), torus(3, 0.8, 24, 10), pot()];
  const crossing = Array.from({ length: slowRuns(4) }, () => {
    const parts = shapes.map((shape) => moved(shape, [8 * random(), 8 * random(), 9 * random()]));
    const orientation = { x: 90 * random(), y: 90 * random(), z: 0 };
    return [modelBody(0, meshOf(...parts), [0, 0, 0.3], { orientation })];
  });
  const table = modelBody(0, meshOf(...BARE_TABLE, ...HANGING_ICICLES));
  const posts = [supportBody(0, meshOf(box([1, 1, 4.1])), [-7, 3, 0]), modelBody(1, meshOf(pot()), [13, 0, 0])];
  return [...crossing, [table], [table, ...posts]];
}

test("chunks that are examined apart, in any order and on several threads, give the findings of one thread", () => {
  const found = { cups: 0, minima: 0, unsupported: 0 };
  for (const request of scenes().flatMap((bodies) => checksOf(bodies, 0.1))) {
    const expected = checkGroup(request, noProgress);
    // As another thread gets them.
    const stacks = structuredClone(prepareGroup(request, noProgress));
    const packed: Uint32Array[] = [];
    for (let chunk = stacks[0].chunkCount - 1; chunk >= 0; chunk--) {
      packed[chunk] = structuredClone(examineChunk({ request, stacks, chunk }, noProgress));
    }
    assert.ok(packed.length > 3);
    for (const known of [packed, packed.slice(0, 2)]) {
      assert.deepEqual(concludeGroup({ request, stacks, packed: known }, noProgress), expected, request.check);
    }
    for (const { cups = 0, minima = 0, unsupported = 0 } of expected) {
      found.cups += cups;
      found.minima += minima;
      found.unsupported += unsupported;
    }
  }
  assert.ok(found.cups > 1 && found.minima > 3 && found.unsupported > 100, JSON.stringify(found));
});
