import assert from "node:assert/strict";
import { before, test } from "node:test";
import { box, cylinder } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { bodyOf } from "../fixture/test-server.ts";
import { type PageDriver, eventually } from "./page-driver.ts";
import { pageSuite } from "./page-suite.ts";

// The tool Measure: what lights up, distances and diameters of parts whose sizes are known, and scaling to a measure.

const suite = pageSuite();
const { options } = suite;
const file = temporaryFiles();
const BLOCK = file("block.stl", binaryStl(box([40, 30, 20])));
const DISC = file("disc.stl", binaryStl(cylinder(12.5, 10, 96)));

let day: PageDriver;
before(async () => {
  if (options.skip !== false) return;
  const { id } = await suite.scene();
  for (const one of [BLOCK, DISC])
    bodyOf(await suite.server().post("/v1/scene/model/import/", { scene_id: id, file: one }));
  const { id: disc } = await suite.model("disc");
  const position = { x: 60, y: 0, z: 0 };
  bodyOf(
    await suite
      .server()
      .post("/v1/scene/model/translate/", { scene_id: id, model_ids: [disc], position, mode: "RELATIVE" }),
  );
  day = await suite.open({ width: 1440, height: 900 });
});

/** Fills the view with one part, seen from there. */
async function seeOnly(part: string, viewpoint: string): Promise<void> {
  await day.select(part);
  await day.page.focus("canvas");
  await day.keys(viewpoint as "1", "f");
  await day.idle();
}

const values = (): Promise<Record<string, string>> =>
  day.page.$$eval(".measure-card dl > div", (rows) =>
    Object.fromEntries(rows.map((row) => [row.querySelector("dt")!.textContent, row.querySelector("dd")!.textContent])),
  );

const valueOf = async (name: string): Promise<number> => {
  await eventually(`${name} is measured`, async () => name in (await values()));
  return Number.parseFloat((await values())[name]);
};

const isNear = (a: number, b: number): void => assert.ok(Math.abs(a - b) <= 0.001, `${a} is not ${b}`);

test("two picks on opposite faces measure the size of a block", options, async () => {
  await seeOnly("block", "1");
  await day.keys("u");
  await day.clickView(0.5, 0.5);
  isNear(await valueOf("Area"), 40 * 20);
  await day.keys("2");
  await day.idle();
  await day.clickView(0.5, 0.5);
  isNear(await valueOf("Distance"), 30);
  isNear(await valueOf("Along y"), 30);
  isNear(await valueOf("Along x"), 0);
  assert.match(await day.text(".measure-card [role=status]"), /parallel/);
  assert.equal(await day.page.$eval(".view-line-text", (text) => text.textContent), "30 mm");
});

test("without a pointer, Enter measures what is in the middle", options, async () => {
  await day.keys("Escape");
  assert.deepEqual(await values(), {});
  await day.page.focus("canvas");
  await day.keys("5", "Enter");
  isNear(await valueOf("Area"), 40 * 30);
  await day.keys("6", "Enter");
  isNear(await valueOf("Distance"), 20);
});

test("a measure is copied as text, and a length makes the part as large as it should be", options, async () => {
  // Headless Chromium denies the clipboard.
  await day.page.evaluate(() => {
    navigator.clipboard.writeText = async (text) => void (document.body.dataset.copied = text);
  });
  await day.page.focus("canvas");
  await day.page.keyboard.down("Control");
  await day.keys("c");
  await day.page.keyboard.up("Control");
  await eventually("it is copied", () => day.page.evaluate(() => document.body.dataset.copied !== undefined));
  const text = await day.page.evaluate(() => document.body.dataset.copied);
  assert.match(text!, /^Face to face\nDistance: 20 mm\nAlong x: 0 mm\nAlong y: 0 mm\nAlong z: 20 mm\nAngle: parallel$/);
  await day.fill("Make this, mm", "25");
  await day.press("Scale the part");
  await eventually("it is scaled", async () => (await suite.model("block")).scale !== 1);
  isNear((await suite.model("block")).scale, 25 / 20);
  await eventually("the measure follows", async () => (await valueOf("Distance")) === 25);
  await day.press("Undo");
  await eventually("it is taken back", async () => (await valueOf("Distance")) === 20);
});

test(
  "the rim of a disc lights up and measures its diameter; two parts cannot be scaled together",
  options,
  async () => {
    await day.keys("Escape", "Escape");
    await seeOnly("disc", "5");
    await day.keys("u");
    const { x, y, width, height } = (await (await day.page.$("canvas"))!.boundingBox())!;
    // From the middle upward, across the face, the rim is met last.
    let at = { x: x + width / 2, y: y + height / 2 };
    await eventually("the rim lights up", async () => {
      at = { ...at, y: at.y - 4 };
      assert.ok(at.y > y, "the rim is in the view");
      await day.page.mouse.move(at.x, at.y);
      return (await day.text(".view-amount")).startsWith("Diameter");
    });
    await day.page.mouse.click(at.x, at.y);
    isNear(await valueOf("Diameter"), 25);
    await day.select("block");
    await seeOnly("block", "5");
    await day.clickView(0.5, 0.5);
    isNear(await valueOf("Distance"), 10);
    assert.equal(await day.page.$(".measure-card form"), null);
  },
);
