import { fileURLToPath } from "node:url";
import { setTimeout as sleep } from "node:timers/promises";
import { randomFrom } from "../fixture/random.ts";
import { RESIN, type Row, median, ms, quantile, timed, withServer } from "./measure.ts";
import { subdividedFile } from "./models.ts";

const FUNCTIONAL_PART = fileURLToPath(new URL("../../assets/demo/functional-part.stl", import.meta.url));

/** Longer than the server waits before it builds the solid of a draft, ms. */
const IDLE_MS = 1000;
const EDITS = 40;

interface Place {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}
type Point = { readonly position: Place; readonly size_mm: number };

/** From an edit of support points to their struts, and to their solid. Compared with building the supports from the same points. */
export async function benchEditingSupports(): Promise<Row[]> {
  const parts = [
    { name: "functional-part", file: FUNCTIONAL_PART, aim: "≤ 100 ms at 95 %, first ≤ 500 ms, Apply ≤ 0.3 s" },
    { name: "577k facets", file: subdividedFile(), aim: "≤ 250 ms at 95 %, first ≤ 3 s" },
  ];
  const rows: Row[] = [];
  for (const { name, file, aim } of parts) {
    const { points, first, edits, apply, rebuild } = await run(file);
    rows.push({
      what: `edits of ${points} support points of ${name}`,
      ours: `struts after ${ms(median(edits))}, ${ms(quantile(edits, 0.95))} at 95 %, ${ms(first)} at first; solid after ${ms(apply)}`,
      beside: `building all from given points takes ${ms(rebuild)}`,
      aim,
    });
  }
  return rows;
}

const run = (file: string) =>
  withServer(async ({ post }) => {
    const { scene_id } = await post("/v1/scene/create/", RESIN);
    const { new_models } = await post("/v1/scene/model/import/", { scene_id, file });
    const { model_id } = new_models[0];
    await post("/v1/scene/model/auto-support/", { scene_id });
    const rebuild = await timed(() => post("/v1/scene/model/regenerate-supports/", { scene_id }));
    const got = await post("/v1/scene/model/supports/get/", { scene_id, model_id });
    let points: Point[] = got.points.map(({ position, size_mm }: Point) => ({ position, size_mm }));
    let known_trees: number[] = [];
    const preview = async (): Promise<void> => {
      const { removed_trees, trees } = await post("/v1/scene/model/supports/preview/", {
        scene_id,
        model_id,
        points,
        known_trees,
      });
      known_trees = [
        ...known_trees.filter((id) => !removed_trees.includes(id)),
        ...trees.map(({ id }: { id: number }) => id),
      ];
    };
    const first = await timed(preview);
    const random = randomFrom(3);
    const edits: number[] = [];
    for (let edit = 0; edit < EDITS; edit++) {
      const at = Math.floor(random() * points.length);
      points = edit % 2 === 0 ? points.toSpliced(at, 1) : points.with(at, { ...points[at], size_mm: 0.8 });
      edits.push(await timed(preview));
    }
    // It routes the points twice.
    await sleep(IDLE_MS + 2 * rebuild);
    const apply = await timed(() => post("/v1/scene/model/supports/set/", { scene_id, model_id, points }));
    return { points: got.points.length as number, first, edits, apply, rebuild };
  });
