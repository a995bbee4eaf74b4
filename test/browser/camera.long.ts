import assert from "node:assert/strict";
import { before, test } from "node:test";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { bodyOf } from "../fixture/test-server.ts";
import { type PageDriver, eventually } from "./page-driver.ts";
import { pageSuite } from "./page-suite.ts";

// What the camera frames by itself, and the outline of the part under the pointer.

const suite = pageSuite();
const { options } = suite;
const BLOCK = { name: "block.stl", bytes: new Uint8Array(binaryStl(box([40, 30, 20]))) };
const SMALL = { name: "small.stl", bytes: new Uint8Array(binaryStl(box([6, 5, 4]))) };
const FILED = temporaryFiles()(BLOCK.name, BLOCK.bytes);

let day: PageDriver;
before(async () => {
  if (options.skip !== false) return;
  const { scene_settings } = await suite.scene();
  const { scene_id } = bodyOf(await suite.server().post("/v1/scene/create/", scene_settings));
  bodyOf(await suite.server().post("/v1/scene/model/import/", { scene_id, file: FILED }));
  day = await suite.open({ width: 1440, height: 900 });
  // Only the picture counts.
  await day.page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`.tool-bar, .notices, .first-steps, .view > :not(canvas) { opacity: 0 !important }
      canvas { outline: none !important }`);
    document.adoptedStyleSheets = [sheet];
  });
});

type Rgb = readonly [red: number, green: number, blue: number];

/** Number of pixels of the view in a colour, and how much of its smaller side they take. */
async function seen(isWanted: (colour: Rgb) => boolean): Promise<{ readonly pixels: number; readonly share: number }> {
  const { rgb, width, height } = await day.picture();
  let pixels = 0;
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let at = 0; at < width * height; at++) {
    if (!isWanted([rgb[3 * at], rgb[3 * at + 1], rgb[3 * at + 2]])) continue;
    const [x, y] = [at % width, Math.floor(at / width)];
    pixels++;
    [left, right, top, bottom] = [Math.min(left, x), Math.max(right, x), Math.min(top, y), Math.max(bottom, y)];
  }
  return { pixels, share: Math.max(right - left, bottom - top) / Math.min(width, height) };
}

/** Selected parts are blue; the lines of the platform are greyer, and the arrow of the third axis is bluer. */
const selectedShare = async (): Promise<number> =>
  (await seen(([red, green, blue]) => blue > red + 60 && blue < green + 92)).share;

const isFramed = (): Promise<void> =>
  eventually("the selection takes 80 % of the view", async () => Math.abs((await selectedShare()) - 0.8) < 0.02);

test("a scene that is opened, and parts that are imported, take 80 % of the view's smaller side", options, async () => {
  await day.press("Scene 2");
  await day.select("block");
  await isFramed();
  await day.press("Scene 1");
  await eventually("it is empty", async () => (await day.models()).length === 0);
  await day.drop([SMALL]);
  await isFramed();
});

test("a person's own move of the camera stops that until F, and the next scene", options, async () => {
  const { x, y, width, height } = (await (await day.page.$("canvas"))!.boundingBox())!;
  await day.page.mouse.move(x + width / 2, y + height / 2);
  await day.page.mouse.wheel({ deltaY: -200 });
  await day.idle();
  const zoomed = await selectedShare();
  assert.ok(zoomed > 0.85);
  await day.drop([BLOCK]);
  await eventually("it is selected", async () => (await day.text(".row[aria-selected=true] .name")) === "block");
  assert.ok(Math.abs((await selectedShare()) - 0.8) > 0.05, "the camera stays");
  await day.page.focus("canvas");
  await day.keys("f");
  await isFramed();
  await day.keys("Escape");
  await day.press("Prepare 2 parts");
  await eventually("it is prepared", async () => /Prepared 2 parts/.test(await day.messages()));
  const supports = await seen(([red, green, blue]) => red > blue + 25 && green > blue + 10);
  assert.ok(supports.pixels > 0, "the parts are seen with their supports");
  await day.press("Scene 2");
  await eventually("it is shown", async () => (await day.models()).join() === "block");
  await day.select("block");
  await isFramed();
});

test("the part under the pointer has an outline", options, async () => {
  const { x, y, width, height } = (await (await day.page.$("canvas"))!.boundingBox())!;
  const ink = async (): Promise<number> =>
    (await seen(([red, green, blue]) => red === 0x0b && green === 0x57 && blue === 0xc2)).pixels;
  await day.page.mouse.move(x + width - 3, y + 3);
  await eventually("nothing is outlined", async () => (await ink()) === 0);
  await eventually("the part is outlined", async () => {
    await day.page.mouse.move(x + width / 2, y + height / 2);
    await day.page.mouse.move(x + width / 2 + 2, y + height / 2);
    return (await ink()) > 1000;
  });
  await day.page.mouse.move(x + width - 3, y + 3);
  await eventually("it is gone", async () => (await ink()) === 0);
});
