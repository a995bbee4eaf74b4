import { type BenchServer, POWDER, type Row, mib, ms, peakBytes, ratio, timed, withServer } from "./measure.ts";
import { MODEL_FILES, subdividedFile } from "./models.ts";

/** Number of holes along each side of a square over the model. */
const SIDE = 3;

/** Time and memory of one hole and of nine. Compared with nine requests of one hole each. */
export async function benchDrilling(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [name, file] of [
    ["520644", MODEL_FILES["520644"]],
    ["908460", MODEL_FILES["908460"]],
    ["577k facets", subdividedFile()],
  ] as const) {
    const { one, batched, plugged, apart, triangles, peak, before } = await withServer((server) => run(file, server));
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
  /** One request per hole. */
  readonly apart: number;
  readonly triangles: number;
  readonly peak: number;
  readonly before: number;
}

async function run(file: string, { pid, call, post }: BenchServer): Promise<Drilling> {
  /** Drills the model of the file in `times` requests, each with the holes that `isIncluded` selects. */
  const drill = async (times: number, isIncluded: (hole: number, time: number) => boolean, create_plug = false) => {
    const { scene_id } = await post("/v1/scene/create/", POWDER);
    await post("/v1/scene/model/import/", { scene_id, file });
    const { models } = await post("/v1/scene/metadata/", { scene_id });
    const holes = holesOver(models[0].bounding_box).map((hole) => ({ ...hole, create_plug }));
    const before = peakBytes(pid);
    const took = await timed(async () => {
      for (let time = 0; time < times; time++) {
        await post("/v1/scene/model/drill/", {
          scene_id,
          drain_holes: holes.filter((_, hole) => isIncluded(hole, time)),
        });
      }
    });
    await call("DELETE", "/v1/scene/delete/", { scene_id });
    return { took, before, triangles: models[0].triangle_count as number };
  };
  const { took: one, before, triangles } = await drill(1, (hole) => hole === 0);
  const { took: batched } = await drill(1, () => true);
  const peak = peakBytes(pid);
  const { took: plugged } = await drill(1, () => true, true);
  const { took: apart } = await drill(SIDE ** 2, (hole, time) => hole === time);
  return { one, batched, plugged, apart, triangles, before, peak };
}

/** AUTO holes on a grid over the middle of the box, snapped to the surface below. */
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
