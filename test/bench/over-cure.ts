import process from "node:process";
import { must } from "../../src/core/must.ts";
import { noProgress } from "../../src/core/progress.ts";
import { runAtOnce } from "../../src/core/steps.ts";
import { drawCoverages } from "../../src/feature/slice/draw-coverages.ts";
import { encodeCured } from "../../src/feature/slice/encode-cured.ts";
import { rasteriseLayers } from "../../src/feature/slice/rasterise-layers.ts";
import { layerImageSize } from "../../src/slice/pixel-grid.ts";
import { cureReach, printThroughMm } from "../../src/slice/over-cure/cure-doses.ts";
import type { CuredLayer } from "../../src/slice/over-cure/cured-layer.ts";
import { slopeShares } from "../../src/slice/over-cure/slope-shares.ts";
import { type Stack, type StackRequest, layerCountOf, prepareStack } from "../../src/slice/stack.ts";
import { torus } from "../fixture/shapes.ts";
import { evenly, meshOf, placed } from "../fixture/slices.ts";
import { fullPlate } from "./job-layers.ts";
import { type Row, median, ms, ratio } from "./measure.ts";

const RUNS = 3;
const CURE = { penetrationMm: 0.15, exposureRatio: 2.3 };
const [COLUMNS, ROWS] = [20, 8];
/** What upright walls grow of that resin under a blur of 0.01 mm. */
const [BLUR_MM, GROWTH_MM] = [0.01, 0.0116];

/** Leaning tori on the whole panel, with about 420,000 runs a layer, half of them over faces that look down. */
function tori(): StackRequest {
  const mesh = meshOf(torus(5, 3, 200, 100));
  const bodies = Array.from({ length: COLUMNS * ROWS }, (_, i) =>
    placed(mesh, {
      orientation: { x: 0.3 * i, y: 0.7 * i, z: 0 },
      position: [((i % COLUMNS) - 9.5) * 10.5, (Math.floor(i / COLUMNS) - 3.5) * 14, 1.2],
    }),
  );
  return { placed: bodies, boundariesMm: evenly(48, 0.05), grid: fullPlate().grid };
}

/** With edges moved by what they grow, slopes by their share of it. */
function withMovedEdges(request: StackRequest): StackRequest {
  const shiftsMm = new Float64Array(request.boundariesMm.length - 1).fill(-GROWTH_MM);
  const throughMm = printThroughMm(CURE, 0.05);
  return { ...request, edges: { shiftsMm, blurMm: BLUR_MM, slopeShares: slopeShares(CURE, throughMm, BLUR_MM) } };
}

/** Layers of full plates, drawn and encoded for `.goo` on one thread, with and without the compensation of over-cure, and of edges as well. */
export function benchOverCure(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [name, request] of [
    ["walls", fullPlate()],
    ["leaning tori", tori()],
  ] as const) {
    const stack = prepareStack(request, noProgress);
    const moved = prepareStack(withMovedEdges(request), noProgress);
    const layers = layerCountOf(stack);
    const works = [() => encodePlain(stack), () => encodeAll(stack), () => encodeAll(moved)];
    const times = works.map((): number[] => []);
    // The first round warms up.
    for (let run = 0; run <= RUNS; run++) {
      for (const [k, work] of works.entries()) {
        const spentMs = cpuMs(work);
        if (run > 0) times[k].push(spentMs / layers);
      }
    }
    const [plain = Number.NaN, ...corrected] = times.map(median);
    corrected.forEach((perLayer, k) =>
      rows.push({
        what: `a layer of 11520 × 5120 drawn and encoded against over-cure${k === 0 ? "" : ", with moved edges"}: ${name}`,
        ours: ms(perLayer),
        beside: `${ratio(perLayer, plain)} of no compensation; ${Math.round(perLayer)} s for 2,000 layers on two cores`,
        aim: "2,000 layers in ≤ 60 s on two cores",
      }),
    );
  }
  return Promise.resolve(rows);
}

/** Processor time of work on this thread: other programs count less than in its duration. */
function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function encodePlain(stack: Stack): void {
  for (let chunk = 0; chunk < stack.chunkCount; chunk++) rasteriseLayers({ stack, chunk, format: "goo" }, noProgress);
}

function encodeAll(stack: Stack): void {
  const { boundariesMm, chunkSize, chunkCount, grid } = stack;
  const cure = { ...CURE, exposures: new Float64Array(layerCountOf(stack)).fill(1) };
  const { firsts, ends } = runAtOnce(cureReach(cure, boundariesMm));
  const layers: CuredLayer[] = [];
  for (let chunk = 0; chunk < chunkCount; chunk++) {
    layers.push(...drawCoverages({ stack, supports: undefined, chunk }, noProgress).layers);
  }
  for (let from = 0; from < layers.length; from += chunkSize) {
    const end = Math.min(from + chunkSize, layers.length);
    const first = must(firsts[from], "The layers below");
    encodeCured(
      {
        layers: layers.slice(first, ends[end - 1]),
        first,
        chunk: { from, end },
        boundariesMm,
        cure,
        pixelMm: layerImageSize(grid).pixelMm,
        format: "goo",
        greys: undefined,
      },
      noProgress,
    );
  }
}
