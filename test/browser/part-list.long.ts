import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, test } from "node:test";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { bodyOf } from "../fixture/test-server.ts";
import { type PageDriver, eventually } from "./page-driver.ts";
import { pageSuite } from "./page-suite.ts";

// The list of parts: folds of copies, pictures, and thousands of parts.

const suite = pageSuite();
const { options } = suite;
const AXLE = new URL("../../assets/demo/axle.stl", import.meta.url).pathname;
const PIN = temporaryFiles()("pin.stl", binaryStl(box([1, 1, 1])));
/** Most rows of the list in the page's document: the visible ones, and some beside them. */
const MOST_ROWS = 100;

let day: PageDriver;
before(async () => {
  if (options.skip === false) day = await suite.open({ width: 1440, height: 900 });
});

const optionNames = (): Promise<string[]> =>
  day.page.$$eval("[role=option]", (rows) => rows.map((row) => row.getAttribute("aria-label")!));

test("four copies are one row, which opens and closes with arrow keys", options, async () => {
  await day.drop([{ name: "axle.stl", bytes: new Uint8Array(readFileSync(AXLE)) }]);
  await day.idle();
  await day.press("Duplicate");
  await day.fill("Copies of each model", "3");
  await day.press("Duplicate");
  await eventually("one row has all", async () => /^axle × 4, 0\.36 ml each$/.test((await optionNames()).join()));
  await eventually("its picture is drawn", async () => (await day.page.$(".row img")) !== null);
  await day.page.focus(".rows");
  const isOpen = (): Promise<string | null> =>
    day.page.$eval("[role=option]", (row) => row.getAttribute("aria-expanded"));
  await day.keys("Home");
  assert.equal(await isOpen(), "false");
  assert.match(await day.text(".models > header .count"), /4 of 4/, "the row is all copies");
  await day.keys("ArrowRight");
  await eventually("it shows the copies", async () => (await optionNames()).length === 5);
  await day.keys("ArrowRight", "ArrowDown");
  await eventually("one copy is selected", async () => /1 of 4/.test(await day.text(".models > header .count")));
  await day.keys("ArrowLeft", "ArrowLeft");
  await eventually("it is closed", async () => (await optionNames()).length === 1);
  await day.fill("Search parts", "xle");
  assert.equal((await optionNames()).length, 1, "a search keeps the fold");
  await day.fill("Search parts", "gear");
  await eventually("nothing is found", async () => (await optionNames()).length === 0);
  await day.fill("Search parts", " ");
});

test("with 10,000 parts each key leaves few rows in the document", options, async () => {
  const { scene_settings } = await suite.scene();
  const { scene_id } = bodyOf(await suite.server().post("/v1/scene/create/", scene_settings));
  const { model_id } = bodyOf(await suite.server().post("/v1/scene/model/import/", { scene_id, file: PIN }))
    .new_models[0];
  bodyOf(await suite.server().post("/v1/scene/model/duplicate/", { scene_id, model_ids: [model_id], count: 9998 }));
  await suite.server().post("/v1/scene/model/import/", { scene_id, file: AXLE });
  await day.press("Scene 2");
  await eventually("two rows are shown", async () => /^pin × 9999,.*,axle, /.test((await optionNames()).join()));
  await day.page.focus(".rows");
  await day.keys("Home");
  for (const key of ["ArrowDown", "ArrowUp", "ArrowRight", "ArrowDown", "End", "PageUp", "Home"] as const) {
    await day.keys(key);
    assert.ok((await optionNames()).length < MOST_ROWS, `${key} leaves few rows`);
  }
});
