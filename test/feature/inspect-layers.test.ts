import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../../src/core/api-error.ts";
import {
  CancelledError,
  cancelTask,
  newTaskState,
  noProgress,
  readProgress,
  taskProgress,
} from "../../src/core/progress.ts";
import { JOB_CHECKS } from "../../src/feature/job-files/job-checks.ts";
import { type InspectedLayers, inspectLayers } from "../../src/feature/job-files/inspect-layers.ts";
import { readJobHead } from "../../src/feature/job-files/read-job.ts";
import { layerBoundariesMm } from "../../src/slice/layer-heights.ts";
import type { Compute } from "../../src/worker/compute.ts";
import { checkRequest, cupsPerModel, minimaPerModel, modelBody, percentUnsupported } from "../fixture/check-request.ts";
import { jobOfBodies } from "../fixture/job/job-of-bodies.ts";
import { sampledTests } from "../fixture/long.ts";
import { BARE_TABLE, HANGING_ICICLES } from "../fixture/minima.ts";
import { box, lathe, uvSphere } from "../fixture/shapes.ts";
import { gridOf, meshOf } from "../fixture/slices.ts";
import { moved } from "../fixture/surface-edits.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import type { Mesh } from "../../src/mesh/mesh.ts";

// The checks of a job's layers find what the checks of the same plate find before it is sliced (`/v1/scene/model/validate/`).

const PIXEL_MM = 0.05;
const GRID = gridOf(500, 460, PIXEL_MM, true);
const THICKNESS_MM = 0.1;
const RULES = { selfSupportingAngleDeg: 45, bridgingDistanceMm: 5 };
const fileAt = temporaryFiles();

/** Runs tasks on this thread, each with copies of its input as on another. */
const context: Compute = {
  compute: async (task, input) => structuredClone(await task.run(structuredClone(input), noProgress)),
  tasksAtOnce: () => 3,
};

/** The part with its lowest point at `bottomMm`. */
async function inspected(mesh: Mesh, bottomMm = 0): Promise<InspectedLayers> {
  const { placed, box: bounds } = modelBody(0, mesh, [0, 0, bottomMm]);
  const boundariesMm = layerBoundariesMm(THICKNESS_MM, bounds.max[2], []);
  const file = fileAt("plate.ctb", jobOfBodies([placed], boundariesMm, GRID));
  const head = await readJobHead({ file }, noProgress);
  return inspectLayers({ file, head, pixelMm: [PIXEL_MM, PIXEL_MM], checks: JOB_CHECKS, ...RULES }, context);
}

const mugProfile = [
  [0, 0],
  [6, 0],
  [6, 10],
  [5, 10],
  [5, 1],
  [0, 1],
] as const;
const mug = meshOf(lathe(mugProfile, 48, false));
const hollowBall = meshOf(uvSphere(6, 32, 32), moved(insideOutSphere(5), [0, 0, 0]));
function insideOutSphere(radius: number) {
  const { vertices, triangles } = uvSphere(radius, 32, 32);
  const turned = Uint32Array.from(triangles);
  for (let i = 0; i < turned.length; i += 3) [turned[i], turned[i + 1]] = [turned[i + 1], turned[i]];
  return { vertices, triangles: turned };
}

/** Plates, and the islands and cups that they are built to have. */
const PLATES: readonly {
  readonly name: string;
  readonly mesh: Mesh;
  readonly bottomMm?: number;
  readonly islands: number;
  readonly cups: number;
}[] = [
  { name: "a cube", mesh: meshOf(box([10, 8, 3])), islands: 0, cups: 0 },
  { name: "a cube in the air", mesh: meshOf(box([10, 8, 3])), bottomMm: 2, islands: 1, cups: 0 },
  { name: "icicles below a table", mesh: meshOf(...BARE_TABLE, ...HANGING_ICICLES), islands: 3, cups: 0 },
  { name: "a mug", mesh: mug, islands: 0, cups: 1 },
  { name: "a hollow ball", mesh: hollowBall, islands: 0, cups: 1 },
  { name: "a hollow ball in the air", mesh: hollowBall, bottomMm: 1, islands: 1, cups: 1 },
  {
    name: "two mugs and a table without a leg",
    mesh: meshOf(
      moved(lathe(mugProfile, 48, false), [-6, 4, 0]),
      moved(lathe(mugProfile, 48, false), [6, -4, 0]),
      moved(box([3, 3, 1]), [-7, -7, 5]),
    ),
    islands: 1,
    cups: 2,
  },
];

for (const [{ name, mesh, bottomMm = 0, islands, cups }, testOne] of sampledTests(PLATES, 3)) {
  testOne(`the layers of ${name} have the islands and cups that the checks of the part find`, async () => {
    const found = await inspected(mesh, bottomMm);
    const request = checkRequest([modelBody(0, mesh, [0, 0, bottomMm])], THICKNESS_MM);
    assert.equal(found.islandCount, islands);
    assert.equal(found.cups.length, cups);
    assert.deepEqual(minimaPerModel(request, noProgress), [islands]);
    assert.deepEqual(cupsPerModel(request, noProgress), [cups]);
  });
}

test("overhangs farther than the bridging distance are found where the check of the part finds them", async () => {
  const table = (reach: number): Mesh =>
    meshOf(moved(box([4, 4, 3]), [0, 0, 1.5]), moved(box([4 + 2 * reach, 4, 1]), [0, 0, 3.5]));
  for (const [reachMm, areaMm2] of [
    [4, 0],
    [8, 2 * 3 * 4],
  ]) {
    const mesh = table(reachMm);
    const found = await inspected(mesh);
    // The edge of the last supported pixel is known within a pixel of 0.1 mm, and the first layer of the plate is lit as a whole.
    assert.ok(Math.abs(found.unsupportedMm2 - areaMm2) <= 0.1 * areaMm2, `${found.unsupportedMm2} mm²`);
    const [percent] = percentUnsupported({ ...checkRequest([modelBody(0, mesh)], THICKNESS_MM), ...RULES }, noProgress);
    assert.equal(percent > 0, areaMm2 > 0);
    assert.equal(found.overhangs.length, areaMm2 > 0 ? 2 : 0);
  }
});

test("sums, dark layers and light at the edges are those of the pictures", async () => {
  const wide = meshOf(box([25, 6, 1]), moved(box([2, 2, 1]), [0, 0, 2]));
  const found = await inspected(wide);
  const area = (pixels: number): number => pixels * PIXEL_MM ** 2;
  assert.ok(Math.abs(area(found.lit[0]) - 25 * 6) < 1e-9);
  assert.ok(Math.abs(area(found.values[0] / 255) - 25 * 6) < 1e-9);
  assert.deepEqual(found.border[0], 2 * (6 / PIXEL_MM));
  const dark = [...found.lit.keys()].filter((layer) => found.lit[layer] === 0);
  assert.deepEqual(
    dark,
    Array.from({ length: 10 }, (_, k) => 10 + k),
  );
});

test("a cancelled inspection ends at the next report, and the tasks report their progress", async () => {
  const file = fileAt("cancelled.ctb", jobOfBodies([modelBody(0, mug).placed], layerBoundariesMm(0.1, 10, []), GRID));
  const head = await readJobHead({ file }, noProgress);
  const request = { file, head, pixelMm: [PIXEL_MM, PIXEL_MM] as const, checks: JOB_CHECKS, ...RULES };
  const reported: number[] = [];
  const state = newTaskState();
  const cancelling: Compute = {
    async compute(task, input) {
      if (task.name === "walkJobOverhangs") cancelTask(state);
      const result = await task.run(input, taskProgress(state));
      reported.push(readProgress(state));
      return result;
    },
    tasksAtOnce: () => 1,
  };
  await assert.rejects(inspectLayers(request, cancelling), CancelledError);
  assert.ok(reported.length >= 1 && reported.every((share) => share > 0 && share < 1), String(reported));
});

test("a file whose exposures are no times is refused", async () => {
  const file = jobOfBodies([modelBody(0, meshOf(box([4, 4, 0.3]))).placed], layerBoundariesMm(0.1, 0.3, []), GRID);
  const view = new DataView(file.buffer, file.byteOffset);
  // The address of the table of layers, whose entries of 36 bytes have the exposure at byte 4.
  view.setFloat32(view.getUint32(64, true) + 36 + 4, Number.NaN, true);
  await assert.rejects(
    readJobHead({ file: fileAt("no-time.ctb", file) }, noProgress),
    (error) =>
      error instanceof ApiError && error.code === "OPERATION_FAILED" && /layer 1 has no exposure/.test(error.message),
  );
});
