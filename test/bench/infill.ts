import { noProgress } from "../../src/core/progress.ts";
import { rasteriseLayers } from "../../src/feature/slice/rasterise-layers.ts";
import { filledMesh } from "../../src/mesh/filled-mesh.ts";
import type { Mesh } from "../../src/mesh/mesh.ts";
import { cutLayers } from "../../src/slice/cut-layers.ts";
import { prepareStack } from "../../src/slice/stack.ts";
import { box } from "../fixture/shapes.ts";
import { evenly, meshOf, placed } from "../fixture/slices.ts";
import { insideOut } from "../fixture/surface-edits.ts";
import { type Row, median, ms, ratio } from "./measure.ts";

const RUNS = 5;
const LAYER_MM = 0.05;
/** Layers of a chunk on a large panel. */
const LAYERS = 8;
const GRID = { pixels: [11520, 5120], pixelMm: [0.019, 0.024], mirrorX: true, portrait: false } as const;

/** Processor time of `work`, ms. */
function processorMs(work: () => void): number {
  const began = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000;
}

/** Processor time of layers through the middle of boxes of 2 mm walls, drawn and encoded for `.goo` on one thread, with and without a gyroid in them. */
export function benchInfill(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [name, size] of [
    ["a full plate", [210, 118, 20]],
    ["a part of 60 mm", [60, 60, 20]],
  ] as const) {
    const [outer, cavity] = [box([...size]), box([size[0] - 4, size[1] - 4, size[2] - 4])];
    const shell = meshOf(outer, insideOut(cavity));
    const rule = { kind: "GYROID", cellMm: 6, wallMm: 0.6, clearanceMm: 1.5 } as const;
    const filled = filledMesh(shell, { ...rule, cavity: meshOf(cavity) });
    const prepare = (mesh: Mesh) =>
      prepareStack(
        { placed: [placed(mesh, { position: [0, 0, 10] })], boundariesMm: evenly(400, LAYER_MM), grid: GRID },
        noProgress,
      );
    const stacks = [prepare(shell), prepare(filled)];
    const chunk = 25;
    const times: number[][] = [[], []];
    const outlining: number[] = [];
    // The first round warms up.
    for (let run = 0; run <= RUNS; run++) {
      for (const [k, stack] of stacks.entries()) {
        const time = processorMs(() => rasteriseLayers({ stack, chunk, format: "goo" }, noProgress));
        if (run > 0) times[k].push(time / LAYERS);
      }
      const outlines = processorMs(() => {
        for (const _ of cutLayers(stacks[1], chunk, () => {}));
      });
      if (run > 0) outlining.push(outlines / LAYERS);
    }
    const [bare, whole] = times.map(median);
    rows.push({
      what: `a layer of ${name} with a gyroid at 11520 × 5120, drawn and encoded`,
      ours: `${ms(whole)}, of which its outlines ${ms(median(outlining))}`,
      beside: `${ms(bare)} without infill (${ratio(whole, bare)})`,
    });
  }
  return Promise.resolve(rows);
}
