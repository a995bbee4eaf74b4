import assert from "node:assert/strict";
import { test } from "node:test";
import { contactsOf } from "../fixture/hold-judge/contacts.ts";
import { type Shortfall, judgeHold } from "../fixture/hold-judge/hold-judge.ts";
import { type TriangleMesh, sectionsAt } from "../fixture/hold-judge/sections.ts";
import { box, lathe, torus } from "../fixture/shapes.ts";
import { moved } from "../fixture/surface-edits.ts";

const TOUCH_MM = 0.5;
/** Height of the part's lowest point. */
const LIFT_MM = 5;
const OPTIONS = { layerMm: 0.1, touchMm: TOUCH_MM, loadScale: 1 };
/** The force that one touch bears, N. */
const TOUCH_N = 0.2 * 10 * Math.PI * (TOUCH_MM / 2) ** 2;

type Place = readonly [xMm: number, yMm: number, zMm: number];

function joined(...meshes: readonly TriangleMesh[]): TriangleMesh {
  const starts = meshes.map((_, i) => meshes.slice(0, i).reduce((sum, { vertices }) => sum + vertices.length / 3, 0));
  return {
    vertices: Float64Array.from(meshes.flatMap(({ vertices }) => [...vertices])),
    triangles: Uint32Array.from(meshes.flatMap(({ triangles }, i) => Array.from(triangles, (v) => v + starts[i]))),
  };
}

/** A round pin from the platform, or from a height, that ends 0.15 mm above a place. */
const pin = ([x, y, z]: Place, fromMm = 0): TriangleMesh => {
  const top = z + 0.15;
  const profile = [
    [0, fromMm],
    [TOUCH_MM / 2, fromMm],
    [TOUCH_MM / 2, top],
    [0, top],
  ] as const;
  return moved(lathe(profile, 12, false), [x, y, 0]);
};

/** `perSide`² pins under a square about the origin. */
const pinPlaces = (perSide: number, sideMm: number): Place[] =>
  Array.from({ length: perSide ** 2 }, (_, i) => {
    const at = (index: number): number => sideMm * ((index + 0.5) / perSide - 0.5);
    return [at(i % perSide), at(Math.floor(i / perSide)), LIFT_MM];
  });

const pins = (places: readonly Place[]): TriangleMesh => joined(...places.map((place) => pin(place)));

const standing = (sizeMm: Place, fromMm = LIFT_MM): TriangleMesh => moved(box(sizeMm), [0, 0, fromMm + sizeMm[2] / 2]);

const cube = standing([20, 20, 20]);
const FULL = pinPlaces(7, 20);
/** The share of a cube's pull that evenly spread pins bear. */
const shareOf = (count: number): number => (count * TOUCH_N) / (0.04 * 400);

const judge = (part: TriangleMesh, supports?: TriangleMesh, loadScale = 1): Shortfall[] =>
  judgeHold(part, supports, { ...OPTIONS, loadScale });

const worst = (shortfalls: readonly Shortfall[]): number =>
  Math.min(1, ...shortfalls.map(({ heldShare }) => heldShare));

test("touches are found where pins enter a part, and no others", () => {
  const contacts = contactsOf(cube, pins(FULL), TOUCH_MM);
  assert.equal(contacts.length, FULL.length);
  for (const [x, y, z] of FULL) {
    const at = contacts.filter(({ xMm, yMm, lowest }) => Math.hypot(xMm - x, yMm - y, lowest[2] - z) < 1e-3);
    assert.equal(at.length, 1, `at ${[x, y]}`);
  }
});

test("a touch around a corner holds from the corner on", () => {
  const cone = moved(
    lathe(
      [
        [0, 0],
        [6, 8],
        [0, 8],
      ],
      24,
      false,
    ),
    [0, 0, LIFT_MM],
  );
  const [contact, ...others] = contactsOf(cone, pin([0, 0, LIFT_MM]), TOUCH_MM);
  assert.equal(others.length, 0);
  assert.ok(Math.abs(contact.lowest[2] - LIFT_MM) < 1e-6, `${contact.lowest[2]} mm`);
});

test("a cube flat on all of its pins is held, but not with 1.3 times the pull", () => {
  assert.deepEqual(judge(cube, pins(FULL)), []);
  const shortfalls = judge(cube, pins(FULL), 1.3);
  assert.equal(shortfalls.length, 200, "every layer");
  assert.ok(Math.abs(worst(shortfalls) - shareOf(FULL.length) / 1.3) < 0.005, `${worst(shortfalls)}`);
});

test("a cube falls short if a third of its pins are removed", () => {
  const left = FULL.filter((_, i) => i % 3 !== 1);
  const share = worst(judge(cube, pins(left)));
  assert.ok(share < 0.85 && share > 0.9 * shareOf(left.length), `${share} of the pull`);
});

test("a cube tears off if all pins are on one side, however many they are", () => {
  const oneSided = FULL.flatMap(([x, y, z]): Place[] => [0, 0.8].map((dx) => [dx - 7 + 0.3 * x, y, z]));
  assert.ok(shareOf(oneSided.length) > 2);
  const share = worst(judge(cube, pins(oneSided)));
  assert.ok(share < 0.9, `${share} of the pull`);
});

test("a single touch far from a load bears the plastic moment of a disc", () => {
  const [shareFar] = judge(standing([10, 10, 1]), pin([3, 0, LIFT_MM])).map(({ heldShare }) => heldShare);
  // σ · d³ / 6 with σ = 0.2 · 10 N/mm², against a pull of 4 N at 3 mm.
  const momentShare = (2 * TOUCH_MM ** 3) / 6 / (4 * 3);
  assert.ok(Math.abs(shareFar / momentShare - 1) < 0.06, `${shareFar}, not ${momentShare}`);
});

test("a part in the air without supports falls short in every layer", () => {
  const shortfalls = judge(cube);
  assert.equal(shortfalls.length, 200);
  assert.equal(worst(shortfalls), 0);
});

test("a part on the platform is held by its contact area", () => {
  assert.deepEqual(judge(standing([20, 20, 20], 0)), []);
  // A stem of 4 mm holds 0.2 · 2.59 · 12.5 N = 6.5 N, a cap of 20 mm pulls by 12.5 N.
  const mushroom = lathe(
    [
      [0, 0],
      [2, 0],
      [2, 10],
      [10, 10],
      [10, 12],
      [0, 12],
    ],
    48,
    false,
  );
  const shortfalls = judge(mushroom);
  assert.ok(shortfalls.every(({ heightMm }) => heightMm > 10));
  assert.ok(Math.abs(worst(shortfalls) - 0.518) < 0.02, `${worst(shortfalls)}`);
});

test("each part of the print needs its own pins until it is connected", () => {
  // Two legs under a bar; the left one has no pins.
  const legs = [-10, 10].map((x) => moved(box([4, 4, 10]), [x, 0, LIFT_MM + 5]));
  const bridge = joined(...legs, moved(box([24, 4, 3]), [0, 0, LIFT_MM + 11.4]));
  const places = pinPlaces(5, 4);
  const right = places.map(([x, y, z]): Place => [x + 10, y, z]);
  const left = places.map(([x, y, z]): Place => [x - 10, y, z]);
  assert.deepEqual(judge(bridge, pins([...left, ...right])), []);
  const shortfalls = judge(bridge, pins(right)).filter(({ heightMm }) => heightMm < LIFT_MM + 9.5);
  assert.ok(shortfalls.length > 90);
  assert.ok(shortfalls.every(({ at: [x], heldShare }) => Math.abs(x + 10) < 0.1 && heldShare === 0));
});

test("touches do not hold the layers below them", () => {
  // The step at x > 0 begins 6 mm higher; all pins are under it.
  const step = joined(standing([10, 10, 20]), moved(box([10, 10, 14]), [9.99, 0, LIFT_MM + 13]));
  const under = pinPlaces(6, 9).map(([x, y]): Place => [x + 10, y, LIFT_MM + 6]);
  const shortfalls = judge(step, pins(under));
  assert.ok(shortfalls.filter(({ heightMm, heldShare }) => heightMm < LIFT_MM + 6 && heldShare === 0).length >= 59);
});

test("supports with feet on the part itself hold only regions that are not connected with it", () => {
  const floor = standing([20, 20, 2]);
  const island = moved(box([6, 6, 2]), [0, 0, LIFT_MM + 6]);
  const post: Place[] = pinPlaces(4, 5).map(([x, y]) => [x, y, LIFT_MM + 5]);
  const posts = post.map((place) => pin(place, LIFT_MM + 1.8));
  const part = joined(floor, island);
  assert.deepEqual(judge(part, joined(pins(FULL), ...posts)), []);
  const bare = judge(part, pins(FULL));
  assert.ok(bare.length > 0 && bare.every(({ heightMm }) => heightMm > LIFT_MM + 5));
  // The pins of the floor bear the pull of the island as well; a single pin is too weak.
  const carried = judge(part, joined(pins([[0, 0, LIFT_MM]]), ...posts));
  assert.ok(carried.some(({ heightMm }) => heightMm > LIFT_MM + 5));
});

test("areas of sections sum up to the volume, and holes are distinguished from bodies", () => {
  const ring = torus(15, 4, 96, 48);
  const heights = Array.from({ length: 400 }, (_, i) => -4 + (i + 0.5) / 50);
  const sections = [...sectionsAt(ring, heights)];
  const volume = sections.reduce((sum, pieces) => sum + pieces.reduce((of, { areaMm2 }) => of + areaMm2, 0) / 50, 0);
  assert.ok(Math.abs(volume / ring.volume - 1) < 1e-3, `${volume} of ${ring.volume} mm³`);
  assert.ok(sections.every((pieces) => pieces.length === 1 && Math.hypot(pieces[0].xMm, pieces[0].yMm) < 1e-6));
  const legs = joined(...[-5, 5].map((x) => moved(box([4, 4, 4]), [x, 0, 0])));
  const [pieces] = sectionsAt(legs, [0.5]);
  assert.deepEqual(pieces.map(({ xMm, areaMm2 }) => [Math.round(xMm), Math.round(areaMm2)]).sort(), [
    [-5, 16],
    [5, 16],
  ]);
});
