import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { commandLine } from "../fixture/printwright.ts";
import { box } from "../fixture/shapes.ts";
import { modelXml, objectXml, threeMfPackage } from "../fixture/three-mf-file.ts";
import {
  type BenchServer,
  RESIN,
  type Row,
  median,
  mib,
  ms,
  quantile,
  residentBytes,
  timed,
  withFolder,
  withServer,
} from "./measure.ts";
import { bumpySphereFile } from "./models.ts";

const STARTS = 25;

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

/** The executable that `--beside=PATH` names: an earlier build, of which the start is compared. */
const otherBuild = (): string | undefined =>
  process.argv.find((argument) => argument.startsWith("--beside="))?.slice("--beside=".length);

/** Start of the executable. Compared with an empty server under the same Bun, and with an earlier build where one is named. */
export async function benchStartup(): Promise<Row[]> {
  const floor = join(tmpdir(), "printwright-bench-floor.js");
  writeFileSync(floor, 'Bun.serve({ port: 0, fetch: () => new Response("ok") }); console.log("READY FOR INPUT");');
  const [command, ...args] = commandLine();
  const start = (): Promise<number> => timeToReady(command, [...args, "--port", "0"]);
  const row = await pairedRow("an empty Bun server", start, () => timeToReady(process.execPath, [floor]));
  const other = otherBuild();
  const beside = other === undefined ? [] : [await pairedRow(other, start, () => timeToReady(other, ["--port", "0"]))];
  return [{ ...row, aim: "≤ 150 ms" }, ...beside];
}

/** Pairs of starts, of which each side begins every second: the ratio is the median of theirs. */
async function pairedRow(name: string, ours: () => Promise<number>, other: () => Promise<number>): Promise<Row> {
  const pairs: [ours: number, other: number][] = [];
  for (let run = 0; run < STARTS; run++) {
    const first = run % 2 === 0 ? await ours() : undefined;
    const theirs = await other();
    pairs.push([first ?? (await ours()), theirs]);
  }
  const [a, b] = [0, 1].map((side) => median(pairs.map((pair) => pair[side]!)));
  const times = median(pairs.map(([one, two]) => one / two));
  return { what: "start to READY FOR INPUT", ours: ms(a!), beside: `${times.toFixed(2)}× ${name} (${ms(b!)})` };
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

const newScene = async (post: BenchServer["post"]): Promise<string> =>
  (await post("/v1/scene/create/", RESIN)).scene_id;
