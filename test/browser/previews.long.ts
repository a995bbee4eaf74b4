import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { HTTPRequest } from "puppeteer-core";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { bodyOf } from "../fixture/test-server.ts";
import { type PageDriver, eventually } from "./page-driver.ts";
import { pageSuite } from "./page-suite.ts";

// Changes that are shown before they are made.

const suite = pageSuite();
const { options } = suite;
const file = temporaryFiles();
const BLOCK = file("block.stl", binaryStl(box([40, 30, 20])));

let day: PageDriver;
before(async () => {
  if (options.skip !== false) return;
  const { id } = await suite.scene();
  bodyOf(await suite.server().post("/v1/scene/model/import/", { scene_id: id, file: BLOCK }));
  day = await suite.open({ width: 1440, height: 900 });
});

/** A point of the view, as fractions of its size. */
const at = async (right: number, down: number): Promise<{ x: number; y: number }> => {
  const { x, y, width, height } = (await (await day.page.$("canvas"))!.boundingBox())!;
  return { x: x + right * width, y: y + down * height };
};

const point = async (right: number, down: number): Promise<void> => {
  const { x, y } = await at(right, down);
  await day.page.mouse.move(x, y);
};

const tried = (): Promise<string | undefined> => day.page.$eval("canvas", (canvas) => canvas.dataset.tried);
const isTried = (count: number): Promise<void> =>
  eventually(`${count} parts are tried out`, async () => (await tried()) === String(count));

const undoCount = async (): Promise<{ version: number; undo_count: number }> => {
  const { id } = await suite.scene();
  return bodyOf(await suite.server().call("GET", `/ui/scene/${id}/`, undefined));
};

/** Colour of the picture at a point. */
const colourAt = async (right: number, down: number): Promise<number[]> => {
  const { x, y } = await at(right, down);
  const { rgb } = await day.picture({ x: Math.round(x), y: Math.round(y), width: 1, height: 1 });
  return [...rgb.subarray(0, 3)];
};

test(
  "a hole is seen before the click, and near an edge it is refused in words; applying it is one undo step",
  options,
  async () => {
    await day.press("Drain hole");
    await day.press("Choose places");
    await day.fill("Diameter", "6");
    await day.page.focus("canvas");
    await day.keys("5", "f");
    await day.idle();
    const { version, undo_count } = await undoCount();
    const { raw_mesh_hash } = await suite.model("block");
    // Beside the cross in the middle.
    const whole = await colourAt(0.5, 0.545);
    await point(0.5, 0.505);
    assert.ok((await day.page.$$(".view-line-tool")).length > 0, "the hole is drawn at the pointer at once");
    await isTried(1);
    assert.notDeepEqual(await colourAt(0.5, 0.545), whole, "one looks through the hole");
    assert.equal((await undoCount()).version, version, "nothing is changed");
    assert.match(await day.text(".trial-line"), /is 20\.00 mm deep/);

    await point(0.5, 0.215);
    await eventually("it is refused", async () =>
      /^(Too close to|Across) an edge/.test(await day.text(".view-amount")),
    );
    await isTried(0);
    await day.clickView(0.5, 0.215);
    assert.equal((await day.page.$$(".places ol li")).length, 0, "a refused place is not chosen");

    await day.clickView(0.5, 0.505);
    await day.page.mouse.move(3, 3);
    await isTried(1);
    await day.press("Drill");
    await eventually("it is drilled", async () => (await suite.model("block")).raw_mesh_hash !== raw_mesh_hash);
    await day.idle();
    assert.equal((await undoCount()).undo_count, undo_count + 1);
    assert.equal(await tried(), "0");
    await day.press("Undo");
    await eventually("it is undone", async () => (await suite.model("block")).raw_mesh_hash === raw_mesh_hash);
  },
);

test("a preview follows the numbers of its form, and is dropped with the form", options, async () => {
  const { raw_mesh_hash } = await suite.model("block");
  await day.press("All tools");
  await day.press("Stretch");
  await day.fill("X", "1.5");
  await isTried(1);
  await day.fill("X", "0");
  await isTried(0);
  await day.fill("X", "1.5");
  await isTried(1);
  const stretchedX = (): Promise<string> =>
    day.page.$eval("[aria-label='Stretch to size x, mm']", (field) => (field as HTMLInputElement).value);
  assert.equal(await stretchedX(), "60");
  await day.fill("Stretch to size x, mm", "50");
  assert.equal(await day.page.$eval(".field-group input", (field) => (field as HTMLInputElement).value), "1.25");
  await day.fill("X", "1.5");
  await isTried(1);
  await day.press("All tools");
  await isTried(0);
  assert.equal((await suite.model("block")).raw_mesh_hash, raw_mesh_hash);
});

test("what the server refuses is said in words before the click", options, async () => {
  await day.press("Label");
  await day.fill("Text", "a text that is much too long for this block of forty millimetres");
  await day.press("Choose the place");
  await point(0.5, 0.5);
  await eventually("it is refused", async () => (await day.text(".trial-line .problem")) !== "");
  assert.match(await day.text(".trial-line .problem"), /label|text/i);
  assert.equal(await day.text(".view-amount"), await day.text(".trial-line .problem"));
  await day.press("All tools");
});

test(
  "when the scene changes before a preview is applied, nothing is made, and the change is tried out anew",
  options,
  async () => {
    const { page } = day;
    const { id } = await suite.scene();
    const block = await suite.model("block");
    await day.press("Stretch");
    await isTried(1);
    await page.setRequestInterception(true);
    let isMoved = false;
    const moveFirst = async (request: HTTPRequest): Promise<void> => {
      if (!isMoved && request.url().endsWith("/apply/")) {
        isMoved = true;
        const position = { x: 30, y: 0, z: 0 };
        const body = { scene_id: id, model_ids: [block.id], position, mode: "RELATIVE" };
        bodyOf(await suite.server().post("/v1/scene/model/translate/", body));
      }
      await request.continue();
    };
    page.on("request", moveFirst);
    await day.press("Stretch");
    await eventually("it is told", async () => /changed meanwhile/.test(await day.messages()));
    page.off("request", moveFirst);
    await page.setRequestInterception(false);
    assert.equal((await suite.model("block")).raw_mesh_hash, block.raw_mesh_hash);
    await isTried(1);
    await day.press("Stretch");
    await eventually("it is stretched", async () => (await suite.model("block")).raw_mesh_hash !== block.raw_mesh_hash);
    const { bounding_box: now } = await suite.model("block");
    assert.ok(Math.abs(now.max_corner.x - now.min_corner.x - 60) < 1e-3);
    assert.ok(
      Math.abs(
        now.max_corner.x + now.min_corner.x - 60 - (block.bounding_box.max_corner.x + block.bounding_box.min_corner.x),
      ) < 1e-3,
    );
  },
);
