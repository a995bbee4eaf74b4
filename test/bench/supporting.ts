import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { strFromU8, unzipSync } from "fflate";
import { RESIN, type Row, ms, ratio, timed, withFolder, withServer } from "./measure.ts";
import { MODEL_FILES, leaningFiles, subdividedFile } from "./models.ts";
import { PEER_OUTPUT, type PeerModel, logTime, peerArguments } from "./peer-slicer.ts";

/** Cost of a model's supports: time, number of touchpoints, and material. */
interface Supports {
  readonly ms: number;
  readonly points: number;
  readonly ml: number;
}

/** Points, tree and raft of models. Compared with the peer slicer's default points, tree and pad, in the same pose. */
export async function benchSupporting(): Promise<Row[]> {
  const models: PeerModel[] = [
    { name: "65004", file: MODEL_FILES["65004"] },
    { name: "520644", file: MODEL_FILES["520644"] },
    { name: "472042", file: MODEL_FILES["472042"], turnDeg: 90 },
    { name: "908460", file: MODEL_FILES["908460"] },
    { name: "577k facets", file: subdividedFile() },
    ...Object.entries(leaningFiles()).map(([name, file]) => ({ name: `a ${name}`, file })),
  ];
  const rows: Row[] = [];
  for (const model of models) {
    const { bareMl, unsupported, ...ours } = await runOurs(model);
    const peer = runPeer(model, bareMl);
    const figures = `${ours.points} points, ${ours.ml.toFixed(1)} ml, ${unsupported.toFixed(2)} % unsupported`;
    rows.push({
      what: `supports of ${model.name}`,
      ours: `${ms(ours.ms)}, ${figures}`,
      beside: peer
        ? `the peer's take ${ms(peer.ms)} (${ratio(peer.ms, ours.ms)}), ${peer.points} points, ${peer.ml.toFixed(1)} ml`
        : "the peer slicer is not installed",
      aim: "≥ 2× faster, no more ml for no fewer points",
    });
  }
  return rows;
}

const runOurs = ({ file, turnDeg }: PeerModel): Promise<Supports & { bareMl: number; unsupported: number }> =>
  withFolder((folder) =>
    withServer(async ({ post }) => {
      const { scene_id } = await post("/v1/scene/create/", RESIN);
      await post("/v1/scene/model/import/", { scene_id, file });
      if (turnDeg) await post("/v1/scene/model/orient/", { scene_id, orientation: { x: 0, y: 0, z: turnDeg } });
      const took = await timed(() => post("/v1/scene/model/auto-support/", { scene_id }));
      const { volume_ml, unsupported_volume_ml } = (await post("/v1/scene/get/", { scene_id })).material_usage;
      const { per_model_results } = await post("/v1/scene/model/validate/supportedness/", { scene_id });
      const [{ percent_unsupported }] = Object.values<{ percent_unsupported: number }>(per_model_results);
      const project = join(folder, "supported.form");
      await post("/v1/scene/save/", { scene_ids: [scene_id], file: project });
      const { scenes } = JSON.parse(strFromU8(unzipSync(readFileSync(project))["manifest.json"]));
      const points = scenes[0].models[0].supports.touchpoints.length;
      const ml = volume_ml - unsupported_volume_ml;
      return { ms: took, points, ml, bareMl: unsupported_volume_ml, unsupported: percent_unsupported };
    }),
  );

/** From the phases of the peer's log; undefined if the peer is not installed. */
function runPeer(model: PeerModel, bareMl: number): Supports | undefined {
  const options = ["--loglevel", "4", "--supports-enable", "--pad-enable", "--no-hollowing-enable"];
  const { error, stdout, stderr } = spawnSync("prusa-slicer", peerArguments(model, options), {
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  if (error) return undefined;
  const lines = `${stdout}${stderr}`.split("\n");
  const timeOf = (phase: string): number =>
    logTime(lines.find((line) => line.startsWith("[") && line.includes(phase))!);
  const config = strFromU8(unzipSync(readFileSync(PEER_OUTPUT))["config.ini"]);
  const points = Number(/Automatic support points: (\d+)/.exec(lines.join("\n"))![1]);
  const usedMl = Number(/usedMaterial = ([\d.]+)/.exec(config)![1]);
  return { ms: timeOf("Slicing supports") - timeOf("Generating support points"), points, ml: usedMl - bareMl };
}
