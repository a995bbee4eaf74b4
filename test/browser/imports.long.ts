import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, test } from "node:test";
import type { Reply } from "../fixture/client.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { bodyOf } from "../fixture/test-server.ts";
import { type PageDriver, eventually } from "./page-driver.ts";
import { pageSuite } from "./page-suite.ts";

// Where imported parts go: to free places, or where their files say.

const suite = pageSuite();
const { options } = suite;
const demo = (name: string) => ({
  name,
  bytes: new Uint8Array(readFileSync(new URL(`../../assets/demo/${name}`, import.meta.url))),
});
const PARTS = [demo("functional-part.stl"), demo("gear-large.stl")];
const POWDER = { machine_type: "FS30-1-0", material_code: "FLP11C01", layer_thickness_mm: 0.11 };

let day: PageDriver;
let scene_id: string;
before(async () => {
  if (options.skip !== false) return;
  day = await suite.open({ width: 1440, height: 900 });
  scene_id = (await suite.scene()).id;
});

const models = async (id = scene_id): Promise<Reply["body"][]> =>
  bodyOf(await suite.server().post("/v1/scene/model/list/", { scene_id: id })).models;
const overlaps = async (id = scene_id): Promise<unknown[]> =>
  bodyOf(await suite.server().post("/v1/scene/model/validate/interferences/", { scene_id: id })).interferences;
const listed = (count: number): Promise<void> =>
  eventually(`${count} parts are listed`, async () => (await day.models()).length === count);
const says = (what: RegExp): Promise<void> =>
  eventually(`${what} is said`, async () => what.test(await day.messages()));
const undoCount = async (): Promise<number> =>
  (await day.page.evaluate(async () => (await fetch("/ui/state/")).json())).scenes[0].undo_count;

test("files that overlap are placed side by side, and one undo takes all of them back", options, async () => {
  await day.drop(PARTS);
  await listed(2);
  await says(/2 parts imported, placed side by side/);
  await day.idle();
  assert.deepEqual(await overlaps(), []);
  assert.equal(await undoCount(), 1, "imports and layout are one step");
  assert.ok((await models()).every((model) => model.in_bounds));
  await day.press("Undo");
  await listed(0);
});

test("“Keep file positions” brings them to the places of their files, and is remembered", options, async () => {
  const places = new Map<string, object>();
  for (const { name } of PARTS) {
    const file = new URL(`../../assets/demo/${name}`, import.meta.url).pathname;
    const { new_models } = bodyOf(await suite.server().post("/v1/scene/model/import/", { scene_id, file }));
    const [{ model_id }] = new_models;
    const model = (await models()).find(({ id }) => id === model_id);
    places.set(model.name, model.position);
    await suite.server().call("DELETE", "/v1/scene/model/delete/", { scene_id, model_ids: [model_id] });
  }
  await listed(0);
  await day.drop(PARTS);
  await says(/placed side by side/);
  await day.press("Keep file positions");
  const areKept = async (): Promise<boolean> => {
    const all = await models();
    return all.every(({ name, position }) => JSON.stringify(position) === JSON.stringify(places.get(name)));
  };
  await eventually("they are where their files say", areKept);
  await day.idle();
  await day.drop([{ name: "block.stl", bytes: new Uint8Array(binaryStl(box([9, 9, 9]))) }]);
  await says(/1 part imported\./);
  await day.press("Place side by side");
  await day.idle();
  await day.drop([{ name: "block.stl", bytes: new Uint8Array(binaryStl(box([9, 9, 9]))) }]);
  await says(/1 part imported, at a free place/);
});

test("parts for which the platform has no room stand beside it", options, async () => {
  await day.keys("Escape");
  await day.press("Scene");
  await day.press("Empty this scene");
  await listed(0);
  const wide = { name: "wide.stl", bytes: new Uint8Array(binaryStl(box([120, 70, 5]))) };
  await day.drop([wide, { ...wide, name: "second.stl" }, { ...wide, name: "third.stl" }]);
  await says(/3 parts imported, placed side by side\. There is no room for 2 of them\./);
  assert.deepEqual(
    (await models()).map((model) => model.in_bounds),
    [true, false, false],
  );
});

test("in powder, parts get free places by their boxes", options, async () => {
  const powder = bodyOf(await suite.server().post("/v1/scene/create/", POWDER)).scene_id;
  await day.press("Scene 2");
  await listed(0);
  await day.drop(PARTS);
  await says(/2 parts imported, placed side by side/);
  await day.idle();
  assert.equal((await models(powder)).length, 2);
  assert.deepEqual(await overlaps(powder), []);
});

test(
  "parts that overlap are hatched and marked within a second, and no longer when they are apart",
  options,
  async () => {
    const { scene_settings } = await suite.scene();
    const own = bodyOf(await suite.server().post("/v1/scene/create/", scene_settings)).scene_id;
    await day.press("Scene 3");
    await listed(0);
    await day.drop(PARTS);
    await listed(2);
    await day.idle();
    const hatched = (): Promise<string> => day.page.$eval("canvas", (canvas) => canvas.dataset.hatched ?? "");
    assert.equal(await hatched(), "0");
    const [first, second] = await models(own);
    const moveTo = async (position: object): Promise<void> =>
      void bodyOf(
        await suite.server().post("/v1/scene/model/translate/", { scene_id: own, model_ids: [second.id], position }),
      );
    await moveTo(first.position);
    await eventually("both are hatched", async () => (await hatched()) === "2");
    await eventually("the place is marked", async () => /Overlap/.test(await day.text(".view-caption-marker")));
    await moveTo(second.position);
    await eventually("none is hatched", async () => (await hatched()) === "0");
    assert.doesNotMatch(await day.text(".view-caption-marker"), /Overlap/);
  },
);

test("the list shows what checks found in each part", options, async () => {
  const { scenes } = bodyOf(await suite.server().call("GET", "/v1/scene/list/", {}));
  bodyOf(await suite.server().post("/v1/scene/check/", { scene_id: scenes[2].id, checks: ["CUPS", "MANIFOLDNESS"] }));
  const rows = (): Promise<string[]> =>
    day.page.$$eval("[role=option]", (all) => all.map((row) => row.getAttribute("aria-label")!));
  await eventually("each row says it", async () =>
    (await rows()).every((row) => /passed its checks|\d findings?$/.test(row)),
  );
  assert.ok((await rows()).some((row) => /findings?$/.test(row)));
});
