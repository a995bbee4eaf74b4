import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { KeyInput } from "puppeteer-core";
import type { Reply } from "../fixture/client.ts";
import { type PageClient, pageClient } from "../fixture/page-client.ts";
import { box, mug } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { bodyOf } from "../fixture/test-server.ts";
import { type PageDriver, eventually } from "./page-driver.ts";
import { pageSuite } from "./page-suite.ts";

// Keys of the page, the menu of parts, and parts that go from scene to scene.

const suite = pageSuite();
const { options } = suite;
const file = temporaryFiles();
const BLOCK = file("block.stl", binaryStl(box([30, 20, 10])));
const MUG = file("mug.stl", binaryStl(mug(10, 20, 32)));

let day: PageDriver;
let scene_id: string;
before(async () => {
  if (options.skip !== false) return;
  scene_id = (await suite.scene()).id;
  bodyOf(await suite.server().post("/v1/scene/model/import/", { scene_id, file: BLOCK }));
  day = await suite.open({ width: 1440, height: 900 });
});

const models = async (id: string): Promise<Reply["body"][]> =>
  bodyOf(await suite.server().post("/v1/scene/model/list/", { scene_id: id })).models;
const client = (): PageClient => pageClient(suite.server().port);
const listed = (count: number): Promise<void> =>
  eventually(`${count} parts are listed`, async () => (await day.models()).length === count);
async function pressWith(modifier: KeyInput, key: KeyInput): Promise<void> {
  await day.page.keyboard.down(modifier);
  await day.keys(key);
  await day.page.keyboard.up(modifier);
}
const menuItems = (): Promise<string> => day.text("[role=menu][aria-label='Selected parts'] [role=menuitem]");
const menuIsOpen = (): Promise<void> => eventually("the menu is open", async () => /Delete/.test(await menuItems()));

test("Ctrl+C and Ctrl+V copy parts, also to another scene, at free places", options, async () => {
  await day.page.focus(".rows");
  await day.keys("Home");
  await pressWith("Control", "c");
  await pressWith("Control", "v");
  await listed(2);
  await day.idle();
  const { scene_settings } = await suite.scene();
  const other = bodyOf(await suite.server().post("/v1/scene/create/", scene_settings)).scene_id;
  await day.press("Scene 2");
  await listed(0);
  await day.page.focus(".rows");
  await pressWith("Control", "v");
  await listed(1);
  await day.idle();
  await pressWith("Control", "v");
  await listed(2);
  await day.idle();
  const { interferences } = bodyOf(
    await suite.server().post("/v1/scene/model/validate/interferences/", { scene_id: other }),
  );
  assert.deepEqual(interferences, []);
  assert.equal((await models(scene_id)).length, 2, "the first scene keeps its parts");
  await pressWith("Control", "z");
  await listed(1);
  await pressWith("Control", "y");
  await listed(2);
  await day.press("Scene 1");
  await listed(2);
});

test("a right click in the view or the list and Shift+F10 open the menu of the part", options, async () => {
  await day.keys("Escape", "f");
  await day.idle();
  await day.select("block");
  await day.page.focus("canvas");
  await day.keys("f");
  await day.idle();
  const canvas = (await (await day.page.$("canvas"))!.boundingBox())!;
  const middle = [canvas.x + canvas.width / 2, canvas.y + canvas.height / 2] as const;
  await day.page.mouse.click(...middle, { button: "right" });
  await menuIsOpen();
  assert.match(await menuItems(), /Duplicate….*Hide.*Lock in place.*Support.*Export as STL.*Move to “Scene 2”/s);
  await day.keys("Escape");
  assert.equal(await menuItems(), "");
  await (await day.page.$(".row"))!.click({ button: "right" });
  await menuIsOpen();
  await day.keys("Escape");
  await day.page.focus(".rows");
  await day.keys("Home");
  await pressWith("Shift", "F10");
  await menuIsOpen();
  await day.press("Lock in place");
  await eventually("it is locked", async () => (await models(scene_id))[0].lock === "FULLY_LOCKED");
  await day.idle();
  // A drag with the right button still moves the view.
  await day.page.mouse.move(...middle);
  await day.page.mouse.down({ button: "right" });
  await day.page.mouse.move(middle[0] + 60, middle[1] + 20, { steps: 3 });
  await day.page.mouse.up({ button: "right" });
  assert.equal(await menuItems(), "");
});

test("a part moves to another scene by the menu", options, async () => {
  await day.page.focus(".rows");
  await day.keys("Home");
  await pressWith("Shift", "F10");
  await menuIsOpen();
  await day.press("Move to a new scene");
  await listed(1);
  await eventually("it is told", async () => /1 part moved from “Scene 1”/.test(await day.messages()));
  await day.press("Show");
  await eventually("the new scene is shown", async () => (await day.page.title()).startsWith("Scene 3"));
  await listed(1);
});

test(
  "the menu renames a part: in a closed fold as well, and all copies of it keep their numbers",
  options,
  async () => {
    await day.press("Scene 1");
    await eventually("it is shown", async () => (await day.page.title()).startsWith("Scene 1"));
    await day.idle();
    const rows = (): Promise<string[]> =>
      day.page.$$eval(".row", (all) => all.map((row) => row.getAttribute("aria-label")!.replace(/,.*/, "")));
    const rename = async (name: string): Promise<void> => {
      await pressWith("Shift", "F10");
      await menuIsOpen();
      await day.press("Rename");
      await eventually("the field has the focus", () =>
        day.page.evaluate(() => document.activeElement?.getAttribute("aria-label") === "Name of the part"),
      );
      await day.page.keyboard.type(name);
      await day.keys("Enter");
    };
    await day.page.focus(".rows");
    await day.keys("Home");
    await rename("plate");
    await eventually("it is renamed", async () => (await rows()).join() === "plate");
    const [{ id }] = await models(scene_id);
    bodyOf(await suite.server().post("/v1/scene/model/duplicate/", { scene_id, model_ids: [id], count: 3 }));
    for (const [i, copy] of (await models(scene_id)).entries()) {
      if (i === 0) continue;
      const body = { scene_id, model_ids: [copy.id], name: `plate (${i + 1})` };
      bodyOf(await suite.server().post("/v1/scene/model/update/", body));
    }
    await eventually("they are one row", async () => (await rows()).join() === "plate × 4");
    await day.page.focus(".rows");
    await day.keys("Home", "ArrowRight");
    const opened = "plate × 4,plate,plate (2),plate (3),plate (4)";
    await eventually("the page knows all names", async () => (await rows()).join() === opened);
    await day.keys("ArrowLeft");
    await eventually("the fold is closed", async () => (await rows()).join() === "plate × 4");
    const { undo_count: before } = await client().summary(scene_id);
    await rename("lid");
    await eventually("all are renamed", async () => (await rows()).join() === "lid × 4");
    assert.deepEqual((await models(scene_id)).map(({ name }) => name).toSorted(), [
      "lid",
      "lid (2)",
      "lid (3)",
      "lid (4)",
    ]);
    await day.idle();
    assert.equal((await client().summary(scene_id)).undo_count, before + 1);

    // A copy that was selected in the view, while its row is folded away.
    await day.page.focus(".rows");
    await day.keys("ArrowRight", "ArrowRight");
    await eventually("one copy is selected", async () => (await day.page.$$(".row[aria-selected=true]")).length === 1);
    assert.equal((await rows()).length, 5);
    await day.page.click(".mark-fold");
    await eventually("the fold is closed", async () => (await rows()).length === 1);
    await day.fill("Search parts", "nothing");
    await eventually("no row is shown", async () => (await rows()).length === 0);
    await day.page.focus("canvas");
    await rename("base");
    await eventually("one has another name", async () => (await models(scene_id)).some(({ name }) => name === "base"));
    await eventually("its row is shown", async () => (await rows()).includes("base"));
  },
);

test("the menu orients, cuts, and vents only a part in which the checks found cups", options, async () => {
  const { scene_settings } = await suite.scene();
  const { scene_id: other } = bodyOf(await suite.server().post("/v1/scene/create/", scene_settings));
  bodyOf(await suite.server().post("/v1/scene/rename/", { scene_id: other, name: "Cups" }));
  for (const path of [BLOCK, MUG]) {
    bodyOf(await suite.server().post("/v1/scene/model/import/", { scene_id: other, file: path }));
  }
  bodyOf(await suite.server().post("/v1/scene/model/auto-layout/", { scene_id: other }));
  await day.press("Cups");
  await listed(2);
  const openMenuOf = async (name: string): Promise<string> => {
    await day.select(name);
    await day.page.focus(".rows");
    await pressWith("Shift", "F10");
    await menuIsOpen();
    return menuItems();
  };
  assert.doesNotMatch(await openMenuOf("mug"), /Vent/, "nothing is checked");
  await day.keys("Escape");
  bodyOf(await suite.server().post("/v1/scene/check/", { scene_id: other, checks: ["CUPS"] }));
  await eventually("the finding is known", async () => /Vent/.test(await openMenuOf("mug")));
  await day.keys("Escape");
  assert.doesNotMatch(await openMenuOf("block"), /Vent/, "the block has no cup");
  await day.press("Orient");
  await eventually("it is turned", async () => /Auto-orient: 1 part changed/.test(await day.messages()));
  await day.idle();
  await openMenuOf("mug");
  await day.press("Vent");
  await eventually("it is vented", async () => /Vent cups: 1 part changed/.test(await day.messages()));
  await day.idle();
  await openMenuOf("block");
  await day.press("Cut…");
  await eventually("the cut is tried out", () =>
    day.page.$eval("canvas", (canvas) => canvas.dataset.tool === "cut" && canvas.dataset.tried === "2"),
  );
  await day.page.focus("canvas");
  await day.keys("Escape");
});

test("with nothing to undo or to print, keys say so quietly, and the button to print rests", options, async () => {
  const { scene_settings } = await suite.scene();
  const { scene_id: empty } = bodyOf(await suite.server().post("/v1/scene/create/", scene_settings));
  bodyOf(await suite.server().post("/v1/scene/rename/", { scene_id: empty, name: "Empty" }));
  await day.press("Empty");
  await listed(0);
  const isPrintDisabled = (): Promise<boolean> =>
    day.page.$eval("button.print", (button) => (button as HTMLButtonElement).disabled);
  await day.page.focus("canvas");
  const isNothingOpen = async (): Promise<boolean> => (await day.page.$("dialog[open]")) === null;
  // The name was given before a page showed the scene: it can be taken back once.
  for (let left = (await client().summary(empty)).undo_count; left > 0; left--) await pressWith("Control", "z");
  await pressWith("Control", "z");
  await eventually("it is told", async () => /^Nothing to undo\.$/m.test(await day.messages()));
  for (let left = (await client().summary(empty)).redo_count; left >= 0; left--) await pressWith("Control", "y");
  await eventually("it is told", async () => /^Nothing to redo\.$/m.test(await day.messages()));
  assert.equal(await day.page.$(".toast-error"), null);
  await pressWith("Control", "p");
  assert.ok(await isPrintDisabled());
  assert.ok(await isNothingOpen());
  bodyOf(await suite.server().post("/v1/scene/model/import/", { scene_id: empty, file: BLOCK }));
  await eventually("there is something to print", async () => !(await isPrintDisabled()));
});

test("a finger that presses long opens the menu", options, async () => {
  const touch = await suite.open({ width: 1440, height: 900 });
  await touch.page.emulate({
    viewport: { width: 1024, height: 800, hasTouch: true, isMobile: true, deviceScaleFactor: 1 },
    userAgent: await touch.page.browser().userAgent(),
  });
  await touch.idle();
  const canvas = (await (await touch.page.$("canvas"))!.boundingBox())!;
  const finger = await touch.page.touchscreen.touchStart(canvas.x + canvas.width / 2, canvas.y + canvas.height / 2);
  await eventually("the menu is open", async () => /Paste/.test(await touch.text("[role=menu]")));
  await finger.end();
  assert.match(await touch.text("[role=menu]"), /Paste/, "it stays when the finger is lifted");
  await touch.close();
});

test("F6 goes through the regions, brackets through the steps, Ctrl+P prints, Ctrl+S saves", options, async () => {
  const region = (): Promise<string> =>
    day.page.evaluate(() => {
      const focused = document.activeElement!;
      return ["top-bar", "left", "stage", "right", "notices"].find((name) => focused.closest(`.${name}`)) ?? "";
    });
  await day.page.focus(".scenes [aria-selected=true]");
  const seen = [await region()];
  for (let i = 0; i < 3; i++) {
    await day.keys("F6");
    seen.push(await region());
  }
  assert.deepEqual(seen, ["top-bar", "left", "stage", "right"]);
  await pressWith("Shift", "F6");
  assert.equal(await region(), "stage");
  const open = (): Promise<string> => day.text(".step[data-open=true] b");
  const first = await open();
  assert.notEqual(first, "");
  await day.keys("BracketRight");
  await eventually("the second is open", async () => (await open()) !== first);
  await day.keys("BracketLeft");
  await eventually("the first is open again", async () => (await open()) === first);
  await pressWith("Control", "p");
  await day.page.waitForSelector("dialog[open].print-dialog, dialog[open] .print-dialog");
  await day.keys("Escape");
  const saved = day.page.waitForResponse((answer) => /\/ui\/scene\/[^/]+\/download\//.test(answer.url()));
  await pressWith("Control", "s");
  assert.equal((await saved).status(), 200);
  await day.idle();
});

test("Ctrl+Enter prepares, and empty fields say the value of the print setting", options, async () => {
  await day.openStep("Support");
  const emptyText = (): Promise<string> =>
    day.page.$$eval(".field", (all) => {
      const field = all.find((one) => one.querySelector("label")?.textContent === "Touchpoint size");
      return field?.querySelector("input")?.placeholder ?? "";
    });
  await eventually("it says its value", async () => (await emptyText()) === "0.5 mm, of the print setting");
  await day.page.focus("canvas");
  await pressWith("Control", "Enter");
  await eventually("it is prepared", async () => /Prepared \d+ part/.test(await day.messages()));
  await day.idle();
});
