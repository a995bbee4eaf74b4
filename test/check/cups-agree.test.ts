import assert from "node:assert/strict";
import { test } from "node:test";
import { emptyLayer, emptyRegionsOf, findPockets } from "../../src/geometry/pockets.ts";
import { noProgress } from "../../src/core/progress.ts";
import { type EulerDeg, rotationMatrix } from "../../src/geometry/pose.ts";
import type { Surface } from "../../src/mesh/mesh.ts";
import { airAround } from "../../src/orient/air-voxels.ts";
import { partShape } from "../../src/orient/part-shape.ts";
import { sealedSpace } from "../../src/orient/sealed-air.ts";
import { spanGridOver, spanLayers } from "../../src/slice/span-layers.ts";
import { checkRequest, cupsPerModel, modelBody } from "../fixture/check-request.ts";
import { BRACKET, CONE, MUG } from "../fixture/orienting.ts";
import { box, cylinder, lathe, torus, uvSphere } from "../fixture/shapes.ts";
import { slowRuns } from "../fixture/long.ts";
import { meshOf } from "../fixture/slices.ts";
import { moved } from "../fixture/surface-edits.ts";

// check/cups counts the cups of true layers, orient/sealed-air measures those of coarse voxels. Both follow the
// definition in src/check/cups.ts, so they agree for parts without closed cavities whose cups are large for the voxels,
// or which have none.

const LAYER_MM = 0.4;
const PIXEL_MM = 0.2;
/** Pockets smaller than this, in voxels of orient, may be cups for check and artefacts for orient. */
const [MIN_AREA_VOXELS, MIN_MEAN_DEPTH_VOXELS] = [40, 3];
/** Share by which the areas may differ. */
const AREA_TOLERANCE = 0.12;

const tray = (...walls: readonly Surface[]): readonly Surface[] => [moved(box([40, 24, 3]), [0, 0, 1.5]), ...walls];
const wallAlongX = (y: number): Surface => moved(box([40, 2, 12]), [0, y, 6]);
const wallAlongY = (x: number): Surface => moved(box([2, 24, 12]), [x, 0, 6]);

const SHAPES: Readonly<Record<string, readonly Surface[]>> = {
  box: [box([30, 20, 10])],
  ball: [uvSphere(15)],
  cone: [CONE],
  bracket: [BRACKET],
  cylinder: [cylinder(10, 30)],
  ring: [torus(20, 5)],
  mug: [MUG],
  bowl: [
    lathe(
      [
        [0, 0],
        [8, 0],
        [20, 14],
        [17, 14],
        [6, 3],
        [0, 3],
      ],
      64,
      false,
    ),
  ],
  tube: [
    lathe(
      [
        [10, 0],
        [13, 0],
        [13, 30],
        [10, 30],
      ],
      64,
      true,
    ),
  ],
  channel: tray(wallAlongX(-11), wallAlongX(11)),
  "open tray": tray(wallAlongX(-11), wallAlongX(11), wallAlongY(-19)),
  tray: tray(wallAlongX(-11), wallAlongX(11), wallAlongY(-19), wallAlongY(19)),
  "tray of two": tray(wallAlongX(-11), wallAlongX(11), wallAlongY(-19), wallAlongY(0), wallAlongY(19)),
};

const ORIENTATIONS: readonly EulerDeg[] = [
  { x: 0, y: 0, z: 0 },
  { x: 20, y: 10, z: 30 },
  { x: 150, y: 20, z: 0 },
  { x: 180, y: 0, z: 0 },
  { x: 90, y: 0, z: 0 },
  { x: -90, y: 0, z: 0 },
  { x: 0, y: 90, z: 0 },
  { x: 0, y: -90, z: 0 },
  { x: -35, y: 0, z: 60 },
  { x: 60, y: -40, z: 15 },
  { x: -120, y: 30, z: 80 },
];

/** The plain suite compares the first orientations only. */
const COMPARED = slowRuns(ORIENTATIONS.length);

for (const [name, surfaces] of Object.entries(SHAPES)) {
  test(`${name}: check and orient find the same cups`, () => {
    const mesh = meshOf(...surfaces);
    const { surface, extremes } = partShape(mesh, 1);
    const air = airAround(surface, extremes, [1, 0, 0, 0, 1, 0, 0, 0, 1]);
    let compared = 0;
    for (const orientation of ORIENTATIONS.slice(0, COMPARED)) {
      const body = modelBody(0, mesh, [0, 0, 0], { orientation });
      const request = checkRequest([body], LAYER_MM);
      const { boundariesMm } = request;
      const grid = spanGridOver(body.box, PIXEL_MM);
      const layers = spanLayers({ placed: [body.placed], boundariesMm, grid, minCoverage: 128 }, noProgress);
      const empty = layers.map((layer) => emptyLayer(layer, grid.columns));
      const pockets = findPockets(emptyRegionsOf(empty, grid.columns), boundariesMm, PIXEL_MM)
        .map(({ volumeMm3, widestPixels }) => ({ volumeMm3, areaMm2: widestPixels * PIXEL_MM ** 2 }))
        .filter(({ volumeMm3 }) => volumeMm3 >= 1);
      const what = `${name}, ${JSON.stringify(orientation)}`;
      assert.equal(cupsPerModel(request, noProgress)[0], pockets.length, what);
      const areClear = pockets.every(
        ({ volumeMm3, areaMm2 }) =>
          areaMm2 >= MIN_AREA_VOXELS * air.voxelMm ** 2 && volumeMm3 / areaMm2 >= MIN_MEAN_DEPTH_VOXELS * air.voxelMm,
      );
      if (!areClear) continue;
      compared++;
      const [, , , , , , x, y, z] = rotationMatrix(orientation);
      const found = sealedSpace(air, [x, y, z], surface.vertices).areaMm2;
      const expected = pockets.reduce((sum, { areaMm2 }) => sum + areaMm2, 0);
      assert.ok(
        Math.abs(found - expected) <= AREA_TOLERANCE * expected,
        `${what}: ${found} instead of ${expected} mm²`,
      );
    }
    assert.ok(compared >= COMPARED - 1, `only ${compared} orientations compared`);
  });
}
