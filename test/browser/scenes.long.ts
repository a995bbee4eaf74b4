import assert from "node:assert/strict";
import { before, test } from "node:test";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { bodyOf } from "../fixture/test-server.ts";
import { type PageDriver, eventually } from "./page-driver.ts";
import { pageSuite } from "./page-suite.ts";

// Scenes with names, in tabs and in the address of the page.

const suite = pageSuite();
const { options } = suite;
const BLOCK = temporaryFiles()("block.stl", binaryStl(box([20, 16, 10])));

let day: PageDriver;
before(async () => {
  if (options.skip !== false) return;
  const { id } = await suite.scene();
  for (let i = 0; i < 2; i++) await suite.server().post("/v1/scene/model/import/", { scene_id: id, file: BLOCK });
  day = await suite.open({ width: 1440, height: 900 });
});

const hash = (): string => new URL(day.page.url()).hash;
const shownTab = (): Promise<string> => day.text(".scenes [role=tab][aria-selected=true]");
const titled = (title: RegExp): Promise<void> =>
  eventually(`the title is ${title}`, async () => title.test(await day.page.title()));

test("F2 on a tab renames the scene, and files take its name", options, async () => {
  await day.page.focus(".scenes [aria-selected=true]");
  await day.keys("F2");
  await day.page.waitForSelector("[aria-label='Name of the scene']");
  await day.page.keyboard.type("Gear case");
  await day.keys("Enter");
  await titled(/^Gear case – Printwright$/);
  assert.match(await shownTab(), /Gear case/);
  await eventually("the tab has the focus", () =>
    day.page.evaluate(() => document.activeElement?.getAttribute("role") === "tab"),
  );
  const { id, name } = await suite.scene();
  assert.equal(name, "Gear case");
  const { name: file } = bodyOf(await suite.server().post(`/ui/scene/${id}/download/`, { format: "form" }));
  assert.equal(file, "Gear case.form");
  await day.press("Scene");
  await day.press("Rename");
  await day.page.waitForSelector("[aria-label='Name of the scene']");
  await day.keys("x", "Escape");
  assert.match(await shownTab(), /Gear case/, "Escape keeps the name");
  await (await day.page.$(".scenes [aria-selected=true]"))!.click({ count: 2 });
  await day.page.waitForSelector("[aria-label='Name of the scene']");
  await day.keys("Escape");
});

test("a reload keeps scene, selection and layer", options, async () => {
  const { scene_settings } = await suite.scene();
  const { scene_id } = bodyOf(await suite.server().post("/v1/scene/create/", scene_settings));
  for (let i = 0; i < 2; i++) await suite.server().post("/v1/scene/model/import/", { scene_id, file: BLOCK });
  await day.press("Scene 2");
  await titled(/^Scene 2/);
  await day.idle();
  await day.page.focus(".rows");
  await day.keys("End");
  await day.page.focus("canvas");
  await day.keys("l");
  await eventually("a layer is shown", async () => /Area\s+[\d.,]+ mm²/.test(await day.text(".layer-bar")));
  await day.fill("Layer number", "40");
  await eventually("the address has all", () => /^#scene=[0-9a-f-]{36}&layer=40&sel=[0-9a-f-]{36}$/.test(hash()));
  const before = hash();
  await day.page.reload();
  await titled(/^Scene 2/);
  await day.idle();
  await eventually(
    "the second is selected",
    async () =>
      (await day.page.$$eval(".row", (rows) => rows.map((row) => row.getAttribute("aria-selected")).join())) ===
      "false,true",
  );
  await eventually(
    "the layer is shown",
    async () =>
      (await day.page.$eval("[aria-label='Layer number']", (field) => (field as HTMLInputElement).value)) === "40",
  );
  assert.equal(hash(), before);
  await day.page.focus("canvas");
  await day.keys("l");
});

test("Back and Forward go through the scenes, not the selections", options, async () => {
  await day.press("Gear case");
  await titled(/^Gear case/);
  await day.select("block");
  await eventually("it is in the address", () => /sel=/.test(hash()));
  await day.page.goBack();
  await titled(/^Scene 2/);
  await day.page.goForward();
  await titled(/^Gear case/);
  await eventually("with its selection", async () => (await day.page.$$(".row[aria-selected=true]")).length === 1);
});

test("an unknown scene is told, and the first one shown", options, async () => {
  const address = day.page.url().split("#")[0];
  await day.page.goto("about:blank");
  await day.page.goto(`${address}#scene=00000000-1111-2222-3333-444444444444`);
  await eventually("it is told", async () => /does not exist any more/.test(await day.messages()));
  await titled(/^Gear case/);
});

test("above eight scenes a list shows all, and the shown tab is scrolled into view", options, async () => {
  const { scene_settings } = await suite.scene();
  for (let i = 0; i < 10; i++) {
    const { scene_id } = bodyOf(await suite.server().post("/v1/scene/create/", scene_settings));
    await suite.server().post("/v1/scene/rename/", { scene_id, name: `A scene with a long name ${i}` });
  }
  await day.press("All scenes");
  await day.press("A scene with a long name 9");
  await titled(/long name 9/);
  const isSeen = (): Promise<boolean> =>
    day.page.$eval("[role=tab][aria-selected=true]", (tab) => {
      const [own, strip] = [tab.getBoundingClientRect(), tab.parentElement!.getBoundingClientRect()];
      return own.left >= strip.left - 1 && own.right <= strip.right + 1;
    });
  await eventually("it is seen", isSeen);
  await day.press("Earlier scenes");
  await eventually("the strip is scrolled", async () => !(await isSeen()));
});
