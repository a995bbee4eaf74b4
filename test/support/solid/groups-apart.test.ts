import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../../src/core/progress.ts";
import { distance, lerp } from "../../../src/geometry/vector.ts";
import { union } from "../../../src/mesh/boolean.ts";
import { canonicalMesh } from "../../../src/mesh/canonical-mesh.ts";
import { type Surface, concatenateSurfaces, triangleCount, vertexAt, vertexCount } from "../../../src/mesh/mesh.ts";
import { groupsApart } from "../../../src/support/solid/groups-apart.ts";
import { capsulesOf, chainBody } from "../../../src/support/solid/strut-body.ts";
import { strutChains } from "../../../src/support/solid/strut-chains.ts";
import { ballOf } from "../../../src/support/tree/support-tree.ts";
import { slowRuns } from "../../fixture/long.ts";
import { randomFrom } from "../../fixture/random.ts";
import { someTree } from "../some-tree.ts";

function someBodies(seed: number): Surface[] {
  const tree = someTree({ pillars: 18, widthMm: 32, groundMm: 2, random: randomFrom(seed) });
  return strutChains(tree).map((chain, i) =>
    chainBody(
      chain.map((node) => ballOf(tree, node)),
      undefined,
      2.4 * i,
    ),
  );
}

const volumeOf = (surface: Surface): number => canonicalMesh(surface, 1, noProgress).volumeMm3;

function near(actual: number, expected: number): void {
  assert.ok(Math.abs(actual - expected) <= 1e-5 * expected, `${actual} instead of ${expected} mm³`);
}

test("bodies of different groups do not overlap, nor bodies of one surface, and none is lost", async () => {
  for (let seed = 1; seed <= slowRuns(8); seed++) {
    const bodies = someBodies(seed);
    const groups = groupsApart(bodies, 4, noProgress);
    assert.ok(groups.length > 1 && groups.length <= 4);
    assert.equal(
      groups.flat().reduce((sum, surface) => sum + triangleCount(surface), 0),
      bodies.reduce((sum, surface) => sum + triangleCount(surface), 0),
    );
    // Overlaps would count once in a union, and as often as they are there in the sum of its bodies.
    const united = await Promise.all(groups.map((group) => union(group, noProgress)));
    near(volumeOf(concatenateSurfaces(united)), volumeOf(await union(bodies, noProgress)));
    for (const surface of groups.flat()) {
      const corners = new Set(Array.from({ length: vertexCount(surface) }, (_, i) => vertexAt(surface, i).join()));
      const members = bodies.filter((body) => corners.has(vertexAt(body, 0).join()));
      near(volumeOf(surface), volumeOf(await union(members, noProgress)));
    }
  }
});

test("groups are of about equal size where there are enough trees, and one where all bodies touch", () => {
  const bodies = Array.from({ length: 40 }, (_, i) =>
    chainBody(
      [
        { centre: [3 * i, 0, 0], radiusMm: 1 },
        { centre: [3 * i, 0, 9], radiusMm: 1 },
      ],
      undefined,
      0,
    ),
  );
  const facetsOf = (surfaces: readonly Surface[]): number =>
    surfaces.reduce((sum, surface) => sum + triangleCount(surface), 0);
  assert.deepEqual(groupsApart(bodies, 5, noProgress).map(facetsOf), Array(5).fill(facetsOf(bodies) / 5));
  const bar = chainBody(
    [
      { centre: [-1, 0, 5], radiusMm: 1 },
      { centre: [130, 0, 5], radiusMm: 1 },
    ],
    undefined,
    0,
  );
  const [group, ...others] = groupsApart([...bodies, bar], 5, noProgress);
  assert.deepEqual([group.length, others], [2, []]);
});

test("the capsules of a body contain its corners", () => {
  for (const body of someBodies(99)) {
    const capsules = capsulesOf(body);
    for (let vertex = 0; vertex < vertexCount(body); vertex++) {
      const corner = vertexAt(body, vertex);
      const isInside = capsules.some(({ from, to, radiusMm }) =>
        Array.from({ length: 11 }, (_, i) => distance(lerp(from, to, i / 10), corner)).some(
          (apartMm) => apartMm <= radiusMm + 1e-9,
        ),
      );
      assert.ok(isInside);
    }
  }
});
