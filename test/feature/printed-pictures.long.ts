import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { encodePng } from "../../src/codec/png.ts";
import { noProgress } from "../../src/core/progress.ts";
import { pictureDifference } from "../fixture/golden-picture.ts";
import { readGoo } from "../fixture/job/read-goo.ts";
import { ORIGIN, panelSetting, writeSceneJob } from "../fixture/print-quality/panel-job.ts";
import { type SolidView, solidPicture } from "../fixture/print-quality/solid-picture.ts";
import { readPng } from "../fixture/read-png.ts";
import { lathe } from "../fixture/shapes.ts";
import { meshOf, placed } from "../fixture/slices.ts";
import { sceneModel, someScene } from "../fixture/some-scene.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";

// The pictures of docs/print-quality.md: what a simulated printer makes of the job file of a ring, without and with the figures of its panel.

const PIXEL_MM = 0.05;
const SIDE = 24;
const [INNER_PX, OUTER_PX] = [4.3, 10.2];
const GAMMA = 3;
const BLUR_PX = 0.5;
const OPTICS = { response: { value: GAMMA, ...ORIGIN }, blur_mm: { value: BLUR_PX * PIXEL_MM, ...ORIGIN } };

const fileAt = temporaryFiles();

async function ringView(optics: object | undefined): Promise<SolidView> {
  const [inner, outer] = [INNER_PX * PIXEL_MM, OUTER_PX * PIXEL_MM];
  const profile = [
    [inner, -0.05],
    [outer, -0.05],
    [outer, 0.05],
    [inner, 0.05],
  ] as const;
  const ring = placed(meshOf(lathe(profile, 360, true)), { position: [0, 0, 0.05] });
  const panel = { format: "goo", extension: ".goo", sidePixels: SIDE, pixelMm: PIXEL_MM, layerMm: 0.1 } as const;
  const path = fileAt("ring.goo", "");
  await writeSceneJob(someScene([sceneModel(ring)], panelSetting({ ...panel, optics })), path);
  return {
    picture: readGoo(readFileSync(path)).layers[0]!.picture,
    light: { doseOf: (grey) => (grey / 255) ** GAMMA, blurPx: BLUR_PX },
    isInside(x, y) {
      const distance = Math.hypot(x - SIDE / 2, y - SIDE / 2);
      return distance >= INNER_PX && distance <= OUTER_PX;
    },
  };
}

test("the documents show what a simulated printer makes of a ring, without and with the figures of its panel", async () => {
  const { drawn, deviations } = solidPicture([await ringView(undefined), await ringView(OPTICS)]);
  const edgePx = 2 * Math.PI * (INNER_PX + OUTER_PX);
  const [without, corrected] = deviations.map(({ missing, added }) => (missing + added) / edgePx);
  assert.ok(without! > 0.2 && without! < 0.3, `${without} pixels without the figures`);
  assert.ok(corrected! < without! / 7, `${corrected} pixels with them`);
  const root = join(import.meta.dirname, "../..");
  const bytes = Buffer.concat(encodePng(drawn, noProgress));
  mkdirSync(join(root, "dist/pictures"), { recursive: true });
  writeFileSync(join(root, "dist/pictures/printed-ring.png"), bytes);
  const difference = pictureDifference(readPng(readFileSync(join(root, "docs/printed-ring.png"))), readPng(bytes));
  assert.ok(difference.share < 1e-3, JSON.stringify(difference));
});
