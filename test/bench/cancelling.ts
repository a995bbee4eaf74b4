import { setTimeout as sleep } from "node:timers/promises";
import { must } from "../../src/core/must.ts";
import { cancelTask, newTaskState } from "../../src/core/progress.ts";
import { importFileTask } from "../../src/feature/import/task.ts";
import { prepareStackTask, rasteriseLayersTask } from "../../src/feature/slice/task.ts";
import type { PlacedMesh } from "../../src/mesh/placed-mesh.ts";
import { newPool } from "../../src/worker/pool.ts";
import { CANCELLED_REQUESTS, type LongRequest, prepareLongRequest, quietAfterMs } from "./long-requests.ts";
import { type BenchServer, type Row, ms, timed, timesOf, withFolder, withServer, worst } from "./measure.ts";
import { bumpySphereFile } from "./models.ts";

/** Jobs on a thread, and long operations of the executable. */
export const benchCancelling = async (): Promise<Row[]> => [...(await cancelJobs()), ...(await cancelOperations())];

const CANCELLED_FACETS = 500_000;
const CANCEL_ROUNDS = 40;
const THICKNESS_MM = 0.025;
const GRID = { pixels: [4000, 2500], pixelMm: [0.05, 0.05], mirrorX: false, portrait: false } as const;
const READING = { chordalToleranceMm: 0.01, angleToleranceDeg: 5 };

/** Time from the cancelling of a large job to its end: during its preparation and during its rasterisation. */
async function cancelJobs(): Promise<Row[]> {
  const pool = newPool(new URL("../../src/worker.ts", import.meta.url));
  const file = bumpySphereFile(CANCELLED_FACETS);
  const request = { file, repairBehavior: "ERROR", split: false, options: READING } as const;
  const { parts } = await pool.compute(importFileTask, request, newTaskState());
  const [{ mesh }] = parts;
  const heightMm = mesh.box.max[2] - mesh.box.min[2];
  const placed: PlacedMesh[] = [
    { mesh, pose: { position: [0, 0, heightMm / 2], orientation: { x: 0, y: 0, z: 0 }, scale: 1 } },
  ];
  const boundariesMm = Float64Array.from(
    { length: Math.ceil(heightMm / THICKNESS_MM) + 1 },
    (_, k) => k * THICKNESS_MM,
  );
  const stackRequest = { placed, boundariesMm, grid: GRID };
  const stack = await pool.compute(prepareStackTask, stackRequest, newTaskState());
  const preparing = await delays((state) => pool.compute(prepareStackTask, stackRequest, state));
  const chunk = Math.floor(stack.chunkCount / 2);
  const drawing = await delays((state) => pool.compute(rasteriseLayersTask, { stack, chunk, format: "form" }, state));
  await pool.close();
  return [
    { what: "a job cancelled while it is prepared ends after", ours: worst(preparing), aim: "≤ 50 ms" },
    { what: "a job cancelled while it is drawn ends after", ours: worst(drawing), aim: "≤ 50 ms" },
  ];
}

/** Milliseconds from the cancelling of jobs to their end, cancelled at different moments. */
async function delays(start: (state: Int32Array) => Promise<unknown>): Promise<number[]> {
  const whole = Math.min(...(await timesOf(3, () => start(newTaskState()))));
  const times: number[] = [];
  for (let round = 0; round < CANCEL_ROUNDS; round++) {
    const state = newTaskState();
    const job = start(state).catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, (whole * round) / CANCEL_ROUNDS));
    const cancelled = performance.now();
    cancelTask(state);
    await job;
    times.push(performance.now() - cancelled);
  }
  return times;
}

/** Shares of the time of an operation at which it is cancelled. */
const MOMENTS = [0.1, 0.3, 0.5, 0.7, 0.9];
const POLL_MS = 10;

/** Time from the cancelling of operations to their answer and to free threads; the progress of the operation that is not cancelled. */
export const cancelOperations = (
  requests: readonly LongRequest[] = CANCELLED_REQUESTS,
  threads = THREADS,
): Promise<Row[]> =>
  withFolder((folder) =>
    withServer(
      async (server) => {
        const rows: Row[] = [];
        for (const request of requests) rows.push(...(await cancelOperation(request, folder, server)));
        return rows;
      },
      ["--threads", String(threads)],
    ),
  );
const THREADS = 4;

async function cancelOperation(request: LongRequest, folder: string, server: BenchServer): Promise<Row[]> {
  const { pid, post } = server;
  const whole = await prepareLongRequest(request, folder, server);
  const id = await whole.begin();
  const progress: number[] = [];
  const wholeMs = await timed(async () => {
    while ((await lookAt(id, server, progress)) === "IN_PROGRESS") await sleep(POLL_MS);
  });
  await whole.end();
  const [answers, frees]: [number[], number[]] = [[], []];
  for (const moment of MOMENTS) {
    const one = await prepareLongRequest(request, folder, server);
    const operation = await one.begin();
    await sleep(moment * wholeMs);
    answers.push(
      await timed(async () => {
        await post("/v1/operation/cancel/", { operations: [operation] });
        while ((await lookAt(operation, server)) === "IN_PROGRESS") await sleep(1);
      }),
    );
    frees.push(await quietAfterMs(pid));
    await one.end();
  }
  const falls = progress.filter((value, i) => i > 0 && value < must(progress[i - 1], "The progress before")).length;
  return [
    {
      what: `${request.name} of ${ms(wholeMs)}, cancelled`,
      ours: `answered after ${worst(answers)}, threads free after ${worst(frees)}`,
      aim: "≤ 1000 ms",
    },
    {
      what: `progress of ${request.name}`,
      ours: `${new Set(progress).size} values in ${progress.length} polls, ${falls} falls, ${progress.at(-1)} at the end`,
      aim: "no falls, 1 at the end",
    },
  ];
}

/** The status of an operation; appends its progress. */
async function lookAt(id: string, { call }: BenchServer, progress: number[] = []): Promise<string> {
  const { body } = await call("GET", `/v1/operation/get/?operation_id=${id}`);
  if (body.status === "FAILED" && body.result.error.code !== "OPERATION_CANCELLED")
    throw new Error(JSON.stringify(body));
  progress.push(body.progress);
  return body.status;
}
