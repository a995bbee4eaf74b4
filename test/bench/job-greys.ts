import { noProgress } from "../../src/core/progress.ts";
import { type RasteriseRequest, rasteriseLayers } from "../../src/feature/slice/rasterise-layers.ts";
import { greyPalette, greyTable, wantedDoses } from "../../src/job/grey-table.ts";
import { prepareStack } from "../../src/slice/stack.ts";
import { LAYERS, fullPlate } from "./job-layers.ts";
import { type Row, median, ms, ratio, timed } from "./measure.ts";

const RUNS = 5;

/** Layers of a full plate, drawn and encoded for `.goo` on one thread, with each way to make greys. Compared with the coverages as greys. */
export async function benchJobGreys(): Promise<Row[]> {
  const plate = fullPlate();
  const stack = prepareStack(plate, noProgress);
  // Every other disc is a support.
  const withSupports = prepareStack({ ...plate, isSupport: plate.placed.map((_, k) => k % 2 === 1) }, noProgress);
  const optics = { response: 3, greyLevels: 16, leastGrey: 1, blurPx: [0.5, 0.5] } as const;
  const table = greyTable(optics);
  const mix = { ...greyPalette(optics), wanted: wantedDoses(optics) };
  const ways: readonly (readonly [name: string, way: Pick<RasteriseRequest, "stack" | "greys">])[] = [
    ["coverages as greys", { stack }],
    ["greys by a table", { stack, greys: { table } }],
    ["greys of 16 levels by diffusion", { stack, greys: { table, mix } }],
    ["half of the discs as supports without grey", { stack: withSupports }],
  ];
  const times = ways.map((): number[] => []);
  const drawAll = (way: Pick<RasteriseRequest, "stack" | "greys">): void => {
    for (let chunk = 0; chunk < way.stack.chunkCount; chunk++) {
      rasteriseLayers({ ...way, chunk, format: "goo" }, noProgress);
    }
  };
  // The first round warms up.
  for (let run = 0; run <= RUNS; run++) {
    for (const [k, [, way]] of ways.entries()) {
      const time = await timed(() => drawAll(way));
      if (run > 0) times[k].push(time / LAYERS);
    }
  }
  const [plain] = times.map(median);
  return ways.map(([name], k) => ({
    what: `a layer drawn and encoded: ${name}`,
    ours: ms(median(times[k])),
    beside: `${ratio(median(times[k]), plain)} of coverages as greys`,
    aim: "a table ≤ 1.1×",
  }));
}
