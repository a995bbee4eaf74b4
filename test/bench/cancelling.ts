import { cancelJob, newJobState } from "../../src/core/watch.ts";
import type { Placed } from "../../src/slice/placed.ts";
import { newPool } from "../../src/worker/pool.ts";
import { bumpySphereFile } from "./bumpy-sphere.ts";
import { ms, quantile, type Row, timesOf } from "./measure.ts";

const FACETS = 500_000;
const ROUNDS = 40;
const THICKNESS_MM = 0.025;
const GRID = { pixels: [4000, 2500], pixelMm: [0.05, 0.05], mirrorX: false, portrait: false } as const;
const READING = { chordalToleranceMm: 0.01, angleToleranceDeg: 5 };

/** How long after it is cancelled a job of a large model still runs: while it is prepared, and while it is drawn. */
export async function benchCancelling(): Promise<Row[]> {
  const pool = newPool(new URL("../../src/worker.ts", import.meta.url));
  const file = bumpySphereFile(FACETS);
  const request = { file, repairBehavior: "ERROR", split: false, options: READING } as const;
  const { parts } = await pool.compute("importFile", request, newJobState());
  const [{ mesh }] = parts;
  const heightMm = mesh.box.max[2] - mesh.box.min[2];
  const placed: Placed[] = [{ mesh, pose: { position: [0, 0, heightMm / 2], orientation: { x: 0, y: 0, z: 0 }, scale: 1 } }];
  const boundariesMm = Float64Array.from({ length: Math.ceil(heightMm / THICKNESS_MM) + 1 }, (_, k) => k * THICKNESS_MM);
  const stackRequest = { placed, boundariesMm, grid: GRID };
  const stack = await pool.compute("prepareStack", stackRequest, newJobState());
  const preparing = await delays((state) => pool.compute("prepareStack", stackRequest, state));
  const chunk = Math.floor(stack.chunkCount / 2);
  const drawing = await delays((state) => pool.compute("drawLayers", { stack, chunk, format: "form" }, state));
  await pool.close();
  return [
    { what: "a job cancelled while it is prepared ends after", ours: worst(preparing), aim: "≤ 50 ms" },
    { what: "a job cancelled while it is drawn ends after", ours: worst(drawing), aim: "≤ 50 ms" },
  ];
}

const worst = (times: readonly number[]): string => `p50 ${ms(quantile(times, 0.5))}, worst ${ms(Math.max(...times))}`;

/** Milliseconds from the cancelling of jobs, at different moments, to their end. */
async function delays(start: (state: Int32Array) => Promise<unknown>): Promise<number[]> {
  const whole = Math.min(...(await timesOf(3, () => start(newJobState()))));
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const state = newJobState();
    const job = start(state).catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, (whole * round) / ROUNDS));
    const cancelled = performance.now();
    cancelJob(state);
    await job;
    times.push(performance.now() - cancelled);
  }
  return times;
}
