import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { greysName } from "../../src/feature/print/job-greys.ts";
import { rotationMatrix } from "../../src/geometry/pose.ts";
import { outlineOf } from "../../src/mesh/outline.ts";
import type { PlacedMesh } from "../../src/mesh/placed-mesh.ts";
import { type StackRequest, prepareStack } from "../../src/slice/stack.ts";
import { readGoo } from "../fixture/job/read-goo.ts";
import { slowRuns } from "../fixture/long.ts";
import { panelSetting, writeSceneJob } from "../fixture/print-quality/panel-job.ts";
import { fc } from "../fixture/property.ts";
import { box, uvSphere } from "../fixture/shapes.ts";
import { areasOf, evenly, gridOf, meshOf, picturesOf, placed } from "../fixture/slices.ts";
import { sceneModel, someScene } from "../fixture/some-scene.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";

const PIXEL_MM = 0.1;
const SIDE = 40;
const LAYERS = 4;
const STACK = { boundariesMm: evenly(LAYERS, 0.1), grid: gridOf(SIDE, SIDE, PIXEL_MM) };

const BALL = meshOf(uvSphere(0.6, 16, 8));
const BEAM = meshOf(box([0.33, 1.7, 2]));

/** A ball or a leaning beam. */
const body: fc.Arbitrary<PlacedMesh> = fc
  .record({
    isBall: fc.boolean(),
    x: fc.double({ min: -1.9, max: 1.9, noNaN: true }),
    y: fc.double({ min: -1.9, max: 1.9, noNaN: true }),
    z: fc.double({ min: -0.5, max: 0.9, noNaN: true }),
    angle: fc.double({ min: 0, max: 180, noNaN: true }),
  })
  .map(({ isBall, x, y, z, angle }) =>
    placed(isBall ? BALL : BEAM, {
      position: [x, y, z],
      orientation: { x: angle, y: angle / 2, z: 2 * angle },
    }),
  );

const bodies = (minLength: number) => fc.array(body, { minLength, maxLength: 3 });

/** What each picture should show: the parts, and white where the picture of the supports alone is at least half white. */
function expected(parts: readonly PlacedMesh[], supports: readonly PlacedMesh[], more: Partial<StackRequest>) {
  const [grey, rims] = [parts, supports].map((placed) => picturesOf({ ...STACK, ...more, placed }));
  return grey!.map((pixels, k) => pixels.map((value, at) => (rims![k]![at]! >= 128 ? 255 : value)));
}

for (const [what, more] of [
  ["inside the volume", {}],
  ["clipped to the volume", { clipTo: { dimensionsMm: [3, 3, 10], filletRadiusMm: 0.4 } }],
  ["on a mirrored panel", { grid: gridOf(SIDE, SIDE, PIXEL_MM, true) }],
] as const) {
  test(`${what}, pixels have the grey of parts, or the white of supports that cover half of them`, () => {
    fc.assert(
      fc.property(bodies(0), bodies(1), (parts, supports) => {
        const placed = [...supports, ...parts];
        const isSupport = placed.map((_, k) => k < supports.length);
        const request = { ...STACK, ...more, placed } as StackRequest;
        assert.deepEqual(picturesOf({ ...request, isSupport }), expected(parts, supports, more as never));
        assert.deepEqual(areasOf({ ...request, isSupport }), areasOf(request));
      }),
      { numRuns: slowRuns(40) },
    );
  });
}

test("a support at the place of an equal part does not hide its grey", () => {
  const one = placed(BEAM, { position: [0.013, 0, 0] });
  const request = { ...STACK, placed: [one, one], isSupport: [true, false] };
  assert.deepEqual(picturesOf(request), expected([one], [one], {}));
  assert.equal(prepareStack({ ...request, isSupport: undefined }, noProgress).solidOf.length, 1);
});

const fileAt = temporaryFiles();

test("a job has grey on parts, and none on pixels of supports alone", async () => {
  const support = placed(BEAM, { position: [-1.021, 0.037, 0.2] });
  const part = placed(BALL, { position: [0.9, 0, 0.2] });
  const supports = { ...support, outline: outlineOf(support.mesh, rotationMatrix(support.pose.orientation)) };
  const setting = panelSetting({ format: "goo", extension: ".goo", sidePixels: SIDE, pixelMm: PIXEL_MM, layerMm: 0.1 });
  const scene = someScene([sceneModel({ ...part, supports: supports as never })], setting);
  const path = fileAt("job.goo", "");
  const greysLeftAndRight = async (supportsWithoutGrey: boolean): Promise<number[]> => {
    await writeSceneJob(scene, path, { drawing: { supportsWithoutGrey } });
    const counts = [0, 0];
    for (const { picture } of readGoo(readFileSync(path)).layers) {
      picture.pixels.forEach((value, at) => (counts[at % SIDE < SIDE / 2 ? 0 : 1]! += Number(value % 255 > 0)));
    }
    return counts;
  };
  const [[left, right], [leftBefore, rightBefore]] = [await greysLeftAndRight(true), await greysLeftAndRight(false)];
  assert.deepEqual([left, right], [0, rightBefore]);
  assert.ok(leftBefore! > 20 && rightBefore! > 20);
  assert.equal(greysName(scene, { supportsWithoutGrey: true }), "supports without grey");
  assert.equal(greysName(scene, {}), undefined);
});
