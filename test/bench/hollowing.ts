import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { RESIN, type Row, median, mib, ms, peakBytes, ratio, timed, withServer } from "./measure.ts";
import { MODEL_FILES, bumpySphereFile, dentalArchFile, sphereFile, subdividedFile } from "./models.ts";
import { type PeerModel, logTime, peerArguments } from "./peer-slicer.ts";

interface Model extends PeerModel {
  readonly wallMm: number;
}

/** Runs shorter than this are repeated, alternating with those of the peer, and the medians are reported. */
const SHORT_MS = 2000;
const RUNS = 3;

/**
 * Hollowing of models, the first and the second time in a process. Compared with the peer slicer, with voxels of its size. Then
 * the cost of many facets.
 */
export async function benchHollowing(): Promise<Row[]> {
  const models: Model[] = [
    { name: "a 35 mm sphere", file: sphereFile(), wallMm: 2 },
    { name: "65004", file: MODEL_FILES["65004"], wallMm: 2 },
    { name: "520644", file: MODEL_FILES["520644"], wallMm: 2 },
    { name: "472042", file: MODEL_FILES["472042"], wallMm: 2, turnDeg: 90 },
    { name: "908460", file: MODEL_FILES["908460"], wallMm: 2 },
    { name: "577k facets", file: subdividedFile(), wallMm: 2 },
  ];
  const rows: Row[] = [];
  for (const model of models) {
    const pairs = [await pairOf(model)];
    while (pairs.length < RUNS && pairs[0].ours.ms < SHORT_MS) pairs.push(await pairOf(model));
    const ours = pairs.map((pair) => pair.ours);
    const peers = pairs.flatMap(({ peer }) => peer ?? []);
    const [firstMs, againMs] = [median(ours.map(({ ms }) => ms)), median(ours.map((one) => one.againMs))];
    const peak = mib(Math.max(...ours.map((one) => one.peak)));
    const peerMs = median(peers.map(({ ms }) => ms));
    rows.push({
      what: `hollow of ${model.name}`,
      ours: `${ms(firstMs)} over HTTP, ${ms(againMs)} again, peak ${peak}${ours[0].isHollow ? "" : " (nothing to hollow)"}`,
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

/** The accuracy with voxels of this size: a wall has 3.5 voxels at accuracy 0 and 10 at 1. */
const accuracyFor = (voxelMm: number, wallMm: number): number =>
  Math.min(1, Math.max(0, (wallMm / voxelMm - 3.5) / (10 - 3.5)));

const runOurs = (
  file: string,
  wallMm: number,
  accuracy: number,
  scale = 1,
): Promise<{ ms: number; againMs: number; peak: number; isHollow: boolean }> =>
  withServer(async ({ pid, call, post }) => {
    const { scene_id } = await post("/v1/scene/create/", RESIN);
    await post("/v1/scene/model/import/", { scene_id, file });
    if (scale !== 1) await post("/v1/scene/model/scale/", { scene_id, scale });
    let status = 0;
    const body = { scene_id, wall_thickness_mm: wallMm, accuracy };
    // A small model has no cavity, which is an error.
    const hollow = () => timed(async () => ({ status } = await call("POST", "/v1/scene/model/hollow/", body)));
    const [first, again] = [await hollow(), await hollow()];
    return { ms: first, againMs: again, peak: peakBytes(pid), isHollow: status === 200 };
  });

/** From the peer's log, with closing balls of the size of our features; undefined if the peer is not installed. */
async function runPeer(model: Model): Promise<{ ms: number; voxelMm: number } | undefined> {
  const steps = ["--no-supports-enable", "--no-pad-enable", "--hollowing-enable", "--loglevel", "4"];
  const walls = ["--hollowing-min-thickness", String(model.wallMm), "--hollowing-closing-distance", "0.5"];
  const peer = spawn("prusa-slicer", peerArguments(model, [...steps, ...walls]));
  const isRunning = await Promise.race([once(peer, "spawn").then(() => true), once(peer, "error").then(() => false)]);
  if (!isRunning) return undefined;
  let began = 0;
  let voxelsPerMm = 0;
  for await (const line of createInterface(peer.stdout)) {
    if (line.includes("Performing hollowing step")) began = logTime(line);
    voxelsPerMm ||= Number(/voxel scale will be: ([\d.]+)/.exec(line)?.[1] ?? 0);
    if (!line.includes("Drilling holes")) continue;
    // The rest of the log is slicing.
    peer.kill();
    return { ms: logTime(line) - began, voxelMm: 1 / voxelsPerMm };
  }
  throw new Error(`The peer slicer did not hollow ${model.file}.`);
}

/** Scans of jaws have about 100,000 to 400,000 facets. */
const ARCH_FACETS = [60_000, 400_000];

const VARIANTS = [
  { name: "solid", body: {} },
  { name: "hollow", body: { hollow: true, enable_honeycomb_infill: false } },
  { name: "honeycomb", body: { hollow: true } },
];

/** Bases of dental arches, cut at their gumline. Compared with the import of the same file; no peer makes such bases. */
export async function benchDentalHollowing(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const facets of ARCH_FACETS) {
    for (const { name, body } of VARIANTS) {
      const { importMs, tookMs, peak } = await runDental(dentalArchFile(facets), body);
      rows.push({
        what: `${name} base of an arch of ${facets / 1000}k facets`,
        ours: `${ms(tookMs)} over HTTP, peak ${mib(peak)}`,
        beside: `its import ${ms(importMs)} (${ratio(tookMs, importMs)})`,
      });
    }
  }
  return rows;
}

const runDental = (file: string, options: object): Promise<{ importMs: number; tookMs: number; peak: number }> =>
  withServer(async ({ pid, post }) => {
    const { scene_id } = await post("/v1/scene/create/", RESIN);
    const importMs = await timed(() => post("/v1/scene/model/import/", { scene_id, file }));
    const body = { scene_id, extrude_distance_mm: 6, ...options };
    const tookMs = await timed(() => post("/v1/scene/model/dental-hollow/", body));
    return { importMs, tookMs, peak: peakBytes(pid) };
  });
