import assert from "node:assert/strict";
import { test } from "node:test";
import { drawPlateLayers } from "../../src/calibrate/draw-plate.ts";
import { PLATE_MM, type Plate, planPlate, timedExposures } from "../../src/calibrate/plate-plan.ts";
import type { PlateFacts, PlateShape } from "../../src/calibrate/plate-shape.ts";
import { noProgress } from "../../src/core/progress.ts";
import type { LayerRuns } from "../../src/slice/raster/rasterise-layer.ts";

const FACTS: PlateFacts = {
  grid: { pixels: [1921, 1200], pixelMm: [0.05, 0.05], mirrorX: false, portrait: false },
  layerMm: 0.05,
  greyLevels: 256,
  leastGrey: 1,
  timeRatio: 8,
  cornerLayers: 20,
};

const planned = (facts: Partial<PlateFacts> = {}): Plate => planPlate({ ...FACTS, ...facts })!;

/** The pixels of a layer, seen from above. */
async function pictureOf(
  plate: Plate,
  facts: PlateFacts,
  layer: number,
): Promise<(column: number, row: number) => number> {
  let pixels = new Uint8Array();
  const [width] = facts.grid.portrait ? facts.grid.pixels.toReversed() : facts.grid.pixels;
  const take = ({ height, rowStarts, starts, ends, values }: LayerRuns): void => {
    pixels = new Uint8Array(width! * height);
    for (let row = 0; row < height; row++)
      for (let run = rowStarts[row]!; run < rowStarts[row + 1]!; run++)
        pixels.fill(values[run]!, row * width! + starts[run]!, row * width! + ends[run]!);
  };
  await drawPlateLayers(plate, facts.grid, [layer, layer + 1], take, noProgress);
  return (column, row) => pixels[row * width! + column]!;
}

test("each number of a reading stands on the plate, once", () => {
  const { shapes, readings } = planned();
  const legends = shapes.filter((shape) => shape.kind === "legend").map(({ text }) => text);
  const numbers = new Set(readings.map(({ patch }) => /^\d+/.exec(patch)?.[0]).filter((one) => one !== undefined));
  const marks = ["10", "20", "30", "40"];
  assert.deepEqual(legends.toSorted(), [...numbers, ...marks].toSorted());
  assert.equal(new Set(readings.map(({ patch }) => patch)).size, readings.length);
});

test("a plate keeps to its outline, and pads to their places", () => {
  const { shapes, layerCount, levels } = planned();
  const [halfX, halfY] = [PLATE_MM[0] / 2 + 0.05, PLATE_MM[1] / 2 + 0.05];
  for (const shape of shapes) {
    assert.ok(shape.from < shape.to && shape.to <= layerCount, JSON.stringify(shape));
    if (shape.kind !== "bar") continue;
    assert.ok(shape.x[0] < shape.x[1] && shape.y[0] < shape.y[1], JSON.stringify(shape));
    assert.ok(shape.x[0] >= -halfX && shape.x[1] <= halfX && shape.y[0] >= -halfY && shape.y[1] <= halfY);
  }
  // Greys replace nothing but white stumps below them.
  const grey = shapes.filter((shape) => shape.kind === "bar" && shape.grey > 0 && shape.grey < 255) as Bar[];
  const white = shapes.filter((shape) => shape.kind === "bar" && shape.grey === 255 && shape.from > 0) as Bar[];
  const overlap = (a: Bar, b: Bar): boolean =>
    Math.min(a.x[1], b.x[1]) - Math.max(a.x[0], b.x[0]) > 1e-6 &&
    Math.min(a.y[1], b.y[1]) - Math.max(a.y[0], b.y[0]) > 1e-6 &&
    Math.min(a.to, b.to) > Math.max(a.from, b.from);
  const others = [...grey, ...white];
  for (const one of grey)
    assert.equal(
      others.find((other) => one !== other && overlap(one, other)),
      undefined,
    );
  assert.ok(levels.base < levels.timed && levels.timed < levels.normal && levels.normal < layerCount - 14);
});

type Bar = PlateShape & { readonly kind: "bar" };

test("rows of pads fall in brightness, and those of a kind together in fine steps", () => {
  for (const response of [undefined, 3]) {
    const { readings } = planned({ response, timeRatio: response === undefined ? 5 : 1 });
    for (const kind of ["towers", "skins"] as const) {
      const rows = readings.flatMap(({ of }) =>
        of.kind === kind && (of.kind === "towers" || of.exposure === 1) ? [of.greys] : [],
      );
      for (const greys of rows)
        assert.deepEqual(
          greys.toSorted((a, b) => b - a),
          greys,
        );
      const all = [...new Set(rows.flat())].toSorted((a, b) => b - a);
      const steps = all.slice(1).map((grey, i) => Math.log(all[i]! / grey));
      // Steps of all greys from the brightest to the darkest, of less than 4 % of a grey.
      assert.ok(Math.max(...steps) < 0.04, `${kind} ${response} ${Math.max(...steps)}`);
    }
  }
});

test("the picture of a layer has the greys and the lengths of the readings", async () => {
  const facts = FACTS;
  const plate = planned();
  const top = await pictureOf(plate, facts, plate.levels.top - 1);
  const column = (mm: number): number => Math.round(mm / 0.05 + 1921 / 2);
  const row = (mm: number): number => Math.floor(1200 / 2 - mm / 0.05);
  const runsOf = (y: number, from: number, to: number): number[][] => {
    const runs: number[][] = [];
    for (let at = column(from); at < column(to); at++) {
      const value = top(at, row(y));
      if (runs.at(-1)?.[0] === value) runs.at(-1)![1]!++;
      else runs.push([value, 1]);
    }
    return runs.filter(([value]) => value! > 0);
  };
  // The first row are towers, from the left; the second row of towers runs the other way.
  const towers = plate.readings.filter(({ of }) => of.kind === "towers");
  const rowY = (patch: string): number => 21.87 - 1.66 * (Number(patch) - 1);
  for (const { patch, of } of towers) {
    const found = runsOf(rowY(patch), -37.3, 18.8);
    const greys = of.kind === "towers" ? of.greys : [];
    assert.deepEqual(
      found.map(([value]) => value),
      Number(patch) % 2 === 1 ? greys : greys.toReversed(),
      `row ${patch}`,
    );
    assert.deepEqual(
      found.filter(([, length]) => Math.abs(length! - 18) > 1),
      [],
    );
  }
  // The posts of the front edge, from the first one: lengths of readings, to the pixel.
  const posts = runsOf(-25.8, -46, 46).map(([, length]) => length!);
  assert.equal(posts.length, 13);
  const lengths = plate.readings.flatMap(({ patch, of }) =>
    of.kind === "length" && of.axis === 0 && /^(43|47|51)c/.test(patch) ? [of.lengthMm] : [],
  );
  assert.deepEqual(
    lengths.map((mm) => Math.round(100 * mm) / 100),
    [91.2, 30, 60],
  );
});

test("only the posts at the corners rise above the rest", async () => {
  const plate = planned();
  assert.equal(plate.layerCount, plate.levels.top + FACTS.cornerLayers);
  const above = await pictureOf(plate, FACTS, plate.layerCount - 1);
  let lit = 0;
  for (let row = 0; row < 1200; row++) for (let column = 0; column < 1921; column++) lit += above(column, row) && 1;
  assert.equal(lit, 4 * 40 * 40);
});

test("the plate is turned on panels that are deeper than wide, mirrored and rotated as its pictures", async () => {
  const [width, depth] = [1200, 1920];
  const lying = { ...FACTS, grid: { ...FACTS.grid, pixels: [depth, width] } } as const;
  const above = await pictureOf(planned(lying), lying, 7);
  for (const [mirrorX, portrait] of [
    [false, false],
    [true, false],
    [false, true],
  ] as const) {
    const grid = { pixels: [width, depth], pixelMm: [0.05, 0.05], mirrorX, portrait } as const;
    const facts = { ...FACTS, grid };
    const plate = planned({ grid });
    assert.ok(plate.isTurned);
    const picture = await pictureOf(plate, facts, 7);
    // x of the plate is y of the printer, y of the plate −x. In the picture of the plate alone, columns run along x and rows along −y.
    let different = 0;
    for (let u = 0; u < depth; u += 3) {
      for (let v = 0; v < width; v += 3) {
        const [x, y] = [v, u]; // columns from the left, and rows from the front
        const column = mirrorX ? width - 1 - x : x;
        const at = portrait ? picture(depth - 1 - y, width - 1 - x) : picture(column, depth - 1 - y);
        if (at !== above(u, v)) different++;
      }
    }
    // Letters and discs are rounded the other way at some of their edges.
    assert.ok(different < 200, `${mirrorX} ${portrait}: ${different}`);
  }
});

test("the strokes of numbers are at least 0.4 mm wide", async () => {
  const { shapes, levels } = planned();
  const legend = shapes.find((shape) => shape.kind === "legend" && shape.text === "1") as PlateShape & {
    kind: "legend";
  };
  const fine = {
    ...FACTS,
    grid: { pixels: [9600, 5600], pixelMm: [0.01, 0.01], mirrorX: false, portrait: false },
  } as const;
  const picture = await pictureOf(planned(fine), fine, levels.legend - 1);
  let stem = 0;
  const row = Math.round(5600 / 2 - (legend.y + 0.8) / 0.01);
  for (let at = 0; at < 200; at++) if (picture(Math.round(4800 + legend.x / 0.01) + at, row) === 255) stem++;
  assert.ok(stem * 0.01 >= 0.4, `${stem * 0.01} mm`);
});

test("timed pads get their exposure, and the layers from the normal one on that of normal ones", () => {
  for (const layerMm of [0.02, 0.05, 0.1]) {
    const { levels } = planned({ layerMm });
    const { bottom, bottomLayers, transitionLayers } = timedExposures(levels, 8);
    const exposure = (k: number): number =>
      1 + (bottom - 1) * Math.max(0, Math.min(1, 1 - (k - bottomLayers + 1) / (transitionLayers + 1)));
    assert.ok(Math.abs(exposure(levels.timed) - 8) < 1e-9);
    assert.ok(Math.abs(exposure(levels.normal) - 1) < 1e-9);
    assert.ok(Math.abs(exposure(levels.normal - 1) - 1.5) < 1e-9);
  }
});

test("a panel that is smaller has no plate", () => {
  assert.equal(planPlate({ ...FACTS, grid: { ...FACTS.grid, pixels: [1830, 1200] } }), undefined);
});
