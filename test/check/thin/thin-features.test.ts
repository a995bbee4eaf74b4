import assert from "node:assert/strict";
import { test } from "node:test";
import type { ThinFeatures } from "../../../src/check/thin/thin-features.ts";
import { lazy } from "../../../src/core/memoize.ts";
import { CancelledError, cancelTask, newTaskState, noProgress, taskProgress } from "../../../src/core/progress.ts";
import { UPRIGHT } from "../../../src/geometry/pose.ts";
import type { Surface } from "../../../src/mesh/mesh.ts";
import { longTest, sampledTests, slowCases, slowRuns } from "../../fixture/long.ts";
import { randomFrom } from "../../fixture/random.ts";
import { box, cylinder, lathe, tetrahedron, torus, uvSphere } from "../../fixture/shapes.ts";
import { meshOf } from "../../fixture/slices.ts";
import { meshFrom } from "../../fixture/stage.ts";
import { insideOut, moved, perforated } from "../../fixture/surface-edits.ts";
import { thinFeatures, thinOf, thinVolumeOf, rotatedSurface, wedge, wedgeTipMm2 } from "../../fixture/thin-parts.ts";

// Interface, "thin-features"; supplement, section 7, "thin regions".

const random = randomFrom(5);
const someAngles = () => ({ x: 360 * random(), y: 360 * random(), z: 360 * random() });

function assertWithin(actual: number, expected: number, share: number, what = ""): void {
  assert.ok(
    Math.abs(actual - expected) <= share * expected,
    `${what}: ${actual} is not within ${share} of ${expected}`,
  );
}

/** Asserts that there is one region with this volume, up to a share of it. */
function assertOneRegion(found: ThinFeatures, volumeMm3: number, share: number, what = ""): void {
  assert.equal(found.status, "ANALYZED", what);
  assert.equal(found.regions.length, 1, `${what}: ${JSON.stringify(found.regions)}`);
  assertWithin(found.regions[0].volumeMm3, volumeMm3, share, what);
}

/** The size of an oblique box, so that no side is below the threshold. */
const LARGE = { sizeMm: [9, 9, 9] } as const;

const realPart = lazy(() => meshFrom("test/fixture/corpus/thingi-65004.stl"));

const NOTHING: ThinFeatures = { status: "ANALYZED", regions: [] };

test("plates just below the threshold are thin everywhere, those just above it nowhere, at any orientation", async () => {
  for (let i = 0; i < slowRuns(4); i++) {
    const angles = i === 0 ? UPRIGHT : someAngles();
    const place = [7 * random(), 7 * random(), 7 * random()] as const;
    for (const [thickMm, isThin] of [
      [0.9, true],
      [1.1, false],
    ] as const) {
      const mesh = meshOf(moved(rotatedSurface(box([4, 3, thickMm]), angles), place));
      const found = await thinOf(mesh, 1, LARGE);
      const what = `${thickMm} mm at ${JSON.stringify(angles)}`;
      if (isThin) assertOneRegion(found, 12 * thickMm, 0.01, what);
      else assert.deepEqual(found, NOTHING, what);
    }
  }
});

test("parts exactly as thick as the threshold are not thin", async () => {
  assert.deepEqual(await thinOf(meshOf(box([4, 3, 1])), 1), NOTHING);
  const turnedPlate = meshOf(rotatedSurface(box([4, 3, 1]), { x: 31, y: 17, z: 63 }));
  assert.deepEqual(await thinOf(turnedPlate, 1), NOTHING);
  assertOneRegion(await thinOf(turnedPlate, 1.02), 12, 0.01);
});

test("walls about as thick as the threshold are one thin region or none, never many small regions", async () => {
  for (const thickMm of slowCases([0.999, 0.9988, 0.9985, 0.998, 0.9975, 0.997])) {
    const mesh = meshOf(rotatedSurface(box([12, thickMm, 8]), { x: 31, y: 17, z: 63 }));
    const found = await thinOf(mesh, 1, LARGE);
    if (thickMm < 0.998) assertOneRegion(found, 96 * thickMm, 0.03, `${thickMm} mm`);
    else assert.deepEqual(found, NOTHING, `${thickMm} mm`);
  }
});

test("plates much thinner than a cell of the grid are found whole", async () => {
  for (const thickMm of [0.3, 0.1, 0.02]) {
    const mesh = meshOf(rotatedSurface(box([9, 7, thickMm]), someAngles()));
    assertOneRegion(await thinOf(mesh, 1, LARGE), 63 * thickMm, 0.02, `${thickMm} mm`);
  }
});

for (const [angleDeg, declare] of sampledTests([15, 20, 30, 45], 4)) {
  declare(`a wedge of ${angleDeg}° is thin only at its edge, by its closed form`, async () => {
    const found = await thinOf(meshOf(wedge(angleDeg, 6, 6)), 1);
    assertOneRegion(found, 6 * wedgeTipMm2(angleDeg, 0.5), 0.05);
    const { min, max } = found.regions[0].box;
    assertWithin(max[2] - min[2], 6, 0.02);
    assert.ok(max[0] - min[0] < 0.5 / Math.tan(((angleDeg / 2) * Math.PI) / 180) + 0.15, `${max[0] - min[0]}`);
  });
}

/** A cone with its tip down; its base bulges by `domeMm`. */
const cone = (apexDeg: number, domeMm: number): Surface =>
  lathe(
    [
      [0, 0],
      [5 * Math.tan(((apexDeg / 2) * Math.PI) / 180), 5],
      [0, 5 + domeMm],
    ],
    64,
    false,
  );

const THICK: [what: string, surface: Surface][] = [
  ["a cube", box([4, 4, 4])],
  ["a cube little larger than the threshold", box([1.3, 1.3, 1.3])],
  ["a turned cube", rotatedSurface(box([3, 3, 3]), { x: 20, y: 31, z: 44 })],
  ["a tetrahedron", tetrahedron(6)],
  ["a ball", uvSphere(2)],
  ["a ball little larger than the threshold", uvSphere(0.55)],
  ["a cylinder", cylinder(2, 3)],
  ["a torus", torus(3, 1)],
  ["a blunt cone", cone(80, 3)],
];

for (const [what, surface] of THICK) {
  test(`${what} is thin nowhere`, async () => assert.deepEqual(await thinOf(meshOf(surface), 1), NOTHING));
}

test("a sharp cone is thin at its tip", async () => {
  const { regions } = await thinOf(meshOf(cone(30, 0.1)), 1);
  assert.equal(regions.length, 1);
  // The ball does not cover the cone from its tip to the circle of contact, minus a cap.
  const half = (15 * Math.PI) / 180;
  const toContact = (0.5 * Math.cos(half)) / Math.tan(half);
  const capMm = 0.5 * (1 - Math.sin(half));
  const coneMm3 = (Math.PI / 3) * (0.5 * Math.cos(half)) ** 2 * toContact;
  assertWithin(regions[0].volumeMm3, coneMm3 - ((Math.PI * capMm ** 2) / 3) * (1.5 - capMm), 0.06);
});

test("rods are thin below the threshold", async () => {
  assertOneRegion(await thinOf(meshOf(cylinder(0.45, 2)), 1, LARGE), cylinder(0.45, 2).volume, 0.01);
  assert.deepEqual(await thinOf(meshOf(cylinder(0.52, 2)), 1), NOTHING);
  assertOneRegion(await thinOf(meshOf(torus(1, 0.4)), 1, LARGE), torus(1, 0.4).volume, 0.01);
  assertOneRegion(await thinOf(meshOf(uvSphere(0.45)), 1, LARGE), uvSphere(0.45).volume, 0.02);
});

test("a hollow ball with a shell below the threshold is thin everywhere, in one region", async () => {
  const volume = uvSphere(2).volume - uvSphere(1.2).volume;
  const found = await thinOf(meshOf(uvSphere(2), insideOut(uvSphere(1.2))), 1);
  assertOneRegion(found, volume, 0.01);
  for (const mm of [...found.regions[0].box.max, ...found.regions[0].box.min]) assertWithin(Math.abs(mm), 2, 0.02);
  assert.deepEqual(await thinOf(meshOf(uvSphere(2), insideOut(uvSphere(0.9))), 1), NOTHING);
});

longTest("fins of a block are thin, and the edges of the block that they touch are not", async () => {
  const block = box([8, 5, 4]);
  // One fin is in the middle and one is flush with a side; overlapping bodies are one solid.
  const middle = moved(box([0.6, 5, 5]), [0, 0, 3]);
  const flush = moved(box([0.5, 5, 5]), [3.75, 0, 3]);
  const { status, regions } = await thinOf(meshOf(block, middle, flush), 1);
  assert.equal(status, "ANALYZED");
  assert.equal(regions.length, 2);
  // Fins are 3.5 mm high; a ball reaches into their root from below.
  const heights = regions.map(({ volumeMm3 }, i) => volumeMm3 / (5 * [0.6, 0.5][i]));
  for (const heightMm of heights) assert.ok(heightMm > 3.2 && heightMm < 3.7, `${heights}`);
  const [{ box: around }] = regions;
  [-0.3, -2.5, 2, 0.3, 2.5, 5.5].forEach((mm, i) => {
    const found = [...around.min, ...around.max][i];
    // The model's origin is the centre of its box, which is from z = −2 to 5.5.
    assert.ok(Math.abs(found - (i % 3 === 2 ? mm - 1.75 : mm)) < 0.2, `${i}: ${found}`);
  });
});

test("a neck between two thick blocks is thin, and nothing else", async () => {
  const blocks = [moved(box([2, 2, 2]), [-3, 0, 0]), moved(box([2, 2, 2]), [3, 0, 0])];
  assertOneRegion(await thinOf(meshOf(...blocks, box([5, 0.7, 0.7])), 1), 4 * 0.49, 0.2);
  assert.deepEqual(await thinOf(meshOf(...blocks, box([5, 1.2, 1.2])), 1), NOTHING);
});

test("a hole close to the side of a plate leaves a thin web", async () => {
  // A frame of four bars, one of them thin.
  const bars = [
    moved(box([0.7, 7, 3]), [-2.65, 0, 0]),
    moved(box([2, 7, 3]), [2, 0, 0]),
    moved(box([6, 2, 3]), [0, 4, 0]),
    moved(box([6, 2, 3]), [0, -4, 0]),
  ];
  const { regions } = await thinOf(meshOf(...bars), 1);
  assert.equal(regions.length, 1);
  assertWithin(regions[0].volumeMm3, 6 * 0.7 * 3, 0.08);
});

longTest("a solid of smooth lobes and a neck is thin where no ball on a fine grid covers it", async () => {
  const [lobe, neck, reach] = [1.4, 0.34, 2.2];
  const from = Math.asin(neck / lobe);
  const arc = Array.from({ length: 41 }, (_, i) => from + (Math.PI - from) * (i / 40));
  const right = arc.map((a) => [lobe * Math.sin(a), reach - lobe * Math.cos(a)] as const);
  const profile = [...right.map(([r, z]) => [r, -z] as const).toReversed(), ...right];
  profile[0] = [0, profile[0][1]];
  profile[profile.length - 1] = [0, profile.at(-1)![1]];
  const found = await thinOf(meshOf(lathe(profile, 96, false)), 1);
  assertOneRegion(found, thinByTrial(profile, 0.5), 0.05);
});

/** The volume of a solid of revolution that no ball of a radius covers; the balls are on a fine grid of its half-plane. */
function thinByTrial(profile: readonly (readonly [r: number, z: number])[], radius: number): number {
  const step = 0.02;
  const segments = profile.slice(1).map((end, i) => [profile[i], end] as const);
  const depth = (r: number, z: number): number =>
    Math.min(
      ...segments.map(([[pr, pz], [qr, qz]]) => {
        const t = ((r - pr) * (qr - pr) + (z - pz) * (qz - pz)) / ((qr - pr) ** 2 + (qz - pz) ** 2);
        const s = Math.min(1, Math.max(0, t));
        return Math.hypot(r - pr - s * (qr - pr), z - pz - s * (qz - pz));
      }),
    );
  const widthAt = (z: number): number => {
    const crossed = segments.find(([[, pz], [, qz]]) => pz <= z && z < qz);
    if (!crossed) return 0;
    const [[pr, pz], [qr, qz]] = crossed;
    return pr + ((z - pz) / (qz - pz)) * (qr - pr);
  };
  const [top] = [profile.at(-1)![1]];
  const centres: [number, number][] = [];
  const places: [number, number][] = [];
  for (let z = -top + step / 2; z < top; z += step) {
    for (let r = step / 2; r < widthAt(z); r += step) {
      if (depth(r, z) >= radius) centres.push([r, z]);
      else places.push([r, z]);
    }
  }
  const isCovered = ([r, z]: [number, number]): boolean =>
    centres.some(([a, b]) => (a - r) ** 2 + (b - z) ** 2 <= (radius + step / 4) ** 2);
  // Above and below the centres of the lobes the solid is thin nowhere.
  return places
    .filter((place) => Math.abs(place[1]) < 2.2 && !isCovered(place))
    .reduce((sum, [r]) => sum + 2 * Math.PI * r * step * step, 0);
}

test("scale and orientation change the volumes and boxes as they change the model, and nothing else", async () => {
  const mesh = meshOf(box([4, 3, 3]), moved(box([3, 0.6, 4]), [0, 0, 3]));
  const [plain] = (await thinOf(mesh, 1)).regions;
  const [twice] = (await thinOf(mesh, 2, { scale: 2 })).regions;
  assertWithin(twice.volumeMm3, 8 * plain.volumeMm3, 1e-9);
  plain.box.min.forEach((mm, axis) => assert.ok(Math.abs(twice.box.min[axis] - 2 * mm) < 1e-6));
  const [lying] = (await thinOf(mesh, 1, { orientation: { x: 90, y: 0, z: 0 } })).regions;
  assert.equal(lying.volumeMm3, plain.volumeMm3);
  assert.ok(Math.abs(lying.box.min[1] + plain.box.max[2]) < 1e-6);
  assert.ok(Math.abs(lying.box.max[2] - plain.box.max[1]) < 1e-6);
});

test("a rotated and moved mesh has the same volumes, and regions are sorted by volume", async () => {
  const fins = [3, 5, 2].map((mm, i) => moved(box([0.5, 4, mm]), [2 * i - 2, 0, 1 + mm / 2]));
  const parts = [box([7, 4, 3]), ...fins];
  const volumes = async (angles: { x: number; y: number; z: number }): Promise<number[]> =>
    (await thinOf(meshOf(...parts.map((part) => moved(rotatedSurface(part, angles), [3, 1, 2]))), 1)).regions.map(
      ({ volumeMm3 }) => volumeMm3,
    );
  const first = await volumes(UPRIGHT);
  assert.equal(first.length, 3);
  assert.deepEqual(
    first,
    first.toSorted((a, b) => b - a),
  );
  for (let i = 0; i < slowRuns(2); i++)
    (await volumes(someAngles())).forEach((mm3, k) => assertWithin(mm3, first[k], 0.03));
});

test("a body inside another one and an inverted body are solid, as in slices", async () => {
  assert.deepEqual(await thinOf(meshOf(box([4, 4, 4]), moved(box([3.4, 3.4, 3.4]), [0, 0, 0])), 1), NOTHING);
  assertOneRegion(await thinOf(meshOf(insideOut(box([3, 5, 0.8]))), 1, LARGE), 12, 0.01);
});

test("models that cannot be analysed have a status", async () => {
  assert.equal((await thinOf(meshOf(box([5, 5, 0.9])), 1)).status, "TOO_SMALL");
  assert.equal((await thinOf(meshOf(uvSphere(0.4)), 1)).status, "TOO_SMALL");
  assert.equal((await thinOf(meshOf(box([90, 90, 90])), 0.5)).status, "TOO_LARGE");
  assert.equal((await thinOf(meshOf(box([20_000, 1, 1])), 1)).status, "TOO_LARGE");
  assert.equal((await thinOf(meshOf(perforated(uvSphere(5), 1, random)), 1)).status, "MESH_ERROR");
  for (const surface of [box([5, 5, 0.9]), box([900, 900, 900]), perforated(uvSphere(5), 3, random)]) {
    assert.deepEqual((await thinOf(meshOf(surface), 1)).regions, []);
  }
});

longTest("the thin regions of a real part are within its box and its volume", async () => {
  const mesh = await realPart();
  const first = await thinOf(mesh, 3);
  assert.ok(first.regions.length > 0);
  assert.ok(thinVolumeOf(first) <= mesh.volumeMm3);
  for (const { box: around } of first.regions) {
    around.max.forEach((mm, axis) => {
      const half = (mesh.box.max[axis] - mesh.box.min[axis]) / 2 + 1e-3;
      assert.ok(mm <= half && around.min[axis] >= -half && mm >= around.min[axis]);
    });
  }
});

test("each run gives exactly the same regions", async () => {
  for (const [mesh, thresholdMm] of slowCases([
    [async () => meshOf(cylinder(0.9, 3, 12), moved(cylinder(0.4, 4, 12), [0, 0, 2])), 1],
    [realPart, 3],
  ] as const)) {
    const first = await thinOf(await mesh(), thresholdMm);
    assert.ok(first.regions.length > 0);
    assert.deepEqual(await thinOf(await mesh(), thresholdMm), first);
  }
});

test("progress rises, and the check can be cancelled", async () => {
  const mesh = meshOf(uvSphere(2), insideOut(uvSphere(1.3)));
  const request = { mesh, orientation: UPRIGHT, scale: 1, sizeMm: [4, 4, 4], thresholdMm: 1 } as const;
  const shares: number[] = [];
  const told = { report: (share: number) => void shares.push(share), part: () => told, silent: () => told };
  await thinFeatures(request, told);
  assert.ok(shares.length > 100);
  const state = newTaskState();
  const progress = taskProgress(state);
  let reports = 0;
  const cancelling = {
    report(share: number): void {
      if (++reports === 50) cancelTask(state);
      progress.report(share);
    },
    part: () => cancelling,
    silent: () => cancelling,
  };
  await assert.rejects(() => thinFeatures(request, cancelling), CancelledError);
  assert.equal(reports, 50);
  assert.equal((await thinFeatures(request, noProgress)).status, "ANALYZED");
});
