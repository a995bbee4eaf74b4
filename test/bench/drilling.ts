import { fileURLToPath } from "node:url";
import { startPrintwright } from "../fixture/printwright.ts";
import { mib, ms, peakBytes, ratio, type Row, timed } from "./measure.ts";
import { subdividedFile } from "./subdivided.ts";

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** So many holes on each side of a square over the model. */
const SIDE = 3;

/** Time and memory of one hole and of nine, beside nine requests of one hole each; no peer drills on its command line. */
export async function benchDrilling(): Promise<Row[]> {
  const large = path("../../assets/demo/functional-part.stl");
  const rows: Row[] = [];
  for (const [name, file] of [
    ["520644", path("../fixture/corpus/thingi-520644.stl")],
    ["908460", large],
    ["577k facets", await subdividedFile(large)],
  ] as const) {
    const { one, batched, plugged, apart, triangles, peak, before } = await run(file);
    rows.push({
      what: `drilling ${name}`,
      ours: `one hole ${ms(one)}, ${SIDE ** 2} holes ${ms(batched)} (${((1e3 * batched) / triangles).toFixed(1)} µs a facet), with plugs ${ms(plugged)}, ${mib(peak)} at most (${mib(before)} before)`,
      beside: `one by one they take ${ms(apart)} (${ratio(apart, batched)})`,
      aim: "one boolean for all holes: ≥ 2× faster than one by one",
    });
  }
  return rows;
}

interface Drilling {
  readonly one: number;
  readonly batched: number;
  readonly plugged: number;
  /** The same holes in requests of their own. */
  readonly apart: number;
  readonly triangles: number;
  readonly peak: number;
  readonly before: number;
}

async function run(file: string): Promise<Drilling> {
  const printwright = await startPrintwright();
  const post = async (path: string, body: object): Promise<any> => {
    const reply = await printwright.post(path, body);
    if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
    return reply.body;
  };
  /** A scene with the model as it is in its file, drilled `times`: each time those of the holes that `taken` picks. */
  const drill = async (times: number, taken: (hole: number, time: number) => boolean, create_plug = false) => {
    const { scene_id } = await post("/v1/scene/create/", {
      machine_type: "FS30-1-0",
      material_code: "FLP11C01",
      layer_thickness_mm: 0.11,
    });
    await post("/v1/scene/model/import/", { scene_id, file });
    const { models } = await post("/v1/scene/metadata/", { scene_id });
    const holes = holesOver(models[0].bounding_box).map((hole) => ({ ...hole, create_plug }));
    const before = peakBytes(printwright.pid);
    const took = await timed(async () => {
      for (let time = 0; time < times; time++) {
        await post("/v1/scene/model/drill/", { scene_id, drain_holes: holes.filter((_, hole) => taken(hole, time)) });
      }
    });
    await printwright.call("DELETE", "/v1/scene/delete/", { scene_id });
    return { took, before, triangles: models[0].triangle_count as number };
  };
  try {
    const { took: one, before, triangles } = await drill(1, (hole) => hole === 0);
    const { took: batched } = await drill(1, () => true);
    const peak = peakBytes(printwright.pid);
    const { took: plugged } = await drill(1, () => true, true);
    const { took: apart } = await drill(SIDE ** 2, (hole, time) => hole === time);
    return { one, batched, plugged, apart, triangles, before, peak };
  } finally {
    await printwright.stop();
  }
}

/** AUTO holes on a lattice over the middle of the box, snapped to what is below. */
function holesOver({ min_corner, max_corner }: { min_corner: Place; max_corner: Place }): object[] {
  const between = (axis: "x" | "y", i: number): number =>
    min_corner[axis] + ((max_corner[axis] - min_corner[axis]) * (i + 1)) / (SIDE + 1);
  return Array.from({ length: SIDE ** 2 }, (_, i) => ({
    orientation: { x: 0, y: 0, z: 0 },
    position: { x: between("x", i % SIDE), y: between("y", Math.floor(i / SIDE)), z: max_corner.z },
    diameter_mm: 2,
    depth_mm: "AUTO",
    max_search_distance_mm: 1000,
  }));
}

interface Place {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}
