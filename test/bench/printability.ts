import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BenchServer, type Row, median, mib, ms, peakBytes, ratio, timed, withServer } from "./measure.ts";

const folder = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const filesIn = (path: string): string[] =>
  readdirSync(path)
    .filter((file) => /\.(stl|3mf|step|obj)$/.test(file))
    .map((file) => join(path, file));

const SETTING = { machine_type: "FRML-4-0", material_code: "FLGPGR05", layer_thickness_mm: 0.1 };
const CHECKS = ["cups", "minima", "supportedness"];
const REPEATS = 20;
/** Copies of a part on its plate. */
const COPIES = 29;

/** The three checks of a plate, one after the other, compared with slicing it. Then the same checks again. */
export async function benchPrintability(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [name, files] of [
    ["the demo's parts", filesIn(folder("../../assets/demo"))],
    ["the corpus", filesIn(folder("../fixture/corpus"))],
  ] as const) {
    for (const isSupported of [true, false]) {
      rows.push(
        await withServer((server) =>
          checkPlate(`${name}, ${isSupported ? "supported" : "bare"}`, files, isSupported, server),
        ),
      );
    }
  }
  rows.push(await withServer(checkCopies));
  return rows;
}

async function checkPlate(
  name: string,
  files: readonly string[],
  isSupported: boolean,
  { pid, post }: BenchServer,
): Promise<Row> {
  const { scene_id } = await post("/v1/scene/create/", SETTING);
  for (const file of files) await post("/v1/scene/model/import/", { scene_id, file, repair_behavior: "REPAIR" });
  await post("/v1/scene/model/auto-orient/", { scene_id });
  if (isSupported) await post("/v1/scene/model/auto-support/", { scene_id });
  // Parts that do not fit on the platform with the others stay where they were imported.
  await post("/v1/scene/model/auto-layout/", { scene_id }).catch(() => {});
  const check = (which: string): Promise<number> =>
    timed(() => post(`/v1/scene/model/validate/${which}/`, { scene_id }));
  const times: number[] = [];
  for (const which of CHECKS) times.push(await check(which));
  const total = times.reduce((sum, time) => sum + time, 0);
  const slicing = await timed(() => post("/v1/scene/calculate-print-time/", { scene_id }));
  const again: number[] = [];
  for (let i = 0; i < REPEATS; i++) for (const which of CHECKS) again.push(await check(which));
  return {
    what: `cups, minima and supportedness of ${name}`,
    ours: `${ms(total)} (${times.map(ms).join(", ")}); again ${ms(median(again))}; peak ${mib(peakBytes(pid))}`,
    beside: `${ratio(total, slicing)} of slicing the plate (${ms(slicing)})`,
    aim: "≤ 1×, again ≤ 5 ms",
  };
}

/** A check of a plate of copies, repeated unchanged and after a change that no result depends on. */
async function checkCopies({ call, post, scene_id: first }: BenchServer): Promise<Row> {
  const { scene_id } = await post("/v1/scene/create/", SETTING);
  await call("DELETE", "/v1/scene/delete/", { scene_id: first });
  await post("/v1/scene/model/import/", { scene_id, file: join(folder("../../assets/demo"), "gear-small.stl") });
  const [{ id }] = (await post("/v1/scene/model/list/", { scene_id })).models;
  await post("/v1/scene/model/duplicate/", { scene_id, model_ids: [id], count: COPIES });
  const { models } = await post("/v1/scene/model/list/", { scene_id });
  for (const [i, model] of models.entries()) {
    const position = { x: 28 * (i % 6) - 70, y: 22 * Math.floor(i / 6) - 45, z: model.position.z };
    await post("/v1/scene/model/translate/", { scene_id, model_ids: [model.id], position });
  }
  const check = (which = "cups"): Promise<number> =>
    timed(() => post(`/v1/scene/model/validate/${which}/`, { scene_id }));
  const took = await check();
  const again: number[] = [];
  for (let i = 0; i < REPEATS; i++) for (const which of CHECKS) again.push(await check(which));
  await post("/v1/scene/model/update/", { scene_id, model_ids: [id], name: "another name" });
  const renamed = await check();
  return {
    what: `the checks of ${COPIES + 1} copies`,
    ours: `${ms(took)}; again ${ms(median(again))}; after another name ${ms(renamed)}`,
    aim: "again ≤ 5 ms",
  };
}
