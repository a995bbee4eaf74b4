import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { boxSize } from "../../src/geometry/box.ts";
import { canonicalMesh } from "../../src/mesh/canonical-mesh.ts";
import { noProgress } from "../../src/core/progress.ts";
import { cageLattice } from "../../src/solid/cage/cage-lattice.ts";
import { box, cylinder, tetrahedron, torus, uvSphere } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import {
  POWDER,
  type Row,
  mib,
  ms,
  peakBytes,
  processorMs,
  ratio,
  timed,
  timesOf,
  withFolder,
  withServer,
} from "./measure.ts";

/** Longest sides of 12 to 20 mm, 12 to 2,208 facets. */
const SMALL_PARTS = [uvSphere(6), box([12, 8, 10]), cylinder(9, 1.5), torus(8, 3), tetrahedron(14)];
const PARTS = 50;

/** Times of a cage of 50 small parts for each type of packing. Compared with the time of the lattice alone. */
export async function benchCaging(): Promise<Row[]> {
  const lattice = Math.min(...(await timesOf(5, () => cageLattice(LATTICE, noProgress))));
  const volumeMm3 = SMALL_PARTS.map((part) => boxSize(canonicalMesh(part, 1, noProgress).box)).reduce(
    (sum, size) => sum + (PARTS / SMALL_PARTS.length) * size.reduce((product, mm) => product * mm, 1),
    0,
  );
  const rows: Row[] = [];
  for (const packing_type of ["PACK_VOLUME", "PACK_HEIGHT", "PACK_NORMAL", "PACK_NONE"]) {
    for (const generate_mesh_label of packing_type === "PACK_VOLUME" ? [false, true] : [false]) {
      const { took, processor, size, before, peak } = await run({
        packing_type,
        generate_mesh_label,
        cage_label: "Lot 42",
      });
      const share = volumeMm3 / size.reduce((product, mm) => product * mm, 1);
      rows.push({
        what: `${packing_type} of ${PARTS} small parts${generate_mesh_label ? " with a label" : ""}`,
        ours: `${ms(took)} (${ms(processor)} of processor time), ${size.map((mm) => mm.toFixed(0)).join(" × ")} mm, boxes of the parts fill ${(100 * share).toFixed(0)} %, ${mib(peak)} at most (${mib(before)} before)`,
        beside: `a lattice of this kind alone takes ${ms(lattice)} (${ratio(took, lattice)})`,
        aim: "3 s",
      });
    }
  }
  return rows;
}

const LATTICE = {
  innerMm: [80, 60, 60],
  outerLimitMm: [165, 165, 300],
  openingMm: 5,
  barWidthMm: 1.5,
  barThicknessMm: 1.5,
  bars: "SQUARE",
  roundsEdges: false,
} as const;

/** The fastest of three runs, with the size of the lattice. */
const run = (request: object) =>
  withFolder((folder) =>
    withServer(async ({ pid, post }) => {
      const files = SMALL_PARTS.map((part, i) => {
        const file = join(folder, `${i}.stl`);
        writeFileSync(file, binaryStl(part));
        return file;
      });
      const { scene_id } = await post("/v1/scene/create/", POWDER);
      for (const file of files) {
        const { new_models } = await post("/v1/scene/model/import/", { scene_id, file });
        const model_ids = [new_models[0].model_id];
        await post("/v1/scene/model/duplicate/", { scene_id, model_ids, count: PARTS / SMALL_PARTS.length - 1 });
      }
      const form = join(folder, "parts.form");
      await post("/v1/scene/save/", { scene_ids: [scene_id], file: form });
      const before = peakBytes(pid);
      let [least, processor] = [Infinity, Infinity];
      let size: number[] = [];
      for (let i = 0; i < 3; i++) {
        const { scenes } = await post("/v1/scene/open/", { file: form });
        const opened = scenes[0].scene_id;
        let lattice = "";
        const used = processorMs(pid);
        const took = await timed(async () => {
          [lattice] = (await post("/v1/scene/model/cage/", { scene_id: opened, ...request })).new_model_ids;
        });
        [least, processor] = [Math.min(least, took), Math.min(processor, processorMs(pid) - used)];
        const [{ bounding_box }] = (await post("/v1/scene/model/list/", { scene_id: opened, model_ids: [lattice] }))
          .models;
        const { min_corner, max_corner } = bounding_box;
        size = ["x", "y", "z"].map((axis) => max_corner[axis] - min_corner[axis]);
      }
      return { took: least, processor, size, before, peak: peakBytes(pid) };
    }),
  );
