import assert from "node:assert/strict";
import { test } from "node:test";
import { drawPlateLayers } from "../../src/calibrate/draw-plate.ts";
import { type Plate, planPlate } from "../../src/calibrate/plate-plan.ts";
import type { PlateFacts } from "../../src/calibrate/plate-shape.ts";
import { type FigureName, type ResinOfPlate, resinOfPlate } from "../../src/calibrate/resin-of-plate.ts";
import { noProgress } from "../../src/core/progress.ts";
import type { LayerRuns } from "../../src/slice/rasterise-layer.ts";
import { type HiddenPrinter, type PlatePictures, quantile, readPlate } from "../fixture/print-quality/read-plate.ts";
import { randomFrom } from "../fixture/random.ts";

// 200 random printers and resins, each with a plate of its own: how far the figures are from the hidden ones, from readings with 20 µm of noise on
// patches whose doses scatter by 2 %.

const PRINTERS = 200;
const LAYER_MM = 0.05;
const PIXEL_MM = 0.1;
const PLATE_S = 3;
const random = randomFrom(2029);
const between = (from: number, to: number): number => from + (to - from) * random();

/** The usual exposure bonds 1.05 to 2.25 times as much as needed; the plate has 1.25 times that. */
function hiddenPrinter(): HiddenPrinter {
  const penetrationMm = between(0.08, 0.25);
  return {
    penetrationMm,
    exposureRatio: 1.25 * between(1.05, 2.25) * Math.exp(LAYER_MM / penetrationMm),
    exponent: between(1, 3.5),
    blurMm: between(0.01, 0.03),
    scale: [between(0.99, 1.002), between(0.99, 1.002), between(0.99, 1.002)],
  };
}

function factsOf(response: number | undefined): PlateFacts {
  const grid = { pixels: [940, 560], pixelMm: [PIXEL_MM, PIXEL_MM], mirrorX: false, portrait: false } as const;
  return {
    grid,
    layerMm: LAYER_MM,
    greyLevels: 256,
    leastGrey: 1,
    timeRatio: response === undefined ? 5 : 1,
    response,
  };
}

async function printed(facts: PlateFacts): Promise<{ plate: Plate; pictures: PlatePictures }> {
  const plate = planPlate(facts)!;
  const pictures: PlatePictures["pictures"][number][] = [];
  const take = ({ width, height, rowStarts, starts, ends, values }: LayerRuns): void => {
    const pixels = new Uint8Array(width * height);
    for (let row = 0; row < height; row++)
      for (let run = rowStarts[row]!; run < rowStarts[row + 1]!; run++)
        pixels.fill(values[run]!, row * width + starts[run]!, row * width + ends[run]!);
    pictures.push({ width, height, pixels });
  };
  await drawPlateLayers(plate, facts.grid, [0, plate.layerCount], take, noProgress);
  const exposures = pictures.map((_, layer) => (layer === plate.levels.timed ? facts.timeRatio : 1));
  return { plate, pictures: { pictures, pixelMm: PIXEL_MM, layerMm: LAYER_MM, exposures } };
}

/** Fits what is read, and reads again what contradicts the rest. */
function fitted(facts: PlateFacts, plate: Plate, pictures: PlatePictures, hidden: HiddenPrinter): ResinOfPlate {
  const noise = { dose: 0.02, readingMm: 0.02, random };
  let values = readPlate(pictures, hidden, noise, plate.readings);
  for (let times = 0; ; times++) {
    const result = resinOfPlate(
      { facts, readings: plate.readings, values, readingErrorMm: 0.02, exposureS: PLATE_S, toleranceMm: 0.1 },
      noProgress,
    );
    if (result.doubtful.length === 0 || times === 8) return result;
    const again = readPlate(
      pictures,
      hidden,
      noise,
      result.doubtful.map(({ reading }) => reading),
    );
    values = values.map((one) => again.find(({ patch }) => patch === one.patch) ?? one);
  }
}

/** The share of the printers whose figure is within a distance, and the root mean square of its distances in standard errors. */
interface Judged {
  readonly shareWithin: (name: string, distance: number) => number;
  readonly errorsRms: (name: string) => number;
}

async function judge(isResponseKnown: boolean): Promise<Judged> {
  const distances = new Map<string, number[]>();
  const inErrors = new Map<string, number[]>();
  let unknown: Awaited<ReturnType<typeof printed>> | undefined;
  for (let k = 0; k < PRINTERS; k++) {
    const hidden = hiddenPrinter();
    const facts = factsOf(isResponseKnown ? hidden.exponent : undefined);
    const { plate, pictures } = isResponseKnown ? await printed(facts) : (unknown ??= await printed(facts));
    const { figures } = fitted(facts, plate, pictures, hidden);
    const passing = Math.exp(-LAYER_MM / hidden.penetrationMm);
    const exposureS = (PLATE_S * 1.3) / (hidden.exposureRatio * passing);
    const truth: Partial<Record<FigureName, number>> = {
      exposure_s: exposureS,
      penetration_mm: hidden.penetrationMm,
      blur_mm: hidden.blurMm,
      edge_growth_mm: hidden.blurMm * quantile(1 - (passing * (1 - passing)) / 1.3),
      print_through_mm: hidden.penetrationMm * Math.log(1.3 / (1 - passing)),
      scale_x: hidden.scale[0],
      scale_y: hidden.scale[1],
      response_exponent: hidden.exponent,
    };
    for (const { name, value, error } of figures) {
      const expected = truth[name];
      if (expected === undefined) continue;
      const relative = name === "exposure_s" || name === "penetration_mm" ? expected : 1;
      push(distances, name, Math.abs(value - expected) / relative);
      push(inErrors, name, (value - expected) / error);
    }
  }
  return {
    shareWithin: (name, distance) => {
      const all = distances.get(name)!;
      return all.filter((one) => one <= distance).length / all.length;
    },
    errorsRms: (name) => {
      const all = inErrors.get(name)!;
      return Math.sqrt(all.reduce((sum, one) => sum + one ** 2, 0) / all.length);
    },
  };
}

function push(map: Map<string, number[]>, name: string, value: number): void {
  map.set(name, [...(map.get(name) ?? []), value]);
}

test(
  "plates of panels with a known response tell the exposure within 2 % and widths within 5 µm",
  { timeout: 600_000 },
  async () => {
    const { shareWithin, errorsRms } = await judge(true);
    assert.ok(shareWithin("exposure_s", 0.02) >= 0.95, `exposure: ${shareWithin("exposure_s", 0.02)}`);
    assert.ok(shareWithin("edge_growth_mm", 0.005) >= 0.95, `edges: ${shareWithin("edge_growth_mm", 0.005)}`);
    // Over 30 mm.
    assert.ok(shareWithin("scale_x", 0.005 / 30) >= 0.9, `x: ${shareWithin("scale_x", 0.005 / 30)}`);
    assert.ok(shareWithin("scale_y", 0.0105 / 30) >= 0.9, `y: ${shareWithin("scale_y", 0.0105 / 30)}`);
    assert.ok(shareWithin("print_through_mm", 0.015) >= 0.95, `through: ${shareWithin("print_through_mm", 0.015)}`);
    for (const name of ["exposure_s", "penetration_mm", "blur_mm", "print_through_mm", "scale_x"])
      assert.ok(errorsRms(name) > 0.75 && errorsRms(name) < 1.25, `${name}: ${errorsRms(name)}`);
  },
);

test("plates measure an unknown response within 0.1, and the exposure within 3.5 %", { timeout: 600_000 }, async () => {
  const { shareWithin, errorsRms } = await judge(false);
  assert.ok(shareWithin("response_exponent", 0.1) >= 0.95, `response: ${shareWithin("response_exponent", 0.1)}`);
  assert.ok(shareWithin("exposure_s", 0.035) >= 0.95, `exposure: ${shareWithin("exposure_s", 0.035)}`);
  assert.ok(shareWithin("edge_growth_mm", 0.005) >= 0.95, `edges: ${shareWithin("edge_growth_mm", 0.005)}`);
  for (const name of ["exposure_s", "response_exponent"])
    assert.ok(errorsRms(name) > 0.7 && errorsRms(name) < 1.25, `${name}: ${errorsRms(name)}`);
});
