import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { bestFilling } from "../../src/feature/pack/best-filling.ts";
import { IDENTITY_POSE } from "../../src/geometry/pose.ts";
import { type FillRequest, type FilledChamber, fillChamber } from "../../src/pack/fill-chamber.ts";
import { longTest, slowCases } from "../fixture/long.ts";
import { box, torus } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/slices.ts";

const REGION = { min: [-82.5, -82.5, 0], max: [82.5, 82.5, 101], filletRadiusMm: 30 } as const;

const requestOf = (shape: Parameters<typeof meshOf>[0], changes: Partial<FillRequest> = {}): FillRequest => ({
  sources: [{ mesh: meshOf(shape), pose: IDENTITY_POSE, turns: "none", moves: true }],
  obstacles: [],
  region: REGION,
  spacingMm: 5,
  wallDistanceMm: 0,
  maxCopies: 100,
  ...changes,
});

/** The chosen filling, and the numbers of parts of the fillings of each kind. */
async function filled(request: FillRequest): Promise<{ filling: FilledChamber; boxed: number[]; whole: number[] }> {
  const [boxed, whole]: number[][] = [[], []];
  const filling = await bestFilling(request, async (one) => {
    const made = fillChamber(one, noProgress);
    (one.isBoxedFirst ? boxed : whole).push(countOf(made));
    return Promise.resolve(made);
  });
  return { filling, boxed, whole };
}

const countOf = ({ sources }: FilledChamber): number =>
  sources.reduce((sum, { pose, copies }) => sum + copies.length + (pose ? 1 : 0), 0);

test("if the parts are few and large, the chamber is filled in two ways at the same time, and the filling with more parts is chosen", async () => {
  for (const [shape, isBoxedBetter] of slowCases([
    [box([48, 48, 48]), true],
    [torus(30, 10, 24, 8), false],
  ] as const)) {
    const { filling, boxed, whole } = await filled(requestOf(shape));
    assert.deepEqual([boxed.length, whole.length], [1, 1]);
    assert.equal(boxed[0] > whole[0], isBoxedBetter, `${boxed[0]} and ${whole[0]}`);
    assert.equal(countOf(filling), Math.max(boxed[0], whole[0]));
  }
});

test("the two ways of filling run at the same time, on two threads", async () => {
  const begun: (() => void)[] = [];
  const filling = bestFilling(requestOf(box([48, 48, 48])), async (_, { index, count }) => {
    assert.equal(count, 2);
    await new Promise<void>((resolve) => {
      begun[index] = resolve;
      if (begun[0] && begun[1]) for (const resume of begun) resume();
    });
    return { sources: [{ pose: IDENTITY_POSE, copies: Array(1 + index).fill(IDENTITY_POSE) }], heightMm: 1 };
  });
  assert.equal((await filling).sources[0].copies.length, 2);
});

test("small parts, and parts in a chamber with straight corners, are filled in one way only", async () => {
  const straight = { ...REGION, filletRadiusMm: 0 };
  for (const request of [requestOf(box([10, 10, 10])), requestOf(box([48, 48, 48]), { region: straight })]) {
    const { boxed, whole } = await filled({ ...request, maxCopies: 2 });
    assert.deepEqual([boxed, whole], [[], [3]]);
  }
});

longTest("a source that finds no place stays where it is, if that place is valid", async () => {
  // The lid leaves no way out, which every found place must have.
  const lid = { mesh: meshOf(box([165, 165, 10])), pose: { ...IDENTITY_POSE, position: [0, 0, 90] as const } };
  const request = requestOf(box([60, 60, 20]), { obstacles: [lid], spacingMm: 12 });
  const at = (z: number) =>
    request.sources.map((one) => ({ ...one, pose: { ...one.pose, position: [0, 0, z] as const } }));
  const free = await filled({ ...request, sources: at(40) });
  assert.deepEqual(free.filling.sources[0].pose?.position, [0, 0, 40]);
  const overlapping = await filled({ ...request, sources: at(80) });
  assert.equal(overlapping.filling.sources[0].pose, undefined);
});
