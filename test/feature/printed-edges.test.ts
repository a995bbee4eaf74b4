import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { newId } from "../../src/core/id.ts";
import { readGoo } from "../fixture/job/read-goo.ts";
import { ORIGIN, panelSetting, writeSceneJob } from "../fixture/print-quality/panel-job.ts";
import { edgeError } from "../fixture/print-quality/printed-edges.ts";
import { box } from "../fixture/shapes.ts";
import { meshOf, placed } from "../fixture/slices.ts";
import { sceneModel, someScene } from "../fixture/some-scene.ts";

// Edges that a simulated printer makes of the job file of a leaning plate, each of whose layers is elsewhere between the pixels.

const PIXEL_MM = 0.05;
const SIDE_PIXELS = 120;
const LAYER_MM = 0.05;
const LAYERS = 7;
const [WIDTH_MM, DEPTH_MM] = [2.513, 1.817];
/** Shift of a layer against the one below, pixels. */
const SHIFT_PX = [0.371, 0.217] as const;
const GAMMA = 3;
const BLUR_PX = 0.5;
const LIGHT = { doseOf: (grey: number) => (grey / 255) ** GAMMA, blurPx: BLUR_PX };

const RESPONSE = { value: GAMMA, ...ORIGIN };
const BLUR = { value: BLUR_PX * PIXEL_MM, ...ORIGIN };

function plate(angleDeg: number) {
  const shape = box([WIDTH_MM, DEPTH_MM, LAYERS * LAYER_MM]);
  const vertices = Float32Array.from(shape.vertices);
  const [cos, sin] = [Math.cos((angleDeg * Math.PI) / 180), Math.sin((angleDeg * Math.PI) / 180)];
  for (let at = 0; at < vertices.length; at += 3) {
    const [x, y, z] = [vertices[at]!, vertices[at + 1]!, vertices[at + 2]!];
    const layers = z / LAYER_MM;
    vertices[at] = cos * x - sin * y + layers * SHIFT_PX[0] * PIXEL_MM;
    vertices[at + 1] = sin * x + cos * y + layers * SHIFT_PX[1] * PIXEL_MM;
  }
  return { mesh: meshOf({ ...shape, vertices }), cos, sin };
}

const folder = mkdtempSync(join(tmpdir(), "printwright-edges-"));
after(() => rmSync(folder, { recursive: true }));

async function picturesOf(mesh: ReturnType<typeof meshOf>, optics: object | undefined) {
  const setting = panelSetting({
    format: "goo",
    extension: ".goo",
    sidePixels: SIDE_PIXELS,
    pixelMm: PIXEL_MM,
    layerMm: LAYER_MM,
    optics,
  });
  const path = join(folder, `${newId()}.goo`);
  await writeSceneJob(
    someScene([sceneModel({ ...placed(mesh, { position: [0, 0, (LAYERS * LAYER_MM) / 2] }) })], setting),
    path,
  );
  return readGoo(readFileSync(path)).layers.map(({ picture }) => picture);
}

/** The largest distance of the printed edges of all layers from the true ones, in pixels, and their mean. */
async function errorsOf(angleDeg: number, optics: object | undefined) {
  const { mesh, cos, sin } = plate(angleDeg);
  const pictures = await picturesOf(mesh, optics);
  assert.equal(pictures.length, LAYERS);
  const errors = pictures.flatMap((picture, k) => {
    const layers = k + 0.5 - LAYERS / 2;
    const centre = [SIDE_PIXELS / 2 + layers * SHIFT_PX[0], SIDE_PIXELS / 2 - layers * SHIFT_PX[1]] as const;
    return SIDES.flatMap(([nx, ny, halfMm]) =>
      ALONG_PX.map((along) => {
        const out = halfMm / PIXEL_MM;
        const [x, y] = [nx * out - ny * along, ny * out + nx * along];
        const at = [centre[0] + cos * x - sin * y, centre[1] - sin * x - cos * y] as const;
        return edgeError(picture, LIGHT, at, [cos * nx - sin * ny, -sin * nx - cos * ny]);
      }),
    );
  });
  return {
    worst: Math.max(...errors.map(Math.abs)),
    mean: errors.reduce((sum, error) => sum + error, 0) / errors.length,
  };
}

/** Outward normals of the sides, and their distances from the middle. */
const SIDES = [
  [1, 0, WIDTH_MM / 2],
  [0, 1, DEPTH_MM / 2],
  [-1, 0, WIDTH_MM / 2],
  [0, -1, DEPTH_MM / 2],
] as const;
const ALONG_PX = [-7.3, 0.2, 6.6];

const ANGLES_DEG = [0, 7, 14, 22.5, 30, 38, 45];

test("edges of all angles are printed within 0.05 pixels of their places, those along an axis within 0.01", async () => {
  for (const angle of ANGLES_DEG) {
    const { worst } = await errorsOf(angle, { response: RESPONSE, blur_mm: BLUR });
    assert.ok(worst <= (angle === 0 ? 0.01 : 0.05), `${worst} pixels at ${angle}°`);
  }
});

test("without the figures of the panel, edges are a quarter of a pixel inside", async () => {
  for (const angle of [0, 22.5]) {
    const { worst, mean } = await errorsOf(angle, undefined);
    assert.ok(worst > 0.3 && mean < -0.15 && mean > -0.35, `${worst}, mean ${mean} pixels at ${angle}°`);
  }
});

test("the response alone brings edges within 0.1 pixels", async () => {
  for (const angle of [0, 22.5]) {
    const { worst } = await errorsOf(angle, { response: RESPONSE });
    assert.ok(worst <= 0.1, `${worst} pixels at ${angle}°`);
  }
});
