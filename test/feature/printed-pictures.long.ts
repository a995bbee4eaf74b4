import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { ResinFigures } from "../../src/catalog/resin.ts";
import type { Surface } from "../../src/mesh/mesh.ts";
import { type Picture, encodePng } from "../../src/codec/png.ts";
import { noProgress } from "../../src/core/progress.ts";
import { pictureDifference } from "../fixture/golden-picture.ts";
import { readGoo } from "../fixture/job/read-goo.ts";
import { ORIGIN, panelSetting, writeSceneJob } from "../fixture/print-quality/panel-job.ts";
import { curedJob, curingFigures } from "../fixture/print-quality/cured-part.ts";
import { type SectionPart, overhang, sideHole, thinFloor, within } from "../fixture/print-quality/cured-shapes.ts";
import { curedColumns } from "../fixture/print-quality/printed-solid.ts";
import { type SectionView, sectionPicture } from "../fixture/print-quality/section-picture.ts";
import { type Deviation, type SolidView, solidPicture } from "../fixture/print-quality/solid-picture.ts";
import { readPng } from "../fixture/read-png.ts";
import { lathe } from "../fixture/shapes.ts";
import { meshOf, placed } from "../fixture/slices.ts";
import { sceneModel, someScene } from "../fixture/some-scene.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";

// The pictures of docs/print-quality.md: what a simulated printer makes of job files, without and with the figures of its panel and resin.

const PIXEL_MM = 0.05;
const SIDE = 24;
const [INNER_PX, OUTER_PX] = [4.3, 10.2];
const GAMMA = 3;
const BLUR_PX = 0.5;
const OPTICS = { response: { value: GAMMA, ...ORIGIN }, blur_mm: { value: BLUR_PX * PIXEL_MM, ...ORIGIN } };

const fileAt = temporaryFiles();

interface RingPrint {
  readonly optics?: object;
  readonly resin?: ResinFigures;
  /** Dose of white pixels in units of the least one that cures. */
  readonly ratio?: number;
}

async function ringView({ optics, resin, ratio = 2 }: RingPrint): Promise<SolidView> {
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
  await writeSceneJob(someScene([sceneModel(ring)], panelSetting({ ...panel, optics, resin })), path);
  return {
    picture: readGoo(readFileSync(path)).layers[0]!.picture,
    light: { doseOf: (grey) => (grey / 255) ** GAMMA, blurPx: BLUR_PX },
    curesAt: 1 / ratio,
    isInside(x, y) {
      const distance = Math.hypot(x - SIDE / 2, y - SIDE / 2);
      return distance >= INNER_PX && distance <= OUTER_PX;
    },
  };
}

test("the documents show what a simulated printer makes of a ring, without and with the figures of its panel", async () => {
  const { drawn, deviations } = solidPicture([await ringView({}), await ringView({ optics: OPTICS })]);
  const [without, corrected] = deviations.map(meanPixels);
  assert.ok(without! > 0.2 && without! < 0.3, `${without} pixels without the figures`);
  assert.ok(corrected! < without! / 7, `${corrected} pixels with them`);
  requirePicture("printed-ring.png", drawn);
});

/** Mean distance of the edges of a ring from their places. */
const meanPixels = ({ missing, added }: Deviation): number => (missing + added) / (2 * Math.PI * (INNER_PX + OUTER_PX));

/** Exposure of a bottom layer, in normal ones. */
const BOTTOM = 8;
const RATIO = 2.6;

test("the documents show what a simulated printer makes of a bottom layer, without and with its edges moved", async () => {
  const exposed = { exposure_s: 2, bottom_exposure_s: 2 * BOTTOM, bottom_layers: 1 };
  const cure = { exposure_ratio: { value: RATIO, ...ORIGIN } };
  const printed = (resin: ResinFigures) => ringView({ optics: OPTICS, resin, ratio: RATIO * BOTTOM });
  const { drawn, deviations } = solidPicture([await printed(exposed), await printed({ ...exposed, cure })]);
  const [without, corrected] = deviations.map(meanPixels);
  assert.ok(without! > 0.7, `${without} pixels without the figures`);
  assert.ok(corrected! < without! / 5, `${corrected} pixels with them`);
  requirePicture("printed-bottom-layer.png", drawn);
});

/** Requires that a document shows a picture. It is written to dist/pictures. */
function requirePicture(name: string, drawn: Picture): void {
  const root = join(import.meta.dirname, "../..");
  const bytes = Buffer.concat(encodePng(drawn, noProgress));
  mkdirSync(join(root, "dist/pictures"), { recursive: true });
  writeFileSync(join(root, "dist/pictures", name), bytes);
  const difference = pictureDifference(readPng(readFileSync(join(root, "docs", name))), readPng(bytes));
  assert.ok(difference.share < 1e-3, JSON.stringify(difference));
}

const RESIN = { penetrationMm: 0.15, exposureRatio: 2.3 };
const PLATE = { sidePixels: 320, pixelMm: PIXEL_MM, layerMm: 0.05 } as const;
const PIXELS_PER_MM = 50;
const [SECTION_MM, SECTION_HEIGHT_MM] = [15, 6.6];

/** Parts of a plate, at places along x. */
const PARTS: readonly (readonly [xMm: number, part: SectionPart])[] = [
  [-4.2, sideHole(3)],
  [2.2, overhang(30)],
  [5.4, thinFloor(0.3)],
];

/** A section through the middle of the plate. */
async function plateView(overCure: boolean): Promise<SectionView> {
  const placedParts = PARTS.map(([xMm, { part, supports }]) => ({
    part: shifted(part, xMm),
    supports: supports && shifted(supports, xMm),
  }));
  const job = await curedJob(placedParts, { ...PLATE, resin: curingFigures(RESIN, overCure) });
  const xs = within(-SECTION_MM / 2, SECTION_MM / 2, SECTION_MM * PIXELS_PER_MM);
  const light = { doseOf: (grey: number) => grey / 255, blurPx: 0.2 };
  const middle = PLATE.sidePixels / 2;
  const columns = curedColumns(
    job,
    light,
    RESIN,
    xs.map((x) => middle + x / PIXEL_MM),
    [middle],
  );
  return {
    columns: xs.map((_, column) => columns(column, 0)),
    isInside: (column, zMm) => PARTS.some(([xMm, { isInside }]) => isInside(xs[column]! - xMm, zMm)),
  };
}

const shifted = ({ vertices, triangles }: Surface, xMm: number): Surface => ({
  vertices: Float64Array.from(vertices, (value, i) => (i % 3 === 0 ? value + xMm : value)),
  triangles,
});

test("the documents show what a simulated printer makes of lower faces, without and with the figures of its resin", async () => {
  const views = [await plateView(false), await plateView(true)];
  requirePicture("printed-lower-faces.png", sectionPicture(views, SECTION_HEIGHT_MM, PIXELS_PER_MM));
});
