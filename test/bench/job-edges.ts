import { join } from "node:path";
import { inTurns } from "./job-volume.ts";
import { type Row, ms, ratio, withFolder, withServer } from "./measure.ts";
import { subdividedFile } from "./models.ts";

const SETTING = { machine_type: "ELEGOO-S4U-12K", material_code: "GENERIC-RESIN", layer_thickness_mm: 0.05 };
const measured = (value: number) => ({ value, source: "a bench", date: "2026-11-29" });
const EDGES = { exposure_ratio: measured(2.3), blur_mm: measured(0.01) };
const ALL = { ...EDGES, penetration_mm: measured(0.15) };

/** Jobs of a part of 577,000 facets on a 12K panel with corrections of the resin, compared with those without. Made in turns. */
export const benchJobEdges = async (): Promise<Row[]> => [...(await jobsOn(1)), ...(await jobsOn(2))];

const jobsOn = (threads: number): Promise<Row[]> =>
  withFolder((folder) =>
    withServer(
      async ({ post }) => {
        const scenes: unknown[] = [];
        for (const cure of [undefined, EDGES, ALL]) {
          const resin = cure && { resin_settings: { cure } };
          const { scene_id } = await post("/v1/scene/create/", { ...SETTING, ...resin });
          await post("/v1/scene/model/import/", { scene_id, file: subdividedFile() });
          scenes.push(scene_id);
        }
        const [plain = Number.NaN, ...corrected] = await inTurns(
          scenes.map((scene_id, k) => () => post("/v1/scene/export/", { scene_id, file: join(folder, `${k}.goo`) })),
        );
        return corrected.map((time, k) => ({
          what: `part of 577k facets, 1,928 layers, ${threads} thread(s): job with ${k === 0 ? "moved edges" : "moved edges, against over-cure"}`,
          ours: ms(time),
          beside: `${ratio(time, plain)} of without corrections (${ms(plain)})`,
          aim: k === 0 ? "≤ 2×" : "a plate ≤ 60 s on two threads",
        }));
      },
      ["--threads", String(threads)],
    ),
  );
