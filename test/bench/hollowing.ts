import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { startPrintwright } from "../fixture/printwright.ts";
import { uvSphere } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { bumpySphereFile } from "./bumpy-sphere.ts";
import { median, mib, ms, peakBytes, ratio, type Row, timed } from "./measure.ts";
import { subdividedFile } from "./subdivided.ts";

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const SETTING = { machine_type: "FORM-4-0", material_code: "FLGPBK05", layer_thickness_mm: 0.05 };

interface Model {
  readonly name: string;
  readonly file: string;
  readonly wallMm: number;
  /** About z, so that it fits; the peer never turns a part. */
  readonly turnDeg?: number;
}

/** Of what takes a moment medians of so many runs are told, in turn with the peer's. */
const RUNS = 3;
const MOMENT_MS = 2000;

/** Hollows of six models, the first and the second in a process, beside the peer slicer's of the same, in voxels as large as it takes; then what many facets cost. */
export async function benchHollowing(): Promise<Row[]> {
  const large = path("../../assets/demo/functional-part.stl");
  const models: Model[] = [
    { name: "a 35 mm sphere", file: sphereFile(), wallMm: 2 },
    { name: "65004", file: path("../fixture/corpus/thingi-65004.stl"), wallMm: 2 },
    { name: "520644", file: path("../fixture/corpus/thingi-520644.stl"), wallMm: 2 },
    { name: "472042", file: path("../fixture/corpus/thingi-472042.stl"), wallMm: 2, turnDeg: 90 },
    { name: "908460", file: large, wallMm: 2 },
    { name: "577k facets", file: await subdividedFile(large), wallMm: 2 },
  ];
  const rows: Row[] = [];
  for (const model of models) {
    const pairs = [await pairOf(model)];
    while (pairs.length < RUNS && pairs[0]!.ours.ms < MOMENT_MS) pairs.push(await pairOf(model));
    const ours = pairs.map((pair) => pair.ours);
    const peers = pairs.flatMap(({ peer }) => peer ?? []);
    const [firstMs, againMs] = [median(ours.map(({ ms }) => ms)), median(ours.map((one) => one.againMs))];
    const peak = mib(Math.max(...ours.map((one) => one.peak)));
    const peerMs = median(peers.map(({ ms }) => ms));
    rows.push({
      what: `hollow of ${model.name}`,
      ours: `${ms(firstMs)} over HTTP, ${ms(againMs)} again, peak ${peak}${ours[0]!.isHollow ? "" : " (nothing to hollow)"}`,
      beside: peers[0]
        ? `the peer's ${ms(peerMs)} (${ratio(peerMs, firstMs)}) in voxels of ${peers[0].voxelMm.toFixed(3)} mm`
        : "the peer slicer is not installed",
      aim: "≥ 3× faster",
    });
  }
  for (const facets of [20_000, 500_000]) {
    const ours = await runOurs(bumpySphereFile(facets), 2, 1, 120 / 77);
    rows.push({
      what: `hollow of a 120 mm ball of ${facets / 1000}k facets at accuracy 1`,
      ours: `${ms(ours.ms)}, peak ${mib(ours.peak)}`,
      aim: "≤ 1.5 GiB",
    });
  }
  return rows;
}

async function pairOf(model: Model) {
  const peer = await runPeer(model);
  const ours = await runOurs(model.file, model.wallMm, peer ? accuracyFor(peer.voxelMm, model.wallMm) : 0.5);
  return { peer, ours };
}

function sphereFile(): string {
  const folder = join(tmpdir(), "printwright-bench");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "sphere.stl");
  writeFileSync(file, binaryStl(uvSphere(17.5, 200, 100)));
  return file;
}

/** At which voxels for a wall are of a size: 3.5 to a wall at 0, 10 at 1. */
const accuracyFor = (voxelMm: number, wallMm: number): number =>
  Math.min(1, Math.max(0, (wallMm / voxelMm - 3.5) / (10 - 3.5)));

async function runOurs(
  file: string,
  wallMm: number,
  accuracy: number,
  scale = 1,
): Promise<{ ms: number; againMs: number; peak: number; isHollow: boolean }> {
  const printwright = await startPrintwright();
  try {
    const { scene_id } = (await printwright.post("/v1/scene/create/", SETTING)).body;
    await printwright.post("/v1/scene/model/import/", { scene_id, file });
    if (scale !== 1) await printwright.post("/v1/scene/model/scale/", { scene_id, scale });
    let status = 0;
    const body = { scene_id, wall_thickness_mm: wallMm, accuracy };
    const hollow = () => timed(async () => ({ status } = await printwright.post("/v1/scene/model/hollow/", body)));
    const [first, again] = [await hollow(), await hollow()];
    return { ms: first, againMs: again, peak: peakBytes(printwright.pid), isHollow: status === 200 };
  } finally {
    await printwright.stop();
  }
}

/** From its log, with closing balls as large as our features; undefined where the peer is not installed. */
async function runPeer({ file, wallMm, turnDeg }: Model): Promise<{ ms: number; voxelMm: number } | undefined> {
  const output = join(tmpdir(), "printwright-bench-peer.sl1");
  const printer = ["--load", path("peer-printer.ini"), "--output", output];
  const steps = ["--export-sla", "--no-supports-enable", "--no-pad-enable", "--hollowing-enable", "--loglevel", "4"];
  const walls = ["--hollowing-min-thickness", String(wallMm), "--hollowing-closing-distance", "0.5"];
  const turn = turnDeg ? ["--rotate", String(turnDeg)] : [];
  const peer = spawn("prusa-slicer", [...steps, ...printer, ...walls, ...turn, file]);
  const isRunning = await Promise.race([once(peer, "spawn").then(() => true), once(peer, "error").then(() => false)]);
  if (!isRunning) return undefined;
  let began = 0;
  let voxelsPerMm = 0;
  for await (const line of createInterface(peer.stdout)) {
    if (line.includes("Performing hollowing step")) began = timeOf(line);
    voxelsPerMm ||= Number(/voxel scale will be: ([\d.]+)/.exec(line)?.[1] ?? 0);
    if (!line.includes("Drilling holes")) continue;
    // What follows is slicing.
    peer.kill();
    return { ms: timeOf(line) - began, voxelMm: 1 / voxelsPerMm };
  }
  throw new Error(`The peer slicer did not hollow ${file}.`);
}

function timeOf(line: string): number {
  const [, day, clock] = /^\[(\S+) (\S+)\]/.exec(line)!;
  return Date.parse(`${day}T${clock}Z`);
}
