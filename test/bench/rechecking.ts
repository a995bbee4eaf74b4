import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BenchServer, RESIN, type Row, median, ms, ratio, timed, withServer } from "./measure.ts";

const NAMES = ["axle", "gear-corner", "gear-large", "gear-small", "gear-small-2", "hinged-box", "functional-part"];
const FILES = NAMES.map((name) => join(fileURLToPath(new URL("../../assets/demo", import.meta.url)), `${name}.stl`));
/** Three of the parts come twice. */
const PARTS = 10;
const CROWD = 30;
const HALF = 0.5;
const DROPS = 10;
/** A move within the gap that auto-layout leaves, mm. */
const MOVE_MM = 0.5;

/** `scene/check` of ten supported parts, and after changes of one; and the overlaps that the page shows after a drop. */
export const benchRechecking = async (): Promise<Row[]> => [
  ...(await withServer(recheckParts)),
  await withServer(dropParts),
];

async function plateOf({ post }: BenchServer, parts: number) {
  const { scene_id } = await post("/v1/scene/create/", RESIN);
  const model = (action: string, body: object = {}): Promise<any> =>
    post(`/v1/scene/model/${action}/`, { scene_id, ...body });
  const ids: string[] = [];
  for (let i = 0; i < parts; i++) {
    const { new_models } = await model("import", { file: FILES[i % FILES.length], repair_behavior: "REPAIR" });
    ids.push(new_models[0].model_id);
  }
  await model("scale", { scale: HALF });
  await model("auto-orient");
  await model("auto-support");
  await model("auto-layout");
  return { scene_id, model, ids };
}

async function recheckParts(server: BenchServer): Promise<Row[]> {
  const { scene_id, model, ids } = await plateOf(server, PARTS);
  const check = (): Promise<number> => timed(() => server.post("/v1/scene/check/", { scene_id }));
  const whole = await check();
  const again = await check();
  const [moved, edited]: [number[], number[]] = [[], []];
  for (const model_id of ids) {
    const model_ids = [model_id];
    await model("translate", { model_ids, position: { x: MOVE_MM, y: 0, z: 0 }, mode: "RELATIVE" });
    moved.push(await check());
    await model("scale", { model_ids, scale: 0.98 * HALF });
    await model("auto-support", { model_ids });
    edited.push(await check());
  }
  const share = (times: number[]): string => ratio(median(times), whole);
  return [
    {
      what: `scene/check of ${PARTS} supported parts`,
      ours: `${ms(whole)}; again ${ms(again)}; after a move of one ${ms(median(moved))} (${share(moved)})`,
    },
    {
      what: `re-check after an edit of 1 part of ${PARTS}`,
      ours: `${ms(median(edited))}, at most ${ms(Math.max(...edited))}: ${share(edited)} of the whole`,
      aim: "≤ 1/5 of the whole",
    },
  ];
}

async function dropParts(server: BenchServer): Promise<Row> {
  const { scene_id, model, ids } = await plateOf(server, CROWD);
  const overlaps = (): Promise<number> => timed(() => server.call("GET", `/ui/scene/${scene_id}/overlaps/`));
  const first = await overlaps();
  const { models } = await model("list");
  const times: number[] = [];
  for (let i = 0; i < DROPS; i++) {
    const [dropped, beside] = [ids[3 * i], models[(3 * i + 1) % CROWD]];
    const { x, y } = beside.position;
    await model("translate", { model_ids: [dropped], position: { x: x + 5, y, z: 0 } });
    times.push(await overlaps());
  }
  return {
    what: `overlaps after a drop of one of ${CROWD} supported parts onto another`,
    ours: `${ms(median(times))}, at most ${ms(Math.max(...times))}; the first time ${ms(first)}`,
    aim: "≤ 300 ms",
  };
}
