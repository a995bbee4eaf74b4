import { join } from "node:path";
import { POWDER, type Row, mib, ms, peakBytes, processorMs, timed, withFolder, withServer } from "./measure.ts";
import { bodyFiles } from "./packing.ts";

const PARTS = 300;
/** Longest sides. */
const SIZES_MM = [20, 26, 32];
const PRINTER = "bench";
const FLYAROUND = {
  keyframes: [
    { yaw: 0, pitch: 30 },
    { yaw: 360, pitch: 30 },
  ],
  frame_count: 24,
};

/** Requests of a client about a packed powder chamber, and its job. */
export const benchPackedChamber = (): Promise<Row[]> =>
  withFolder((folder) =>
    withServer(
      async ({ pid, post }) => {
        const { scene_id } = await post("/v1/scene/create/", POWDER);
        const edit = (action: string, body: object = {}) => post(`/v1/scene/model/${action}/`, { scene_id, ...body });
        const ask = (action: string, body: object = {}) => post(`/v1/scene/${action}/`, { scene_id, ...body });
        await importParts(edit);
        // One turn of each part only, because the packing has its own figures.
        await edit("update", { lock: "LOCKED_ROTATION_FREE_TRANSLATION" });
        await edit("auto-pack", { model_spacing_mm: 2 });
        const { models } = await ask("metadata");
        const facets = models.reduce((sum: number, { triangle_count }: Counted) => sum + triangle_count, 0);
        const steps: Readonly<Record<string, () => Promise<unknown>>> = {
          "list of the models": () => edit("list"),
          "material again": () => ask("metadata"),
          "material after one part has moved": async () => {
            await edit("translate", { model_ids: [models[0].id], position: { x: 0, y: 0, z: 0.1 }, mode: "RELATIVE" });
            await ask("metadata");
          },
          "estimated time": () => ask("estimate-print-time"),
          "time of the slices": () => ask("calculate-print-time"),
          picture: () => ask("render", { file: join(folder, "chamber.png") }),
          "flyaround of 24 pictures": () => ask("render", { file: join(folder, "a.webp"), flyaround: FLYAROUND }),
          interferences: () => edit("validate/interferences"),
          job: () => ask("print", { printer: PRINTER, job_name: "chamber" }),
        };
        const rows: Row[] = [];
        for (const [what, work] of Object.entries(steps)) {
          const before = processorMs(pid);
          const took = await timed(work);
          rows.push({ what, ours: `${ms(took)} (${ms(processorMs(pid) - before)} of processor time)` });
        }
        const chamber = `${models.length} packed parts with ${facets} facets`;
        return [{ what: chamber, ours: `${mib(peakBytes(pid))} at most` }, ...rows];
      },
      ["--virtual-printer", `${POWDER.machine_type}=${PRINTER}`, "--job-dir", folder],
    ),
  );

interface Counted {
  readonly triangle_count: number;
}

/** Imports each body in each size, and as many copies as make up the number of parts. */
async function importParts(edit: (action: string, body?: object) => Promise<any>): Promise<void> {
  const kinds = bodyFiles().flatMap((file) => SIZES_MM.map((sizeMm) => ({ file, sizeMm })));
  for (const [i, { file, sizeMm }] of kinds.entries()) {
    const { new_models } = await edit("import", { file, repair_behavior: "REPAIR" });
    const model_ids = [new_models[0].model_id];
    const { min_corner, max_corner } = (await edit("list", { model_ids })).models[0].bounding_box;
    const longestMm = Math.max(...["x", "y", "z"].map((axis) => max_corner[axis] - min_corner[axis]));
    await edit("scale", { model_ids, scale: sizeMm / longestMm });
    const copies = Math.ceil((PARTS - i) / kinds.length) - 1;
    if (copies > 0) await edit("duplicate", { model_ids, count: copies });
  }
}
