import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import type { Reply } from "../fixture/client.ts";
import { type Printwright, startPrintwright } from "../fixture/printwright.ts";
import { randomFrom } from "../fixture/random.ts";
import { box, cylinder, mug } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { RESIN, bodyOf } from "../fixture/test-server.ts";
import { assertAnswered } from "./answer.ts";
import { trialOptions } from "./options.ts";
import { assertClosed, assertOutside } from "./sound-bodies.ts";

// `bun run test:edits [--edits N] [--seed N]` edits small supported parts at random over HTTP, as two persons at one scene do: support points and
// areas, cuts, mirrors, turns, undo and redo, with kills of the server between. After each edit the bodies are closed and no strut
// passes through a part; from time to time an undo must give the state before, a project file the same scene, and a killed server what it had
// kept. Otherwise the exit status is 1.

const SHAPES = {
  block: box([9, 6, 5]),
  rod: cylinder(2, 12, 24),
  mug: mug(3, 6, 24),
};
const MOST_MODELS = 5;
/** A change is kept 2 s after it. */
const KEPT_MS = 3500;
const FILES_EVERY = 25;
const KILLS_EVERY = 100;

const { edits, seed } = trialOptions("test:edits", { edits: 500 });
const random = randomFrom(seed);
const folder = mkdtempSync(join(tmpdir(), "printwright-edits-"));
const state = join(folder, "state");
const start = (): Promise<Printwright> => startPrintwright(["--state-folder", state]);
let server = await start();
let scene_id = bodyOf(await server.post("/v1/scene/create/", RESIN)).scene_id as string;

type Json = Reply["body"];
/** The last refusal of each kind. */
const refusals = new Map<string, string>();

const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
const within = (from: number, to: number): number => from + (to - from) * random();

/** Sends a request to an endpoint of models. Errors of the interface are answers, too: a random edit may be impossible. */
async function ask(name: string, body: object): Promise<Json> {
  const method = name === "delete" || name === "supports/delete" ? "DELETE" : "POST";
  const reply = await server.call(method, `/v1/scene/model/${name}/`, { scene_id, ...body });
  assertAnswered(reply);
  if (reply.status === 200) return reply.body;
  const { code, message } = reply.body.error;
  assert.notEqual(code, "JSON_SCHEMA_MATCH_ERROR", message);
  refusals.set(`${name}: ${code}`, message);
  return undefined;
}

const models = async (): Promise<Json[]> => (await ask("list", {})).models;
const page = async (): Promise<Json> => bodyOf(await server.call("GET", `/ui/scene/${scene_id}/`));

async function supported(): Promise<Json | undefined> {
  const all = (await models()).filter(({ has_supports }) => has_supports);
  return all.length === 0 ? undefined : pick(all);
}

/** The random edits, by name. */
const EDITS: Readonly<Record<string, () => Promise<unknown>>> = {
  async import() {
    if ((await models()).length >= MOST_MODELS) return;
    const [name, shape] = pick(Object.entries(SHAPES));
    const file = join(folder, `${name}.stl`);
    writeFileSync(file, binaryStl(shape));
    await ask("import", { file });
  },
  support: async () => ask("auto-support", { model_ids: [pick(await models()).id] }),
  async addPoints() {
    const { id } = pick(await models());
    const { hash, points } = await ask("supports/get", { model_id: id });
    const near = points.length > 0 ? pick<Json>(points).position : pick(await models()).position;
    const add = Array.from({ length: 1 + Math.floor(3 * random()) }, () => ({
      position: { x: near.x + within(-3, 3), y: near.y + within(-3, 3), z: near.z + within(-0.5, 0.5) },
      size_mm: pick([0.3, 0.5, 0.8]),
    }));
    await ask("supports/set", { model_id: id, based_on: hash, edit: { add }, snap_mm: 5 });
  },
  async deletePoints() {
    const model = await supported();
    if (!model) return;
    const { hash, points } = await ask("supports/get", { model_id: model.id });
    if (points.length === 0) return;
    await ask("supports/set", { model_id: model.id, based_on: hash, edit: { delete: [pick<Json>(points).index] } });
  },
  async paintArea() {
    const { id } = pick(await models());
    const { points } = await ask("supports/get", { model_id: id });
    if (points.length === 0) return;
    const { position: centre } = pick<Json>(points);
    const areas = [{ mode: pick(["NEVER", "ALWAYS"]), shape: { kind: "BALL", centre, radius_mm: within(1, 4) } }];
    await ask("supports/set", { model_id: id, areas });
    await ask("auto-support", { model_ids: [id] });
  },
  async deleteSupports() {
    const model = await supported();
    if (model) await ask("supports/delete", { model_ids: [model.id], keep_plan: random() < 0.5 });
  },
  async cut() {
    if ((await models()).length >= MOST_MODELS) return;
    const { id, bounding_box: box } = pick(await models());
    const point = Object.fromEntries(
      ["x", "y", "z"].map((axis) => [axis, within(box.min_corner[axis], box.max_corner[axis])]),
    );
    const normal = { x: within(-1, 1), y: within(-1, 1), z: within(-1, 1) };
    await ask("cut", {
      model_ids: [id],
      plane: { point, normal },
      keys: pick(["NONE", "AUTO"]),
      keep: pick(["BOTH", "ABOVE"]),
    });
  },
  mirror: async () => ask("mirror", { model_ids: [pick(await models()).id], axis: pick(["X", "Y", "Z"]) }),
  turn: async () =>
    ask("orient", {
      model_ids: [pick(await models()).id],
      orientation: { x: within(0, 360), y: within(0, 360), z: within(0, 360) },
    }),
  scale: async () => ask("scale", { model_ids: [pick(await models()).id], scale: within(0.7, 1.4) }),
  move: async () =>
    ask("translate", {
      model_ids: [pick(await models()).id],
      position: { x: within(-30, 30), y: within(-30, 30), z: 5 },
    }),
  duplicate: async () =>
    (await models()).length < MOST_MODELS
      ? ask("duplicate", { model_ids: [pick(await models()).id], count: 1 })
      : undefined,
  async delete() {
    const all = await models();
    if (all.length > 2) await ask("delete", { model_ids: [pick(all).id] });
  },
  undo: async () => assertAnswered(await server.post(`/ui/scene/${scene_id}/undo/`)),
  redo: async () => assertAnswered(await server.post(`/ui/scene/${scene_id}/redo/`)),
};

/** What a scene is, without its version and the ids that a file does not have. */
const content = ({ models: bodies }: Json): Json[] => bodies.map((body: Json) => ({ ...body, id: "" }));

/** Checks all bodies of the scene. */
async function assertSound(): Promise<void> {
  const { models: bodies } = await page();
  for (const { id, mesh, supports, matrix } of bodies) {
    await assertClosed(server, mesh);
    if (!supports) continue;
    await assertClosed(server, supports.mesh);
    const { struts } = await ask("supports/get", { model_id: id, include_struts: true });
    await assertOutside(server, { mesh, matrix }, struts);
  }
}

/** A project file gives the same scene again. */
async function assertSaved(): Promise<void> {
  const file = join(folder, "plate.form");
  assertAnswered(await server.post("/v1/scene/save/", { scene_ids: [scene_id], file }));
  const before = content(await page());
  const { scenes } = bodyOf(await server.post("/v1/scene/open/", { file }));
  const copy = scenes[0].scene_id;
  assert.deepEqual(content(bodyOf(await server.call("GET", `/ui/scene/${copy}/`))), before);
  bodyOf(await server.call("DELETE", "/v1/scene/delete/", { scene_id: copy }));
}

/** A killed server has kept the scene. */
async function assertKept(): Promise<void> {
  const before = content(await page());
  await sleep(KEPT_MS);
  await server.stop("SIGKILL");
  server = await start();
  const { scenes } = bodyOf(await server.call("GET", "/ui/recovery/"));
  ({ id: scene_id } = scenes.find(({ id }: Json) => id === scene_id) ?? scenes[0]);
  bodyOf(await server.post("/ui/recovery/bring-back/", { ids: [scene_id] }));
  assert.deepEqual(content(await page()), before);
  await listen();
}

/** Earlier states are kept while a page listens. */
async function listen(): Promise<void> {
  const events = await fetch(`http://127.0.0.1:${server.port}/ui/events/`);
  void events.body?.pipeTo(new WritableStream()).catch(() => {});
}

let faults = 0;
const counts = new Map<string, number>();
await listen();
for (let i = 0; i < 3; i++) await EDITS["import"]!();
for (let edit = 1; edit <= edits && faults === 0; edit++) {
  const name = pick(Object.keys(EDITS));
  counts.set(name, (counts.get(name) ?? 0) + 1);
  try {
    // Two persons edit at the same time now and then.
    await Promise.all(random() < 0.15 ? [EDITS[name]!(), EDITS["move"]!()] : [EDITS[name]!()]);
    await assertSound();
    if (edit % FILES_EVERY === 0) await assertSaved();
    if (edit % KILLS_EVERY === 0) await assertKept();
  } catch (thrown) {
    faults++;
    console.log(`FAULT at edit ${edit}, ${name}: ${(thrown as Error).stack?.slice(0, 3000)}`);
  }
}
await server.stop();
rmSync(folder, { recursive: true, force: true });
console.table(Object.fromEntries(counts));
console.table(Object.fromEntries(refusals));
console.log(faults === 0 ? `${edits} edits, no fault.` : "The trial ended at the first fault.");
process.exit(faults === 0 ? 0 : 1);
