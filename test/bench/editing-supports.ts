import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setTimeout as sleep } from "node:timers/promises";
import { randomFrom } from "../fixture/random.ts";
import {
  type BenchServer,
  RESIN,
  type Row,
  median,
  ms,
  processorMs,
  quantile,
  timed,
  withFolder,
  withServer,
} from "./measure.ts";
import { bumpySphereFile } from "./models.ts";

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

interface Part {
  readonly name: string;
  readonly file: string;
  readonly scale: number;
  readonly density: number;
  /** As many of the automatic points are taken, evenly. */
  readonly count: number;
  /** How often each kind of Apply is measured. */
  readonly rounds: number;
  readonly aim: string;
}

const PARTS: readonly Part[] = [
  {
    name: "functional-part, 36k facets",
    file: FUNCTIONAL_PART,
    scale: 1,
    density: 1,
    count: 376,
    rounds: 5,
    aim: "≤ 100 ms at 95 %, first ≤ 500 ms, Apply ≤ 0.3 s if begun, ≤ 1.5 s if not",
  },
  {
    name: "functional-part, all automatic ones",
    file: FUNCTIONAL_PART,
    scale: 1,
    density: 1,
    count: Infinity,
    rounds: 3,
    aim: "≤ 100 ms at 95 %, first ≤ 500 ms",
  },
  {
    name: "a bumpy sphere, 1M facets",
    file: bumpySphereFile(1_000_000),
    scale: 1.5,
    density: 1.5,
    count: 1500,
    rounds: 1,
    aim: "≤ 250 ms at 95 %, first ≤ 3 s",
  },
];

/**
 * From an edit of support points to their struts, and from Apply to the supports, whose solid was begun in the background or not. The first edit is
 * that of a server that has only opened the project, with what it reads before. Compared with building the supports without a draft.
 */
export async function benchEditingSupports(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const part of PARTS) {
    const { points, first, edits, begun, notBegun, rebuild } = await run(part);
    const processor = ms(median(notBegun.map(({ processor }) => processor)));
    rows.push({
      what: `edits of ${points} support points of ${part.name}`,
      ours: [
        `struts after ${ms(median(edits))}, ${ms(quantile(edits, 0.95))} at 95 %, ${ms(first)} at first`,
        `Apply ${ms(median(begun))} if begun, ${ms(median(notBegun.map(({ wall }) => wall)))} if not (${processor} of processors)`,
      ].join("; "),
      beside: `without a draft the supports take ${ms(rebuild)}`,
      aim: part.aim,
    });
  }
  return rows;
}

const run = (part: Part) =>
  withFolder(async (folder) => {
    const project = join(folder, "supported.form");
    const rebuild = await withServer((server) => saveSupported(server, part, project));
    return { rebuild, ...(await withServer((server) => editSaved(server, { project, rebuild, rounds: part.rounds }))) };
  });

/** Saves a project with the supported part; returns the time in which its supports are built, in ms. */
async function saveSupported({ post }: BenchServer, part: Part, project: string): Promise<number> {
  const { file, scale, density, count } = part;
  const { scene_id } = await post("/v1/scene/create/", RESIN);
  const { new_models } = await post("/v1/scene/model/import/", { scene_id, file });
  const { model_id } = new_models[0];
  await post("/v1/scene/model/scale/", { scene_id, model_ids: [model_id], scale });
  await post("/v1/scene/model/auto-support/", { scene_id, density });
  const { points: all } = await post("/v1/scene/model/supports/get/", { scene_id, model_id });
  const points = evenly<Point>(all, count).map(listed);
  await post("/v1/scene/model/supports/set/", { scene_id, model_id, points: points.slice(1) });
  const rebuild = await timed(() => post("/v1/scene/model/supports/set/", { scene_id, model_id, points }));
  await post("/v1/scene/save/", { scene_ids: [scene_id], file: project });
  return rebuild;
}

function evenly<Item>(items: readonly Item[], count: number): Item[] {
  if (count === Infinity) return [...items];
  if (items.length < count) throw new Error(`The part has ${items.length} points.`);
  return Array.from({ length: count }, (_, i) => items[Math.floor((i * items.length) / count)]);
}

const listed = ({ position, size_mm }: Point): Point => ({ position, size_mm });

interface Saved {
  readonly project: string;
  readonly rebuild: number;
  readonly rounds: number;
}

async function editSaved({ pid, post }: BenchServer, { project, rebuild, rounds }: Saved) {
  const { scenes } = await post("/v1/scene/open/", { file: project });
  const { scene_id } = scenes[0];
  const [model_id] = scenes[0].new_model_ids;
  let points: Point[] = [];
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
  const first = await timed(async () => {
    const got = await post("/v1/scene/model/supports/get/", { scene_id, model_id });
    points = got.points.map(listed);
    await preview();
  });
  const count = points.length;
  const random = randomFrom(3);
  let edit = 0;
  const change = (): void => {
    const at = Math.floor(random() * points.length);
    points = edit++ % 2 === 0 ? points.toSpliced(at, 1) : points.with(at, { ...points[at], size_mm: 0.8 });
  };
  const edits: number[] = [];
  for (let i = 0; i < EDITS; i++) {
    change();
    edits.push(await timed(preview));
  }
  const apply = () => post("/v1/scene/model/supports/set/", { scene_id, model_id, points });
  const begun: number[] = [];
  const notBegun: { readonly wall: number; readonly processor: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    change();
    await preview();
    // It routes the points twice.
    await sleep(IDLE_MS + 2 * rebuild);
    begun.push(await timed(apply));
    change();
    await preview();
    const before = processorMs(pid);
    const wall = await timed(apply);
    notBegun.push({ wall, processor: processorMs(pid) - before });
  }
  return { points: count, first, edits, begun, notBegun };
}
