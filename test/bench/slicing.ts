import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startPrintwright } from "../fixture/printwright.ts";
import { bumpySphereFile } from "./bumpy-sphere.ts";
import { median, mib, ms, peakBytes, ratio, type Row, timed } from "./measure.ts";
import { subdividedFile } from "./subdivided.ts";

const PATHS = { corpus: "../fixture/corpus/", demo: "../../assets/demo/", here: "./" };
const path = (folder: keyof typeof PATHS, name: string): string => fileURLToPath(new URL(PATHS[folder] + name, import.meta.url));

const RUNS = 3;
const PRINTER = "bench";
/** The grid of peer-printer.ini. */
const SETTING = { machine_type: "FORM-4-0", material_code: "FLGPBK05" };

interface Model {
  readonly name: string;
  readonly file: string;
  /** About z, so that it fits; the peer never turns a part. */
  readonly turnDeg?: number;
}

interface Ours {
  readonly importMs: number;
  readonly sliceMs: number;
  readonly printMs: number;
  readonly peak: number;
  readonly jobBytes: number;
  readonly layers: number;
}

/** Slicing alone and a whole job, beside the peer slicer's job on the same grid; then what the cost grows with. */
export async function benchSlicing(): Promise<Row[]> {
  const large = path("demo", "functional-part.stl");
  const models: Model[] = [
    { name: "small (65004)", file: path("corpus", "thingi-65004.stl") },
    { name: "middle (472042)", file: path("corpus", "thingi-472042.stl"), turnDeg: 90 },
    { name: "large (908460)", file: large },
    { name: "577k facets", file: await subdividedFile(large) },
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
  if (Number.isNaN(peerMs)) return [{ what, ours: `${ms(slice)}, with job ${ms(print)}`, beside: "the peer slicer is not installed" }];
  return [
    { what: `${what}: import and slices`, ours: ms(slice), beside: than(slice), aim: "≥ 8×" },
    { what: `${what}: import and job`, ours: ms(print), beside: than(print), aim: "≥ 3×" },
    { what: `${what}: job file`, ours: mib(jobBytes), beside: `${ratio(jobBytes, peer[0].jobBytes)} of the peer's` },
    { what: `${what}: peak memory`, ours: mib(peak), beside: `${ratio(peak, peerPeak)} of the peer's (${mib(peerPeak)})`, aim: "≤ 0.5×" },
  ];
}

const sliceTime = ({ importMs, sliceMs }: Ours): number => importMs + sliceMs;
const printTime = ({ importMs, printMs }: Ours): number => importMs + printMs;

/** In a server of its own, nothing warmed up. Slices and job are made in two servers, so that neither helps the other. */
async function runOurs(model: Model, layer_thickness_mm: number): Promise<Ours> {
  const folder = mkdtempSync(join(tmpdir(), "printwright-bench-"));
  const inServer = async (path: string, body: object): Promise<{ importMs: number; callMs: number; peak: number; layers: number }> => {
    const printwright = await startPrintwright(["--virtual-printer", `${SETTING.machine_type}=${PRINTER}`, "--job-dir", folder]);
    const post = async (path: string, body: object): Promise<any> => {
      const reply = await printwright.post(path, body);
      if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
      return reply.body;
    };
    const { scene_id } = await post("/v1/scene/create/", { ...SETTING, layer_thickness_mm });
    const importMs = await timed(() => post("/v1/scene/model/import/", { scene_id, file: model.file }));
    if (model.turnDeg) await post("/v1/scene/model/orient/", { scene_id, orientation: { x: 0, y: 0, z: model.turnDeg } });
    const callMs = await timed(() => post(path, { scene_id, ...body }));
    const { layer_count } = await post("/v1/scene/get/", { scene_id });
    const peak = peakBytes(printwright.pid);
    await printwright.stop();
    return { importMs, callMs, peak, layers: layer_count };
  };
  try {
    const slices = await inServer("/v1/scene/calculate-print-time/", {});
    const print = await inServer("/v1/scene/print/", { printer: PRINTER, job_name: "bench" });
    const jobBytes = folderBytes(folder);
    const { importMs, layers, peak } = print;
    return { importMs, sliceMs: slices.callMs, printMs: print.callMs, peak, jobBytes, layers };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface PeerRun {
  readonly ms: number;
  readonly peak: number;
  readonly jobBytes: number;
}

/** The whole command: it reads the model, slices it, and packs the layers. */
async function runPeer({ file, turnDeg }: Model): Promise<PeerRun> {
  const missing = { ms: Number.NaN, peak: Number.NaN, jobBytes: Number.NaN };
  if (spawnSync("prusa-slicer", ["--help"]).error) return missing;
  const output = join(tmpdir(), "printwright-bench-peer.sl1");
  const args = ["--export-sla", "--load", path("here", "peer-printer.ini"), "--output", output];
  const bare = ["--no-supports-enable", "--no-pad-enable", "--no-hollowing-enable", "--loglevel", "0"];
  const child = spawn("prusa-slicer", [...args, ...bare, ...(turnDeg ? ["--rotate", String(turnDeg)] : []), file]);
  const began = performance.now();
  let peak = 0;
  const watching = setInterval(() => {
    try {
      peak = Math.max(peak, peakBytes(child.pid!));
    } catch {
      // It has just ended.
    }
  }, 20);
  await new Promise((resolve) => child.once("exit", resolve));
  clearInterval(watching);
  return { ms: performance.now() - began, peak, jobBytes: statSync(output).size };
}

async function costOf(model: Model, thickness: number): Promise<Row> {
  const { sliceMs, printMs, layers } = await runOurs(model, thickness);
  const perLayer = (time: number): string => `${(time / layers).toFixed(2)} ms a layer`;
  return {
    what: `${model.name} at ${thickness} mm, ${layers} layers`,
    ours: `slices ${ms(sliceMs)} (${perLayer(sliceMs)}), job ${ms(printMs)} (${perLayer(printMs)})`,
  };
}

const folderBytes = (folder: string): number =>
  readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
