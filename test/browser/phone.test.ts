import assert from "node:assert/strict";
import { before, test } from "node:test";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { bodyOf } from "../fixture/test-server.ts";
import { type PageDriver, eventually } from "./page-driver.ts";
import { pageSuite } from "./page-suite.ts";
import { smallTargets } from "./small-targets.ts";

// The page on phones, by taps.

const suite = pageSuite();
const { options } = suite;
const BLOCK = temporaryFiles()("block.stl", binaryStl(box([14, 10, 4])));

let phone: PageDriver;
before(async () => {
  if (options.skip !== false) return;
  const { id: scene_id } = await suite.scene();
  bodyOf(await suite.server().post("/v1/scene/model/import/", { scene_id, file: BLOCK }));
  phone = await suite.open({ width: 390, height: 844 });
});

/** Taps the middle of the button with this text. */
async function tap(name: string): Promise<void> {
  const middle = await phone.page.evaluate((wanted) => {
    const buttons = [...document.querySelectorAll<HTMLElement>(".phone-bar button, .sheet-handle")];
    const { x, y, width, height } = buttons.find((one) => one.textContent.trim() === wanted)!.getBoundingClientRect();
    return [x + width / 2, y + height / 2] as const;
  }, name);
  await phone.page.touchscreen.tap(...middle);
}

const sees = (selector: string): Promise<boolean> => phone.page.$eval(selector, (element) => element.checkVisibility());

test("a phone shows the view, the parts or the steps, and nothing is wider than it", options, async () => {
  for (const [width, height] of [
    [390, 844],
    [320, 640],
  ] as const) {
    await phone.page.setViewport({ width, height, isMobile: true, hasTouch: true });
    await phone.idle();
    await eventually("the parts are listed", async () => (await phone.models()).length === 1);
    for (const [panel, left, right] of [
      ["Parts", true, false],
      ["Steps", false, true],
      ["View", false, false],
    ] as const) {
      await tap(panel);
      await eventually(panel, async () => (await sees(".left")) === left && (await sees(".right")) === right);
      const widest = await phone.page.evaluate(() => document.scrollingElement!.scrollWidth);
      assert.ok(widest <= width, `${panel}: ${widest} px on ${width}`);
      assert.deepEqual(await phone.page.evaluate(smallTargets), [], `${panel} on ${width} × ${height}`);
    }
  }
});

test("the sheet of the steps has three heights", options, async () => {
  await tap("Steps");
  const heightOf = (): Promise<number> => phone.page.$eval(".right", (sheet) => sheet.clientHeight);
  const half = await heightOf();
  await tap("Larger");
  const full = await heightOf();
  await tap("Smaller");
  const peek = await heightOf();
  assert.ok(peek < half && half < full, `${peek}, ${half}, ${full} px`);
});

test("Print opens the dialog over all of the screen", options, async () => {
  await tap("Print");
  const { width } = (await (await phone.page.waitForSelector("dialog[open]"))!.boundingBox())!;
  assert.equal(Math.round(width), 320);
});
