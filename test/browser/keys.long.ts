import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { KeyInput } from "puppeteer-core";
import type { Reply } from "../fixture/client.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { bodyOf } from "../fixture/test-server.ts";
import { type PageDriver, eventually } from "./page-driver.ts";
import { pageSuite } from "./page-suite.ts";

// Keys of the page, the menu of parts, and parts that go from scene to scene.

const suite = pageSuite();
const { options } = suite;
const BLOCK = temporaryFiles()("block.stl", binaryStl(box([30, 20, 10])));

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
  await touch.page.close();
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
