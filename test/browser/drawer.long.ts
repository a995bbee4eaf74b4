import assert from "node:assert/strict";
import { before, test } from "node:test";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { bodyOf } from "../fixture/test-server.ts";
import { type PageDriver, eventually } from "./page-driver.ts";
import { pageSuite } from "./page-suite.ts";
import { smallTargets } from "./small-targets.ts";

// Windows of medium width: the parts are a drawer over the view, the steps stand beside it.

const suite = pageSuite();
const { options } = suite;
const BLOCK = temporaryFiles()("block.stl", binaryStl(box([14, 10, 4])));

let day: PageDriver;
before(async () => {
  if (options.skip !== false) return;
  const { id: scene_id } = await suite.scene();
  bodyOf(await suite.server().post("/v1/scene/model/import/", { scene_id, file: BLOCK }));
  day = await suite.open({ width: 1440, height: 900 });
});

const isShown = (selector: string): Promise<boolean> =>
  day.page.$eval(selector, (element) => element.checkVisibility());
const widthOf = (selector: string): Promise<number> =>
  day.page.$eval(selector, (element) => element.getBoundingClientRect().width);
/** The part of the page with the focus. */
const focused = (): Promise<string> =>
  day.page.evaluate(() => document.activeElement?.closest(".left, .drawer-button, .stage")?.className ?? "");

test("from 600 to 1100 px the parts are a drawer, which takes the focus and gives it back", options, async () => {
  for (const width of [1100, 820, 600]) {
    await day.page.setViewport({ width, height: 900 });
    await eventually("the parts are hidden", async () => !(await isShown(".left")));
    assert.equal(Math.round(await widthOf(".right")), 300);
    const alone = await widthOf("canvas");
    await day.press("Parts, 1");
    await eventually("the parts are shown", () => isShown(".left"));
    await eventually("they have the focus", async () => (await focused()) === "left");
    assert.equal(await widthOf("canvas"), alone, "they stand over the view");
    assert.ok((await day.page.evaluate(() => document.scrollingElement!.scrollWidth)) <= width);
    await day.keys("Escape");
    await eventually("the drawer is closed", async () => !(await isShown(".left")));
    assert.equal(await focused(), "drawer-button");
  }
});

test("Escape in a field of the drawer stays there, and closes the drawer from the view", options, async () => {
  await day.press("Parts, 1");
  await day.select("block");
  await day.page.focus("[aria-label='Search parts']");
  await day.keys("Escape");
  assert.ok(await isShown(".left"));
  await day.page.focus("canvas");
  await day.keys("Escape");
  await eventually("the drawer is closed", async () => !(await isShown(".left")));
  assert.equal((await day.page.$$(".row[aria-selected=true]")).length, 1, "the selection stays");
});

test("a dialog on the selected parts opens while the drawer is closed", options, async () => {
  await day.page.focus("canvas");
  await day.keys("Home");
  await day.page.keyboard.down("Control");
  await day.keys("d");
  await day.page.keyboard.up("Control");
  await eventually("it is shown", () => isShown("dialog[open] #copies"));
  await day.keys("Escape");
});

test("fingers find all controls of a tablet", options, async () => {
  for (const width of [820, 600]) {
    await day.page.setViewport({ width, height: 1100, isMobile: true, hasTouch: true });
    await day.idle();
    await day.press("Parts, 1");
    await eventually("the parts are shown", () => isShown(".left"));
    assert.deepEqual(await day.page.evaluate(smallTargets), []);
    assert.ok((await day.page.evaluate(() => document.scrollingElement!.scrollWidth)) <= width);
    await day.press("Parts, 1");
  }
});

test("wider windows show the parts beside the view, without a drawer", options, async () => {
  await day.page.setViewport({ width: 1101, height: 900 });
  await eventually("the parts are shown", () => isShown(".left"));
  assert.ok(!(await isShown(".drawer-button")));
});
