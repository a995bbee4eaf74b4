import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { strFromU8, unzipSync } from "fflate";
import { startPrintwright } from "../fixture/printwright.ts";
import { ms, ratio, type Row, timed } from "./measure.ts";
import { subdividedFile } from "./subdivided.ts";

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const SETTING = { machine_type: "FORM-4-0", material_code: "FLGPBK05", layer_thickness_mm: 0.05 };

interface Model {
  readonly name: string;
  readonly file: string;
  /** About z, so that it fits; the peer never turns a part. */
  readonly turnDeg?: number;
}

/** What supports of a model take. */
interface Supports {
  readonly ms: number;
  readonly points: number;
  readonly ml: number;
}

/** Points, tree and raft of four models, beside the peer slicer's default points, tree and pad of the same in the same pose. */
export async function benchSupporting(): Promise<Row[]> {
  const large = path("../../assets/demo/functional-part.stl");
  const models: Model[] = [
    { name: "65004", file: path("../fixture/corpus/thingi-65004.stl") },
    { name: "520644", file: path("../fixture/corpus/thingi-520644.stl") },
    { name: "472042", file: path("../fixture/corpus/thingi-472042.stl"), turnDeg: 90 },
    { name: "908460", file: large },
    { name: "577k facets", file: await subdividedFile(large) },
  ];
  const rows: Row[] = [];
  for (const model of models) {
    const { bareMl, unsupported, ...ours } = await runOurs(model);
    const peer = runPeer(model, bareMl);
    const told = `${ours.points} points, ${ours.ml.toFixed(1)} ml, ${unsupported.toFixed(2)} % unsupported`;
    rows.push({
      what: `supports of ${model.name}`,
      ours: `${ms(ours.ms)}, ${told}`,
      beside: peer
        ? `the peer's take ${ms(peer.ms)} (${ratio(peer.ms, ours.ms)}), ${peer.points} points, ${peer.ml.toFixed(1)} ml`
        : "the peer slicer is not installed",
      aim: "≥ 2× faster, no more ml for no fewer points",
    });
  }
  return rows;
}

async function runOurs({ file, turnDeg }: Model): Promise<Supports & { bareMl: number; unsupported: number }> {
  const printwright = await startPrintwright();
  const folder = mkdtempSync(join(tmpdir(), "printwright-bench-"));
  const post = async (path: string, body: object): Promise<any> => {
    const reply = await printwright.post(path, body);
    if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
    return reply.body;
  };
  try {
    const { scene_id } = await post("/v1/scene/create/", SETTING);
    await post("/v1/scene/model/import/", { scene_id, file });
    if (turnDeg) await post("/v1/scene/model/orient/", { scene_id, orientation: { x: 0, y: 0, z: turnDeg } });
    const took = await timed(() => post("/v1/scene/model/auto-support/", { scene_id }));
    const { volume_ml, unsupported_volume_ml } = (await post("/v1/scene/get/", { scene_id })).material_usage;
    const { per_model_results } = await post("/v1/scene/model/validate/supportedness/", { scene_id });
    const [{ percent_unsupported }] = Object.values<{ percent_unsupported: number }>(per_model_results);
    const project = join(folder, "supported.form");
    await post("/v1/scene/save/", { scene_ids: [scene_id], file: project });
    const { scenes } = JSON.parse(strFromU8(unzipSync(readFileSync(project))["manifest.json"]!));
    const points = scenes[0].models[0].supports.touchpoints.length;
    const ml = volume_ml - unsupported_volume_ml;
    return { ms: took, points, ml, bareMl: unsupported_volume_ml, unsupported: percent_unsupported };
  } finally {
    await printwright.stop();
    rmSync(folder, { recursive: true });
  }
}

/** The phases of its log; undefined where the peer is not installed. */
function runPeer({ file, turnDeg }: Model, bareMl: number): Supports | undefined {
  const output = join(tmpdir(), "printwright-bench-peer.sl1");
  const args = ["--export-sla", "--load", path("peer-printer.ini"), "--output", output, "--loglevel", "4"];
  const steps = ["--supports-enable", "--pad-enable", "--no-hollowing-enable"];
  const { error, stdout, stderr } = spawnSync(
    "prusa-slicer",
    [...args, ...steps, ...(turnDeg ? ["--rotate", String(turnDeg)] : []), file],
    { encoding: "utf8", maxBuffer: 2 ** 26 },
  );
  if (error) return undefined;
  const lines = `${stdout}${stderr}`.split("\n");
  const timeOf = (phase: string): number => {
    const [, day, clock] = /^\[(\S+) (\S+)\]/.exec(lines.find((line) => line.startsWith("[") && line.includes(phase))!)!;
    return Date.parse(`${day}T${clock}Z`);
  };
  const config = strFromU8(unzipSync(readFileSync(output))["config.ini"]!);
  const points = Number(/Automatic support points: (\d+)/.exec(lines.join("\n"))![1]);
  const usedMl = Number(/usedMaterial = ([\d.]+)/.exec(config)![1]);
  return { ms: timeOf("Slicing supports") - timeOf("Generating support points"), points, ml: usedMl - bareMl };
}
