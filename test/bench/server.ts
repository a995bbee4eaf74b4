import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { cancelTask, newTaskState } from "../../src/core/progress.ts";
import type { PlacedMesh } from "../../src/mesh/placed-mesh.ts";
import { newPool } from "../../src/worker/pool.ts";
import { commandLine } from "../fixture/printwright.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { modelXml, objectXml, threeMfPackage } from "../fixture/three-mf-file.ts";
import {
  type BenchServer,
  RESIN,
  type Row,
  median,
  mib,
  ms,
  quantile,
  ratio,
  residentBytes,
  timed,
  timesOf,
  withFolder,
  withServer,
} from "./measure.ts";
import { bumpySphereFile } from "./models.ts";
import { importFileTask } from "../../src/feature/import/task.ts";
import { prepareStackTask, rasteriseLayersTask } from "../../src/feature/slice/task.ts";

const STARTS = 15;

/** Milliseconds from the start of a program until it prints READY FOR INPUT. */
function timeToReady(command: string, args: readonly string[]): Promise<number> {
  const began = performance.now();
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
  return new Promise((resolve) => {
    child.stdout.on("data", (text) => {
      if (!String(text).includes("READY FOR INPUT")) return;
      resolve(performance.now() - began);
      child.kill();
    });
  });
}

/** Start of the executable. Compared with an empty server under the same Bun. */
export async function benchStartup(): Promise<Row[]> {
  const floor = join(tmpdir(), "printwright-bench-floor.js");
  writeFileSync(floor, 'Bun.serve({ port: 0, fetch: () => new Response("ok") }); console.log("READY FOR INPUT");');
  const [command, ...args] = commandLine();
  const [ours, empty]: [number[], number[]] = [[], []];
  for (let run = 0; run < STARTS; run++) {
    ours.push(await timeToReady(command, [...args, "--port", "0"]));
    empty.push(await timeToReady(process.execPath, [floor]));
  }
  const [a, b] = [median(ours), median(empty)];
  return [
    {
      what: "start to READY FOR INPUT",
      ours: ms(a),
      beside: `${ratio(a, b)} of an empty Bun server (${ms(b)})`,
      aim: "≤ 150 ms",
    },
  ];
}

const FACETS = 1_000_000;
const READ_ROUNDS = 5;

/** Latency of the scene list while two imports of a million triangles run in two scenes. */
export const benchReads = (): Promise<Row[]> =>
  withServer(async ({ scene_id: first, call, post }) => {
    const { scene_id: second } = await post("/v1/scene/create/", { ...RESIN, layer_thickness_mm: 0.1 });
    const latencies: number[] = [];
    for (let round = 0; round < READ_ROUNDS; round++) {
      const running = new Set([first, second]);
      const imports = [...running].map(async (scene_id, variant) => {
        await post("/v1/scene/model/import/", { scene_id, file: bumpySphereFile(FACETS, variant + 1) });
        running.delete(scene_id);
      });
      while (running.size > 0) latencies.push(await timed(() => call("GET", "/v1/scene/list/")));
      await Promise.all(imports);
    }
    const what = `reads while two imports run (${latencies.length})`;
    return [
      { what, ours: `p50 ${ms(quantile(latencies, 0.5))}, p99 ${ms(quantile(latencies, 0.99))}`, aim: "p99 ≤ 10 ms" },
    ];
  });

const MIB = 2 ** 20;
const HOLD_ROUNDS = 5;

/** A body of 16 MiB: `begin`, then `part` again and again, and `}`. */
const filled = (begin: string, part: (i: number) => string, end: string): string =>
  begin +
  Array.from({ length: Math.floor((16 * MIB - 100) / part(1_000_000).length) }, (_, i) => part(i)).join("") +
  end;

const HOSTILE: readonly [what: string, path: string, body: () => string][] = [
  ["unknown keys", "scene/get", () => filled('{"a": 1', (i) => `,"k${i}":1`, "}")],
  ["names", "scene/model/list", () => filled('{"model_ids":["a"', () => ',"a"', "]}")],
  ["a path", "scene/open", () => `{"file": "/${"x".repeat(16 * MIB - 100)}.form"}`],
  ["99,000 names of devices", "device/discover", () => `{"printer": [${Array(99_000).fill('"a"').join()}]}`],
  [
    "9,000 drain holes",
    "scene/model/drill",
    () => `{"drain_holes":[${Array(9000).fill('{"orientation":{}}').join()}]}`,
  ],
];

/** How long hostile bodies and lists of 10,000 models occupy the answering thread: its processor time between two pings. */
export const benchHolding = (): Promise<Row[]> =>
  withServer(async ({ pid, scene_id, call, post, raw }) => {
    const held = async (work: () => Promise<unknown>): Promise<number> => {
      const longest: number[] = [];
      for (let round = 0; round < HOLD_ROUNDS; round++) longest.push(await longestHold(pid, call, work));
      return Math.min(...longest);
    };
    const rows: Row[] = [];
    for (const [what, path, body] of HOSTILE) {
      const text = body();
      rows.push({
        what: `a body of ${what} holds the thread`,
        ours: ms(await held(() => raw(`/v1/${path}/`, text))),
        aim: "≤ 50 ms",
      });
    }
    await call("POST", "/v1/scene/model/import/", { scene_id, file: bumpySphereFile(1000) });
    await call("POST", "/v1/scene/model/duplicate/", { scene_id, count: 9999 });
    for (const path of ["scene/model/list", "scene/get", "scene/metadata"]) {
      const ours = ms(await held(() => call("POST", `/v1/${path}/`, { scene_id })));
      rows.push({ what: `${path} of 10,000 models holds the thread`, ours, aim: "≤ 50 ms" });
    }
    return [...rows, ...(await holdingByDifferentModels(pid, call, post))];
  });

/** Requests with a scene of 10,000 different models, in this order. The check is cancelled: its groups are made, but not all of them are checked. */
const holdingByDifferentModels = (pid: number, call: BenchServer["call"], post: BenchServer["post"]): Promise<Row[]> =>
  withFolder(async (folder) => {
    const parts = join(folder, "parts.3mf");
    writeFileSync(parts, turnedParts(10_000));
    const saved = join(folder, "parts.form");
    const scene_id = await newScene(post);
    const requests: readonly [path: string, body: object][] = [
      ["scene/model/import", { scene_id, file: parts, split_multi_model_file: true }],
      ["scene/get", { scene_id }],
      ["scene/model/scale", { scene_id, scale: 0.99 }],
      ["scene/model/orient", { scene_id, orientation: { x: 0, y: 0, z: 10 } }],
      ["scene/metadata", { scene_id }],
      ["scene/model/body-count", { scene_id }],
      ["scene/render", { scene_id, file: join(folder, "parts.png"), image_size_px: 100 }],
      ["scene/export", { scene_id, file: join(folder, "exported.3mf") }],
      ["scene/save", { scene_ids: [scene_id], file: saved }],
      ["scene/open", { file: saved }],
    ];
    const rows: Row[] = [];
    const measure = async (what: string, work: () => Promise<unknown>): Promise<void> => {
      const ours = ms(await longestHold(pid, call, work));
      rows.push({ what: `${what} of 10,000 different models holds the thread`, ours, aim: "≤ 50 ms" });
    };
    for (const [path, body] of requests) await measure(path, () => post(`/v1/${path}/`, body));
    await measure("scene/model/validate/cups", async () => {
      const { body } = await call("POST", "/v1/scene/model/validate/cups/?async=true", { scene_id });
      await sleep(CHECK_MS);
      await post("/v1/operation/cancel/", { operations: [body.operation_id] });
    });
    return rows;
  });

const CHECK_MS = 10_000;

/** A 3MF file of boxes next to each other, each turned by another angle, so that each part has another mesh. */
export function turnedParts(count: number): Uint8Array {
  const columns = Math.ceil(Math.sqrt(count));
  const items = Array.from({ length: count }, (_, i) => {
    const [cos, sin] = [Math.cos(i / count), Math.sin(i / count)];
    const place = `${i % columns} ${Math.floor(i / columns)} 0`;
    return `<item objectid="1" transform="${cos} ${sin} 0 ${-sin} ${cos} 0 0 0 1 ${place}"/>`;
  });
  return threeMfPackage(modelXml(objectXml(1, { surface: box([0.6, 0.5, 5]) }), items.join("")));
}

/** The largest processor time, in ms, of the main thread of a process between two pings while `work` runs. */
export async function longestHold(
  pid: number,
  call: BenchServer["call"],
  work: () => Promise<unknown>,
): Promise<number> {
  const usedMs = (): number => Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
  const running = new Set([work]);
  const working = work().finally(() => running.delete(work));
  let longest = 0;
  while (running.size > 0) {
    const before = usedMs();
    await call("GET", "/v1/");
    longest = Math.max(longest, usedMs() - before);
  }
  await working;
  return longest;
}

/** After this time no work of the start is still running. */
const START_MS = 1500;
const MODELS = 4;
const COPIES = 1000;
/** After this time idle workers have ended and the system has their memory back. */
const REST_MS = 12_000;

/** Resident memory at rest for each triangle, and for each copy of a model. */
export const benchMemory = (): Promise<Row[]> =>
  withServer(async ({ pid, scene_id, post }) => {
    await sleep(START_MS);
    const empty = residentBytes(pid);
    for (let model = 0; model < MODELS; model++) {
      await post("/v1/scene/model/import/", { scene_id, file: bumpySphereFile(FACETS, model) });
    }
    await sleep(REST_MS);
    const loaded = residentBytes(pid);
    await post("/v1/scene/model/duplicate/", { scene_id, count: COPIES });
    await sleep(REST_MS);
    const copied = residentBytes(pid);
    const perTriangle = (loaded - empty) / (MODELS * FACETS);
    const perCopy = (copied - loaded) / (COPIES * MODELS);
    return [
      { what: "memory at rest after the start", ours: mib(empty), aim: "≤ 45 MiB" },
      {
        what: `memory of ${MODELS} models of 1 M triangles`,
        ours: `${perTriangle.toFixed(1)} bytes a triangle`,
        beside: `${mib(loaded)} at rest`,
        aim: "≤ 60",
      },
      {
        what: `memory of ${COPIES * MODELS} copies of them`,
        ours: `${(perCopy / 1024).toFixed(1)} KiB a copy`,
        aim: "no mesh memory",
      },
    ];
  });

const CANCELLED_FACETS = 500_000;
const CANCEL_ROUNDS = 40;
const THICKNESS_MM = 0.025;
const GRID = { pixels: [4000, 2500], pixelMm: [0.05, 0.05], mirrorX: false, portrait: false } as const;
const READING = { chordalToleranceMm: 0.01, angleToleranceDeg: 5 };

/** Time from the cancelling of a large job to its end: during its preparation and during its rasterisation. */
export async function benchCancelling(): Promise<Row[]> {
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

const worst = (times: readonly number[]): string => `p50 ${ms(quantile(times, 0.5))}, worst ${ms(Math.max(...times))}`;

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

const HOLDING_FACETS = 800_000;
const HOLDING = [2, 50];
const FAIR_ROUNDS = 5;

/** Small requests while long operations of other scenes hold every thread, and while many more of them wait. */
export async function benchFairTurns(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const count of HOLDING) rows.push(...(await fairTurns(count)));
  return rows;
}

const fairTurns = (count: number): Promise<Row[]> =>
  withFolder((folder) =>
    withServer(async ({ scene_id, post }) => {
      const project = join(folder, "large.form");
      const small = join(folder, "small.stl");
      writeFileSync(small, binaryStl(box([10, 12, 14])));
      const large = await newScene(post);
      await post("/v1/scene/model/import/", { scene_id: large, file: bumpySphereFile(HOLDING_FACETS) });
      await post("/v1/scene/save/", { scene_ids: [large], file: project });
      const others: string[] = [];
      while (others.length < count) {
        others.push((await post("/v1/scene/open/", { file: project })).scenes[0].scene_id);
      }
      await post("/v1/scene/model/import/", { scene_id, file: small });
      // Does not wait for the answers: the server ends running work when it stops.
      for (const other of others) post("/v1/scene/model/auto-support/", { scene_id: other }).catch(() => {});
      await sleep(1000);
      const asks: [what: string, aim: string, ask: () => Promise<unknown>][] = [
        ["import of 12 triangles", "≤ 100 ms", () => importInto(post, small)],
        [
          "picture of 100 px",
          "≤ 300 ms",
          () => post("/v1/scene/render/", { scene_id, file: join(folder, "small.png"), image_size_px: 100 }),
        ],
        ["check of a small part", "≤ 300 ms", () => post("/v1/scene/model/validate/manifoldness/", { scene_id })],
      ];
      const rows: Row[] = [];
      for (const [what, aim, ask] of asks) {
        const times: number[] = [];
        for (let round = 0; round < FAIR_ROUNDS; round++) times.push(await timed(ask));
        rows.push({ what: `${what} while ${count} long operations run or wait`, ours: worst(times), aim });
      }
      return rows;
    }),
  );

const newScene = async (post: BenchServer["post"]): Promise<string> =>
  (await post("/v1/scene/create/", RESIN)).scene_id;
const importInto = async (post: BenchServer["post"], file: string): Promise<unknown> =>
  post("/v1/scene/model/import/", { scene_id: await newScene(post), file });
