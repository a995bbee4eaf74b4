import { boxCentre } from "../../src/geometry/box.ts";
import { noProgress } from "../../src/core/progress.ts";
import { stlReader } from "../../src/format/stl.ts";
import { type Vec3, cross, exactLength, subtract, times, unit } from "../../src/geometry/vector.ts";
import { union } from "../../src/mesh/boolean.ts";
import type { Surface } from "../../src/mesh/mesh.ts";
import { READ_OPTIONS } from "../fixture/read-model.ts";
import { box } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/slices.ts";
import { moved } from "../fixture/surface-edits.ts";
import { POWDER, type Row, median, mib, ms, peakBytes, ratio, timed, timesOf, withServer } from "./measure.ts";
import { MODEL_FILES, bumpySphereFile, subdividedFile } from "./models.ts";

/** Time and memory of a label. Compared with the boolean union of the same model and a box. */
export async function benchLabelling(): Promise<Row[]> {
  const [middle, large] = [MODEL_FILES["472042"], MODEL_FILES["908460"]];
  const rows: Row[] = [];
  for (const [name, file, placed, text] of [
    ["472042", middle, middle, "8"],
    ["908460", large, large, "8"],
    ["577k facets", subdividedFile(), large, "8"],
    ["a rippled ball of 150k facets", bumpySphereFile(150_000), bumpySphereFile(150_000), "Printwright"],
    ["a rippled ball of 600k facets", bumpySphereFile(600_000), bumpySphereFile(600_000), "Printwright"],
  ] as const) {
    const { surface } = (await stlReader.read(file, READ_OPTIONS, noProgress)).parts[0];
    const mesh = meshOf(surface);
    const place = largestFacet((await stlReader.read(placed, READ_OPTIONS, noProgress)).parts[0].surface);
    const { took, triangles, before, peak } = await run(file, boxCentre(mesh.box), place, text);
    const bare = median(await timesOf(3, () => union([mesh, moved(box([2, 2, 2]), place.position)], noProgress)));
    rows.push({
      what: `"${text}" on ${name}`,
      ours: `${ms(took)} (${((1e6 * took) / triangles).toFixed(0)} ns a facet), ${mib(peak)} at most (${mib(before)} before)`,
      beside: `uniting it with a box takes ${ms(bare)} (${ratio(took, bare)})`,
      aim: "few times the boolean",
    });
  }
  return rows;
}

interface Place {
  readonly position: Vec3;
  readonly along: Vec3;
  readonly out: Vec3;
}

/** The middle of the largest facet. */
function largestFacet({ vertices, triangles }: Surface): Place {
  const corner = (i: number): Vec3 => {
    const at = 3 * triangles[i];
    return [vertices[at], vertices[at + 1], vertices[at + 2]];
  };
  let [largest, most] = [0, 0];
  const normalOf = (at: number): Vec3 =>
    cross(subtract(corner(at + 1), corner(at)), subtract(corner(at + 2), corner(at)));
  for (let at = 0; at < triangles.length; at += 3) {
    const area = exactLength(normalOf(at));
    if (area > most) [largest, most] = [at, area];
  }
  const [a, b, c] = [corner(largest), corner(largest + 1), corner(largest + 2)];
  const position = times([a[0] + b[0] + c[0], a[1] + b[1] + c[1], a[2] + b[2] + c[2]], 1 / 3);
  return { position, along: unit(subtract(b, a)), out: unit(normalOf(largest)) };
}

async function run(file: string, centre: Vec3, { position: [x, y, z], along, out }: Place, text: string) {
  return withServer(async ({ pid, post }) => {
    const { scene_id } = await post("/v1/scene/create/", POWDER);
    const { new_models } = await post("/v1/scene/model/import/", { scene_id, file });
    const model_id = new_models[0].model_id;
    // The import moves the model into the build volume.
    const [{ position }] = (await post("/v1/scene/model/list/", { scene_id })).models;
    const [cx, cy, cz] = centre;
    const { models } = await post("/v1/scene/metadata/", { scene_id });
    const before = peakBytes(pid);
    const took = await timed(() =>
      post("/v1/scene/model/label/", {
        scene_id,
        model_id,
        orientation: { z_direction: out, x_direction: along },
        position: { x: x - cx + position.x, y: y - cy + position.y, z: z - cz + position.z },
        label: text,
        font_size_mm: 4,
        depth_mm: 0.5,
      }),
    );
    return { took, triangles: models[0].triangle_count as number, before, peak: peakBytes(pid) };
  });
}
