import { join } from "node:path";
import { MODEL_FILES } from "./models.ts";
import {
  type BenchServer,
  type Row,
  median,
  mib,
  peakBytes,
  processorMs,
  timed,
  withFolder,
  withServer,
} from "./measure.ts";

const SETTING = { machine_type: "ELEGOO-S4U-12K", material_code: "GENERIC-RESIN", layer_thickness_mm: 0.05 };
const RUNS = 3;

const CHECKS = ["ISLANDS", "CUPS", "OVERHANGS", "BORDERS", "EMPTY_LAYERS"];

/** A full plate on a 12K panel, read back on all cores: its totals alone, each check, and all of them. */
export const benchJobInspect = (): Promise<Row[]> =>
  withFolder((folder) =>
    withServer(async (server) => {
      const file = join(folder, "plate.goo");
      const { scene_id } = await server.post("/v1/scene/create/", SETTING);
      await server.post("/v1/scene/model/import/", { scene_id, file: MODEL_FILES["65004"], repair_behavior: "REPAIR" });
      await server.post("/v1/scene/model/fill-build-platform/", {
        scene_id,
        model_ids: await firstModel(server, scene_id),
      });
      await server.post("/v1/scene/export/", { scene_id, file });
      const rows: Row[] = [];
      for (const checks of [[], ...CHECKS.slice(0, 3).map((check) => [check]), CHECKS]) {
        rows.push(await inspecting(server, file, checks));
      }
      return rows;
    }),
  );

async function firstModel({ post }: BenchServer, scene_id: string): Promise<string[]> {
  const { models } = await post("/v1/scene/model/list/", { scene_id });
  return [models[0].id];
}

async function inspecting({ post, pid }: BenchServer, file: string, checks: readonly string[]): Promise<Row> {
  const times: number[] = [];
  const before = processorMs(pid);
  let layers = 0;
  for (let run = 0; run < RUNS; run++) {
    times.push(await timed(async () => ({ layer_count: layers } = await post("/v1/job/inspect/", { file, checks }))));
  }
  const perLayer = (processorMs(pid) - before) / RUNS / layers;
  return {
    what: `${layers} layers of a full plate at 11520 × 5120: ${checks.join(", ").toLowerCase() || "totals"}`,
    ours: `${Math.round((1000 * layers) / median(times))} layers/s, ${perLayer.toFixed(1)} ms of processor time each`,
    beside: `peak ${mib(peakBytes(pid))}`,
    aim: "≥ 300 layers/s on two cores",
  };
}
