import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TOUCH_TOLERANCE_MM } from "../../src/mesh/bvh/interfere.ts";
import { concatenateSurfaces } from "../../src/mesh/mesh.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { moved, surfaceOfStl } from "../fixture/surface-edits.ts";
import {
  type BenchServer,
  POWDER,
  type Row,
  mib,
  ms,
  peakBytes,
  ratio,
  timed,
  withFolder,
  withServer,
} from "./measure.ts";
import { MODEL_FILES, subdividedFile } from "./models.ts";

/** Distance between copies side by side. */
const GAP_MM = 1;

/** Manifoldness, bodies and interferences of two models. Compared with the checks of other programs. */
export async function benchChecking(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [name, file] of [
    ["908460", MODEL_FILES["908460"]],
    ["577k facets", subdividedFile()],
  ] as const) {
    rows.push(...(await withFolder((folder) => withServer((server) => checkModel(name, file, folder, server)))));
  }
  return rows;
}

async function checkModel(name: string, file: string, folder: string, { pid, post }: BenchServer): Promise<Row[]> {
  let { scene_id } = await post("/v1/scene/create/", POWDER);
  const model = (action: string, body: object = {}): Promise<any> =>
    post(`/v1/scene/model/${action}/`, { scene_id, ...body });
  const surface = surfaceOfStl(readFileSync(file));
  const facets = surface.triangles.length / 3;
  const perFacet = (took: number, of = facets): string => `${ms(took)}, ${((1e6 * took) / of).toFixed(0)} ns a facet`;

  const imported = await timed(() => model("import", { file, repair_behavior: "IGNORE" }));
  const [first] = (await model("list")).models;
  const manifoldness = await timed(() => model("validate/manifoldness"));
  const counting = await timed(() => model("body-count"));
  const peakOne = peakBytes(pid);

  const widthMm = first.bounding_box.max_corner.x - first.bounding_box.min_corner.x;
  await model("duplicate", { count: 1 });
  const { x, y, z } = first.position;
  await model("translate", { model_ids: [first.id], position: { x: x + widthMm + GAP_MM, y, z } });
  // Slightly more than the gap: the boxes are within this distance, but the surfaces are not.
  const collision_offset_mm = GAP_MM + TOUCH_TOLERANCE_MM / 2;
  const apart = await timed(() => model("validate/interferences", { collision_offset_mm }));
  await model("translate", { model_ids: [first.id], position: { x: x + widthMm / 2, y, z } });
  const across = await timed(() => model("validate/interferences"));

  ({ scene_id } = await post("/v1/scene/create/", POWDER));
  const two = join(folder, "two.stl");
  writeFileSync(two, binaryStl(concatenateSurfaces([surface, moved(surface, [widthMm + GAP_MM, 0, 0])])));
  await model("import", { file: two, repair_behavior: "IGNORE" });
  const splitting = await timed(() => model("split-bodies"));
  const peak = mib(peakBytes(pid));
  return [
    {
      what: `manifoldness of ${name}`,
      ours: `${perFacet(manifoldness)}, self-intersections included; import ${ms(imported)}; peak ${mib(peakOne)}`,
      beside: peersOf(file, imported + manifoldness),
    },
    { what: `body-count of ${name}`, ours: perFacet(counting) },
    { what: `interferences of two ${name} side by side`, ours: `${perFacet(apart, 2 * facets)}, none found` },
    {
      what: `interferences of two ${name} in each other`,
      ours: `${perFacet(across, 2 * facets)}, stopped at the first`,
    },
    { what: `split-bodies of two ${name} in a file`, ours: `${perFacet(splitting, 2 * facets)}; peak ${peak}` },
  ];
}

/** The time that other programs need to read and check a file. Compared with our import and check. */
function peersOf(file: string, oursMs: number): string {
  const times = (["admesh", "prusa-slicer --info"] as const).map((command) => {
    const [program, ...args] = command.split(" ");
    const began = performance.now();
    const { error } = spawnSync(program, [...args, file]);
    const took = performance.now() - began;
    return error ? `${program} is not installed` : `${command} takes ${ms(took)} (${ratio(took, oursMs)})`;
  });
  return times.join(", ");
}

/** Thin features over HTTP. No other program finds them on its command line. */
export async function benchThinning(): Promise<Row[]> {
  const cases = [
    ["520644", MODEL_FILES["520644"], [1, 2]],
    ["908460", MODEL_FILES["908460"], [1, 2, 4]],
    ["577k facets", subdividedFile(), [2]],
  ] as const;
  const rows: Row[] = [];
  for (const [name, file, thresholds] of cases) {
    rows.push(...(await withServer((server) => findThinFeatures(name, file, thresholds, server))));
  }
  return rows;
}

async function findThinFeatures(
  name: string,
  file: string,
  thresholds: readonly number[],
  { pid, scene_id, post }: BenchServer,
): Promise<Row[]> {
  await post("/v1/scene/model/import/", { scene_id, file });
  const { models } = await post("/v1/scene/metadata/", { scene_id });
  const before = peakBytes(pid);
  const rows: Row[] = [];
  for (const threshold_mm of thresholds) {
    let found = { status: "", thin_region_count: 0, thin_volume_mm3: 0 };
    const took = await timed(async () => {
      const result = await post("/v1/scene/model/validate/thin-features/", { scene_id, threshold_mm });
      [found] = Object.values<any>(result.per_model_results);
    });
    const perFacet = `${((1e6 * took) / models[0].triangle_count).toFixed(0)} ns a facet`;
    const regions = `${found.thin_region_count} regions of ${found.thin_volume_mm3.toFixed(1)} mm³`;
    rows.push({
      what: `thin features below ${threshold_mm} mm of ${name}`,
      ours: `${ms(took)} (${perFacet}), ${found.status}, ${regions}`,
      beside: `${mib(peakBytes(pid))} at most (${mib(before)} before)`,
    });
  }
  return rows;
}
