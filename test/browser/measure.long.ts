import assert from "node:assert/strict";
import { before, test } from "node:test";
import { concatenateSurfaces } from "../../src/mesh/mesh.ts";
import { box, cylinder } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { bodyOf } from "../fixture/test-server.ts";
import { type PageDriver, eventually } from "./page-driver.ts";
import { pageSuite } from "./page-suite.ts";

// The tool Measure: what lights up, distances and diameters of parts whose sizes are known, and scaling to a measure; and the handle
// and the filled inside of a section.

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

/** Normal and place of the section. */
const plane = async (): Promise<number[]> =>
  (await day.page.$eval("canvas", (canvas) => canvas.dataset.section ?? "")).split(" ").map(Number);

/** Drags the arrow of the section by so many pixels along it. Returns how far the section has moved along its normal, mm. */
async function dragSection(byPx: number): Promise<number> {
  await day.idle();
  const [, , , before] = await plane();
  const points = await day.page.$eval(".view-line-section:not(.view-line-rim)", (line) => line.getAttribute("points")!);
  const [from, tip] = points.split(" ").map((point) => point.split(",").map(Number));
  const { x, y } = (await (await day.page.$("canvas"))!.boundingBox())!;
  const share = byPx / Math.hypot(tip[0] - from[0], tip[1] - from[1]);
  const [right, down] = [(tip[0] - from[0]) * share, (tip[1] - from[1]) * share];
  const middle = { x: x + (from[0] + tip[0]) / 2, y: y + (from[1] + tip[1]) / 2 };
  await day.page.mouse.move(middle.x, middle.y);
  await day.page.mouse.down();
  await day.page.mouse.move(middle.x + right, middle.y + down, { steps: 3 });
  await day.page.mouse.up();
  await day.idle();
  return (await plane())[3] - before;
}

test("the arrow of a section drags it along its normal, also when it faces the viewer", options, async () => {
  await day.keys("Escape", "Escape");
  await seeOnly("block", "1");
  await day.keys("x");
  await eventually("the section faces the viewer", async () => (await plane()).slice(0, 3).join() === "0,-1,0");
  const back = await dragSection(-30);
  assert.ok(back < -0.5, `into the part: ${back}`);
  await day.press("Section across z");
  const up = await dragSection(40);
  assert.ok(up > 0.5, `upward: ${up}`);
  await day.page.keyboard.down("Control");
  await dragSection(-60);
  await day.page.keyboard.up("Control");
  const [, , , at] = await plane();
  assert.equal(at, Math.round(at), "in whole millimetres");
  await day.page.focus("canvas");
  await day.keys("x");
});

/** Inside of cut bodies in light colours. */
const CUT_COLOUR = "5b6b7c";

/** A block with a smaller body in it. */
const NESTED = file("nested.stl", binaryStl(concatenateSurfaces([box([40, 30, 20]), cylinder(5, 6, 48)])));

test("a cut is filled in its plane: neither the grid nor a body inside shows through", options, async () => {
  const { id } = await suite.scene();
  bodyOf(
    await suite.server().post("/v1/scene/model/import/", { scene_id: id, file: NESTED, repair_behavior: "IGNORE" }),
  );
  await seeOnly("nested", "0");
  await day.keys("x");
  await day.press("Section across y");
  await day.page.$eval(".view-overlay", (arrow) => ((arrow as SVGElement).style.display = "none"));
  await day.idle();
  const { x, y, width, height } = (await (await day.page.$("canvas"))!.boundingBox())!;
  // From the middle of the cut downward: behind it are the small body, and the lower face of the block in the grid.
  const clip = { x: Math.round(x + width / 2) - 60, y: Math.round(y + height / 2), width: 120, height: 60 };
  const { rgb } = await day.picture(clip);
  const colours = new Set(
    Array.from({ length: rgb.length / 3 }, (_, i) => Buffer.from(rgb.subarray(3 * i, 3 * i + 3)).toString("hex")),
  );
  assert.deepEqual([...colours], [CUT_COLOUR]);
});
