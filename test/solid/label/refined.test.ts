import assert from "node:assert/strict";
import { test } from "node:test";
import { Cancelled, cancelJob, newJobState, unwatched, type Watch, watchJob } from "../../../src/core/watch.ts";
import { refined } from "../../../src/solid/label/refined.ts";
import { triangulated } from "../../../src/mesh/boolean/region/triangulated.ts";
import { areaOf } from "../../../src/mesh/boolean/region/region.ts";
import { textRegion } from "../../../src/text/text-region.ts";

const SQUARE = [0, 0, 1, 0, 1, 1, 0, 1];

function lengthIn(xy: readonly number[]): (a: number, b: number) => number {
  return (a, b) => Math.hypot(xy[2 * a] - xy[2 * b], xy[2 * a + 1] - xy[2 * b + 1]);
}

/** Twice the area, positive for counter-clockwise. */
const doubled = (xy: readonly number[], [a, b, c]: readonly number[]): number =>
  (xy[2 * b] - xy[2 * a]) * (xy[2 * c + 1] - xy[2 * a + 1]) - (xy[2 * c] - xy[2 * a]) * (xy[2 * b + 1] - xy[2 * a + 1]);

function facesOf(triangles: readonly number[]): number[][] {
  return Array.from({ length: triangles.length / 3 }, (_, i) => triangles.slice(3 * i, 3 * i + 3));
}

test("what is fine stays as it was", () => {
  const xy = [...SQUARE];
  assert.deepEqual(
    refined(xy, [0, 1, 2, 0, 2, 3], () => false, unwatched),
    [0, 1, 2, 0, 2, 3],
  );
  assert.deepEqual(xy, SQUARE);
});

test("no edge stays too long, the area is the same, and neighbours share their edges", async () => {
  const { region } = await textRegion("g8Ж");
  const finest = { corner: 40, everywhere: 150 };
  for (const limit of [(x: number) => (x < 500 ? finest.corner : 5000), () => finest.everywhere]) {
    const xy = region.flatMap((ring) => [...ring]);
    const start = await triangulated(region);
    const rim = rimOf([...start], xy);
    const triangles = refined(
      xy,
      start,
      (a, b) => lengthIn(xy)(a, b) > limit(Math.min(xy[2 * a], xy[2 * b])),
      unwatched,
    );
    const faces = facesOf(triangles);
    assert.ok(faces.every((face) => doubled(xy, face) > 0));
    assert.ok(Math.abs(faces.reduce((sum, face) => sum + doubled(xy, face) / 2, 0) / areaOf(region) - 1) < 1e-9);
    for (const [a, b, c] of faces) {
      for (const [p, q] of [
        [a, b],
        [b, c],
        [c, a],
      ])
        assert.ok(lengthIn(xy)(p, q) <= limit(Math.min(xy[2 * p], xy[2 * q])));
    }
    // A corner on the middle of a neighbour's edge would leave that edge, and both its halves, on the rim.
    assert.ok(Math.abs(rimOf(triangles, xy) / rim - 1) < 1e-9);
  }
});

/** The length of the edges that one triangle alone has. */
function rimOf(triangles: readonly number[], xy: readonly number[]): number {
  const sides = new Set<string>();
  for (const [a, b, c] of facesOf(triangles))
    for (const side of [`${a} ${b}`, `${b} ${c}`, `${c} ${a}`]) sides.add(side);
  let rim = 0;
  for (const side of sides) {
    const [a, b] = side.split(" ").map(Number);
    if (!sides.has(`${b} ${a}`)) rim += lengthIn(xy)(a, b);
  }
  return rim;
}

test("triangles do not become slender", () => {
  const xy = [...SQUARE];
  const triangles = refined(
    xy,
    [0, 1, 2, 0, 2, 3],
    (a, b) => lengthIn(xy)(a, b) > 0.02 + Math.abs(xy[2 * a] + xy[2 * b] - 0.6) / 4,
    unwatched,
  );
  for (const face of facesOf(triangles)) {
    const longest = Math.max(...[0, 1, 2].map((i) => lengthIn(xy)(face[i], face[(i + 1) % 3])));
    assert.ok(doubled(xy, face) > 0.3 * longest * longest);
  }
});

test("it tells of its progress at every triangle, from 0 up to 1, and ends where it is cancelled", () => {
  const shares: number[] = [];
  const watch: Watch = { report: (share) => void shares.push(share), part: () => watch };
  const xy = [...SQUARE];
  const triangles = refined(xy, [0, 1, 2, 0, 2, 3], (a, b) => lengthIn(xy)(a, b) > 0.1, watch);
  assert.ok(shares.length > triangles.length / 3);
  assert.ok(shares.every((share, i) => share >= (shares[i - 1] ?? 0) && share <= 1));
  assert.ok(shares.at(-1)! > 0.9);
  const state = newJobState();
  cancelJob(state);
  const cut = [...SQUARE];
  assert.throws(() => refined(cut, [0, 1, 2, 0, 2, 3], () => true, watchJob(state)), Cancelled);
});
