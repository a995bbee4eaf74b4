import { spawn, spawnSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { RESIN, type Row, median, mib, ms, peakBytes, ratio, timed, withFolder, withServer } from "./measure.ts";
import { MODEL_FILES, bumpySphereFile, subdividedFile } from "./models.ts";
import { PEER_OUTPUT, type PeerModel, peerArguments } from "./peer-slicer.ts";

const RUNS = 3;
const PRINTER = "bench";

interface Model extends PeerModel {
  readonly peakAim: string;
}

interface Ours {
  readonly importMs: number;
  readonly sliceMs: number;
  readonly printMs: number;
  readonly peak: number;
  readonly jobBytes: number;
  readonly layers: number;
}

/**
 * Measures of slices, which are drawn with larger pixels than jobs, and a whole job. Compared with the peer slicer's job on the same
 * grid. Then the growth of the cost.
 */
export async function benchSlicing(): Promise<Row[]> {
  const large = MODEL_FILES["908460"];
  const models: Model[] = [
    { name: "small (65004)", file: MODEL_FILES["65004"], peakAim: "≤ 0.5×" },
    { name: "middle (472042)", file: MODEL_FILES["472042"], turnDeg: 90, peakAim: "≤ 0.5×" },
    { name: "large (908460)", file: large, peakAim: "≤ 0.5×, ≤ 130 MiB" },
    { name: "577k facets", file: subdividedFile(), peakAim: "≤ 0.5×, ≤ 230 MiB" },
  ];
  const rows: Row[] = [];
  for (const model of models) rows.push(...(await besidePeer(model)));
  for (const thickness of [0.1, 0.05, 0.025]) rows.push(await costOf({ name: "large", file: large }, thickness));
  for (const facets of [62_500, 250_000, 1_000_000]) {
    rows.push(await costOf({ name: `bumpy sphere of ${facets} facets`, file: bumpySphereFile(facets) }, 0.05));
  }
  return rows;
}

async function besidePeer(model: Model): Promise<Row[]> {
  const ours: Ours[] = [];
  const peer: PeerRun[] = [];
  for (let run = 0; run < RUNS; run++) {
    ours.push(await runOurs(model, 0.05));
    peer.push(await runPeer(model));
  }
  const [slice, print] = [median(ours.map(sliceTime)), median(ours.map(printTime))];
  const peerMs = median(peer.map((run) => run.ms));
  const [peak, peerPeak] = [median(ours.map((run) => run.peak)), median(peer.map((run) => run.peak))];
  const [{ layers, jobBytes }] = ours;
  const what = `${model.name}, ${layers} layers`;
  const than = (mine: number): string => `${(peerMs / mine).toFixed(1)}× faster than the peer (${ms(peerMs)})`;
  if (Number.isNaN(peerMs)) {
    const beside = "the peer slicer is not installed";
    const ours = `${ms(slice)}, with job ${ms(print)}, peak ${mib(peak)}`;
    return [{ what, ours, beside, aim: model.peakAim }];
  }
  return [
    { what: `${what}: import and measures of slices`, ours: ms(slice), beside: than(slice), aim: "≥ 8×" },
    { what: `${what}: import and job`, ours: ms(print), beside: than(print), aim: "≥ 3×" },
    { what: `${what}: job file`, ours: mib(jobBytes), beside: `${ratio(jobBytes, peer[0].jobBytes)} of the peer's` },
    {
      what: `${what}: peak memory`,
      ours: mib(peak),
      beside: `${ratio(peak, peerPeak)} of the peer's (${mib(peerPeak)})`,
      aim: model.peakAim,
    },
  ];
}

const sliceTime = ({ importMs, sliceMs }: Ours): number => importMs + sliceMs;
const printTime = ({ importMs, printMs }: Ours): number => importMs + printMs;

/** Slices and job in two fresh servers, so that neither warms up the other. */
const runOurs = ({ file, turnDeg }: PeerModel, layer_thickness_mm: number): Promise<Ours> =>
  withFolder(async (folder) => {
    const printer = ["--virtual-printer", `${RESIN.machine_type}=${PRINTER}`, "--job-dir", folder];
    const call = (path: string, options: object) =>
      withServer(async ({ pid, post }) => {
        const { scene_id } = await post("/v1/scene/create/", { ...RESIN, layer_thickness_mm });
        const importMs = await timed(() => post("/v1/scene/model/import/", { scene_id, file }));
        if (turnDeg) await post("/v1/scene/model/orient/", { scene_id, orientation: { x: 0, y: 0, z: turnDeg } });
        const callMs = await timed(() => post(path, { scene_id, ...options }));
        const { layer_count } = await post("/v1/scene/get/", { scene_id });
        return { importMs, callMs, peak: peakBytes(pid), layers: layer_count as number };
      }, printer);
    const slices = await call("/v1/scene/calculate-print-time/", {});
    const { importMs, callMs, peak, layers } = await call("/v1/scene/print/", { printer: PRINTER, job_name: "bench" });
    return { importMs, sliceMs: slices.callMs, printMs: callMs, peak, jobBytes: folderBytes(folder), layers };
  });

interface PeerRun {
  readonly ms: number;
  readonly peak: number;
  readonly jobBytes: number;
}

/** The whole command: it reads the model, slices it, and writes the archive. */
async function runPeer(model: PeerModel): Promise<PeerRun> {
  const missing = { ms: Number.NaN, peak: Number.NaN, jobBytes: Number.NaN };
  if (spawnSync("prusa-slicer", ["--help"]).error) return missing;
  const options = ["--no-supports-enable", "--no-pad-enable", "--no-hollowing-enable", "--loglevel", "0"];
  const child = spawn("prusa-slicer", peerArguments(model, options));
  const began = performance.now();
  let peak = 0;
  const sampling = setInterval(() => {
    try {
      peak = Math.max(peak, peakBytes(child.pid!));
    } catch {
      // The process has just ended.
    }
  }, 20);
  await new Promise((resolve) => child.once("exit", resolve));
  clearInterval(sampling);
  return { ms: performance.now() - began, peak, jobBytes: statSync(PEER_OUTPUT).size };
}

async function costOf(model: PeerModel, thickness: number): Promise<Row> {
  const { sliceMs, printMs, layers } = await runOurs(model, thickness);
  const perLayer = (time: number): string => `${(time / layers).toFixed(2)} ms a layer`;
  return {
    what: `${model.name} at ${thickness} mm, ${layers} layers`,
    ours: `slices ${ms(sliceMs)} (${perLayer(sliceMs)}), job ${ms(printMs)} (${perLayer(printMs)})`,
  };
}

const folderBytes = (folder: string): number =>
  readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
