import assert from "node:assert/strict";
import { test } from "node:test";
import { type Holds, type Load, heldShare, inGeneralPosition } from "../fixture/hold-judge/held-share.ts";
import { randomFrom } from "../fixture/random.ts";

type Hold = readonly [xMm: number, yMm: number, strengthN: number];

const holdsOf = (holds: readonly Hold[]): Holds =>
  inGeneralPosition({
    xMm: Float64Array.from(holds, ([x]) => x),
    yMm: Float64Array.from(holds, ([, y]) => y),
    strengthN: Float64Array.from(holds, ([, , strength]) => strength),
  });

/** Each hold is four points around its place, because single points bear nothing if rounding moves the load off their line. */
const shareOf = (holds: readonly Hold[], [xMm, yMm]: readonly number[], forceN = 1): number => {
  const points = holds.flatMap(([x, y, strength]) =>
    ring(4, POINT_MM, strength / 4).map(([dx, dy, share]): Hold => [x + dx, y + dy, share]),
  );
  return heldShare(holdsOf(points), { xMm, yMm, forceN }).share;
};

const POINT_MM = 1e-4;

const assertNear = (actual: number, expected: number, message?: string): void =>
  assert.ok(Math.abs(actual - expected) <= 1e-3 * Math.max(1, expected), `${actual}, not ${expected} ${message ?? ""}`);

const ring = (count: number, radiusMm: number, strengthN: number): Hold[] =>
  Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI * i) / count;
    return [radiusMm * Math.cos(angle), radiusMm * Math.sin(angle), strengthN];
  });

test("without holds no load is borne, and an absent load is always borne", () => {
  assert.equal(shareOf([], [0, 0]), 0);
  assert.equal(shareOf([[0, 0, 1]], [5, 5], 0), Infinity);
});

test("one hold bears its strength directly above it, and nothing elsewhere", () => {
  assertNear(shareOf([[2, 3, 0.5]], [2, 3], 2), 0.25);
  assertNear(shareOf([[2, 3, 0.5]], [2.5, 3], 2), 0);
});

test("two holds bear a load between them like a beam, and nothing off their line", () => {
  const holds: Hold[] = [
    [0, 0, 1],
    [10, 0, 1],
  ];
  assertNear(shareOf(holds, [5, 0]), 2);
  // The nearer hold bears 3/4 of the load.
  assertNear(shareOf(holds, [2.5, 0]), 4 / 3);
  assertNear(shareOf(holds, [5, 1]), 0);
});

test("the farther hold of a cantilever pulls the other way", () => {
  const holds: Hold[] = [
    [0, 0, 1],
    [10, 0, 1],
  ];
  // The load at x = 15 puts 1.5 times itself on the hold at 10, and −0.5 times itself on the hold at 0.
  assertNear(shareOf(holds, [15, 0]), 1 / 1.5);
  assertNear(
    shareOf(
      [
        [0, 0, 0.2],
        [10, 0, 1],
      ],
      [15, 0],
    ),
    0.4,
  );
});

test("holds on a circle bear their sum at its centre, and the plastic moment of the circle far away", () => {
  for (const count of [3, 4, 8, 150]) assertNear(shareOf(ring(count, 7, 0.3), [0, 0]), 0.3 * count, `${count} holds`);
  // Far away the share follows from the least Σ S |cos| over all axes, which tends to 2/π of the sum.
  assertNear(shareOf(ring(150, 7, 0.3), [7e4, 0]), (150 * 0.3 * (2 / Math.PI) * 7) / 7e4);
  assertNear(shareOf(ring(4, 7, 0.3), [700, 0]), (2 * 0.3 * 7) / 700, "across the corners");
});

test("shares agree with the least over all neutral axes through two holds", () => {
  const random = randomFrom(27);
  for (let trial = 0; trial < 300; trial++) {
    const count = 3 + Math.floor(random() * 9);
    // On a coarse grid, so that many holds are in line or at one place.
    const at = (): number => Math.round(5 * random());
    const holds = Array.from({ length: count }, (): Hold => [at(), at(), 0.1 + random()]);
    const load: Load = { xMm: 9 * random() - 2, yMm: 9 * random() - 2, forceN: 0.5 + random() };
    const inPosition = holdsOf(holds);
    const { share } = heldShare(inPosition, load, trial % 4 === 0 ? -1 : trial % count);
    assertNear(share, leastOverPairs(inPosition, load), `in trial ${trial}`);
    assert.ok(share <= leastOverDirections(inPosition, load) * (1 + 1e-9), `in trial ${trial}`);
  }
});

test("the result does not depend on where the search begins", () => {
  const holds = holdsOf(ring(24, 10, 1));
  const load = { xMm: 8, yMm: 9, forceN: 3 };
  const { share } = heldShare(holds, load);
  for (let hold = 0; hold < 24; hold++) assertNear(heldShare(holds, load, hold).share, share);
});

/** Σ S |g| / F for g = (1, 0, 0) + the slope along the axes, with g = 1 at the load. */
function shareAbout({ xMm, yMm, strengthN }: Holds, load: Load, slopeX: number, slopeY: number): number {
  return (
    strengthN.reduce(
      (sum, strength, i) => sum + strength * Math.abs(1 + slopeX * (xMm[i] - load.xMm) + slopeY * (yMm[i] - load.yMm)),
      0,
    ) / load.forceN
  );
}

/** The corners of the sum's graph are the functions that are 0 at two holds. */
function leastOverPairs(holds: Holds, load: Load): number {
  let least = shareAbout(holds, load, 0, 0);
  for (let i = 0; i < holds.xMm.length; i++) {
    for (let j = 0; j < i; j++) {
      const [ax, ay] = [holds.xMm[i] - load.xMm, holds.yMm[i] - load.yMm];
      const [bx, by] = [holds.xMm[j] - load.xMm, holds.yMm[j] - load.yMm];
      const size = ax * by - ay * bx;
      least = Math.min(least, shareAbout(holds, load, (ay - by) / size, (bx - ax) / size));
    }
  }
  return least;
}

/** Slopes in all directions and of all sizes from 1/100 to 100 per mm. */
function leastOverDirections(holds: Holds, load: Load): number {
  let least = Infinity;
  for (let turn = 0; turn < 90; turn++) {
    const angle = (2 * Math.PI * turn) / 90;
    for (let power = -2; power <= 2; power += 0.1) {
      least = Math.min(least, shareAbout(holds, load, 10 ** power * Math.cos(angle), 10 ** power * Math.sin(angle)));
    }
  }
  return least;
}
