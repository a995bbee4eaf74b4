import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SKIN_MM } from "../../src/check/interferences/solid.ts";
import { combine } from "../../src/mesh/combine.ts";
import { moved, surfaceOfStl } from "../fixture/altered.ts";
import { type Printwright, startPrintwright } from "../fixture/printwright.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { mib, ms, peakBytes, ratio, type Row, timed } from "./measure.ts";
import { subdividedFile } from "./subdivided.ts";

const MIDDLE = fileURLToPath(new URL("../../assets/demo/functional-part.stl", import.meta.url));
const SETTING = { machine_type: "FS30-1-0", material_code: "FLP11C01", layer_thickness_mm: 0.11 };
/** Between copies side by side. */
const GAP_MM = 1;

/** Manifoldness, bodies and interferences of the middle model and of the large one, beside what other programs check. */
export async function benchChecking(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [name, file] of [
    ["908460", MIDDLE],
    ["577k facets", await subdividedFile(MIDDLE)],
  ] as const) {
    const folder = mkdtempSync(join(tmpdir(), "printwright-bench-"));
    const printwright = await startPrintwright();
    try {
      rows.push(...(await benchModel(name, file, folder, printwright)));
    } finally {
      await printwright.stop();
      rmSync(folder, { recursive: true });
    }
  }
  return rows;
}

async function benchModel(name: string, file: string, folder: string, printwright: Printwright): Promise<Row[]> {
  const post = async (path: string, body: object): Promise<any> => {
    const reply = await printwright.post(path, body);
    if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
    return reply.body;
  };
  let { scene_id } = await post("/v1/scene/create/", SETTING);
  const model = (action: string, body: object = {}): Promise<any> =>
    post(`/v1/scene/model/${action}/`, { scene_id, ...body });
  const surface = surfaceOfStl(readFileSync(file));
  const facets = surface.triangles.length / 3;
  const told = (took: number, of = facets): string => `${ms(took)}, ${((1e6 * took) / of).toFixed(0)} ns a facet`;

  const imported = await timed(() => model("import", { file, repair_behavior: "IGNORE" }));
  const [first] = (await model("list")).models;
  const manifoldness = await timed(() => model("validate/manifoldness"));
  const counting = await timed(() => model("body-count"));
  const peakOne = peakBytes(printwright.pid);

  const widthMm = first.bounding_box.max_corner.x - first.bounding_box.min_corner.x;
  await model("duplicate", { count: 1 });
  const { x, y, z } = first.position;
  await model("translate", { model_ids: [first.id], position: { x: x + widthMm + GAP_MM, y, z } });
  // So little more that the boxes are near and nothing in them is.
  const collision_offset_mm = GAP_MM + SKIN_MM / 2;
  const apart = await timed(() => model("validate/interferences", { collision_offset_mm }));
  await model("translate", { model_ids: [first.id], position: { x: x + widthMm / 2, y, z } });
  const across = await timed(() => model("validate/interferences"));

  ({ scene_id } = await post("/v1/scene/create/", SETTING));
  const two = join(folder, "two.stl");
  writeFileSync(two, binaryStl(combine([surface, moved(surface, [widthMm + GAP_MM, 0, 0])])));
  await model("import", { file: two, repair_behavior: "IGNORE" });
  const splitting = await timed(() => model("split-bodies"));
  const peak = mib(peakBytes(printwright.pid));
  return [
    {
      what: `manifoldness of ${name}`,
      ours: `${told(manifoldness)}, self-intersections included; import ${ms(imported)}; peak ${mib(peakOne)}`,
      beside: peersOf(file, imported + manifoldness),
    },
    { what: `body-count of ${name}`, ours: told(counting) },
    { what: `interferences of two ${name} side by side`, ours: `${told(apart, 2 * facets)}, none found` },
    { what: `interferences of two ${name} in each other`, ours: `${told(across, 2 * facets)}, stopped at the first` },
    { what: `split-bodies of two ${name} in a file`, ours: `${told(splitting, 2 * facets)}; peak ${peak}` },
  ];
}

/** What programs that read and check a file take for it, beside our import and check. */
function peersOf(file: string, oursMs: number): string {
  const told = (["admesh", "prusa-slicer --info"] as const).map((command) => {
    const [program, ...args] = command.split(" ");
    const began = performance.now();
    const { error } = spawnSync(program, [...args, file]);
    const took = performance.now() - began;
    return error ? `${program} is not installed` : `${command} takes ${ms(took)} (${ratio(took, oursMs)})`;
  });
  return told.join(", ");
}
