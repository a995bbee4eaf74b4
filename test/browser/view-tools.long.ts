import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { HTTPRequest } from "puppeteer-core";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { bodyOf } from "../fixture/test-server.ts";
import { type PageDriver, eventually } from "./page-driver.ts";
import { pageSuite } from "./page-suite.ts";

// Tools of the view that act on the place under the pointer, and sections.

const suite = pageSuite();
const { options } = suite;
const file = temporaryFiles();
const BLOCK = file("block.stl", binaryStl(box([40, 30, 20])));
/** Inside of cut bodies in light colours. */
const CUT_COLOUR = [0x5b, 0x6b, 0x7c];

let day: PageDriver;
before(async () => {
  if (options.skip !== false) return;
  const { id } = await suite.scene();
  bodyOf(await suite.server().post("/v1/scene/model/import/", { scene_id: id, file: BLOCK }));
  day = await suite.open({ width: 1440, height: 900 });
  await day.keys("f");
  await day.idle();
});

const lines = (style: string): Promise<number> =>
  day.page.$$eval(`.view-line-${style}:not(.view-line-rim)`, (all) => all.length);

const hoverView = async (right: number, down: number): Promise<void> => {
  const { x, y, width, height } = (await (await day.page.$("canvas"))!.boundingBox())!;
  await day.page.mouse.move(x + right * width, y + down * height);
};

test("a click with the tool Face down puts that face on the platform", options, async () => {
  await day.keys("1");
  await day.idle();
  const before = await suite.model("block");
  await day.press("Face down");
  await eventually("the face lights up", async () => {
    await hoverView(0.5, 0.5);
    return (await lines("face")) === 1;
  });
  assert.match(await day.text(".view-amount"), /^[\d,.]+ mm²$/);
  await day.clickView(0.5, 0.5);
  await eventually("it is turned", async () => {
    const { orientation } = await suite.model("block");
    return JSON.stringify(orientation) !== JSON.stringify(before.orientation);
  });
  const { bounding_box: turned } = await suite.model("block");
  const { bounding_box: was } = before;
  const extent = (box: typeof was, axis: "x" | "y" | "z"): number => box.max_corner[axis] - box.min_corner[axis];
  assert.ok(Math.abs(turned.min_corner.z) < 1e-3, `it stands on the platform: ${turned.min_corner.z}`);
  // Seen from the front, the face that was toward the viewer is below now.
  for (const [now, then] of [
    ["x", "x"],
    ["y", "z"],
    ["z", "y"],
  ] as const) {
    assert.ok(Math.abs(extent(turned, now) - extent(was, then)) < 1e-3, `${now} is the former ${then}`);
  }
  await day.press("Undo");
  await day.idle();
  await day.keys("v");
  assert.equal(await lines("face"), 0);
});

const planeOf = (): Promise<number[]> =>
  day.page.$eval("canvas", (canvas) => (canvas.dataset.section ?? "").split(" ").map(Number));

const middleColour = async (): Promise<number[]> => {
  await day.idle();
  // The arrow of the section is in the middle.
  await day.page.$eval(".view-overlay", (lines) => ((lines as SVGElement).style.visibility = "hidden"));
  const { x, y, width, height } = (await (await day.page.$("canvas"))!.boundingBox())!;
  const clip = { x: Math.round(x + width / 2), y: Math.round(y + height / 2), width: 1, height: 1 };
  const { rgb } = await day.picture(clip);
  return [...rgb.subarray(0, 3)];
};

test("a section fills the inside, moves, flips, stays with other tools and is picked behind", options, async () => {
  await day.keys("1", "f");
  const whole = await middleColour();
  await day.keys("x");
  await eventually("the plane faces the viewer", async () => (await planeOf()).slice(0, 3).join() === "0,-1,0");
  assert.deepEqual(await middleColour(), CUT_COLOUR);
  await day.keys("v", "m");
  assert.deepEqual(await middleColour(), CUT_COLOUR, "it stays");
  await day.page.keyboard.down("Shift");
  await day.keys("x");
  await day.page.keyboard.up("Shift");
  await eventually("it is flipped", async () => (await planeOf()).slice(0, 3).join() === "0,1,0");
  assert.deepEqual(await middleColour(), whole, "the half that was hidden is shown from outside");
  await day.press("Section across x");
  await eventually("it is across x", async () => Math.abs((await planeOf())[0]) === 1);
  await day.press("From a face");
  await day.clickView(0.45, 0.5);
  await eventually("it is in the face", async () => Math.abs((await planeOf())[1]) === 1);
  await day.press("End the section");
  assert.deepEqual(await middleColour(), whole);
});

test("Escape ends the tool first, then the section, then the selection", options, async () => {
  const selected = (): Promise<number> => day.page.$$eval(".row[aria-selected=true]", (rows) => rows.length);
  const hasSection = async (): Promise<boolean> => (await planeOf()).length > 1;
  const isTool = (name: string): Promise<void> =>
    eventually(`the tool is ${name}`, () =>
      day.page.$eval("canvas", (canvas, wanted) => canvas.dataset.tool === wanted, name),
    );
  await day.select("block");
  await day.page.focus("canvas");
  await day.keys("x", "u");
  await isTool("measure");
  assert.ok(await hasSection());
  await day.keys("Escape");
  await isTool("select");
  assert.ok(await hasSection(), "the tool has ended, the section stays");
  await day.keys("Escape");
  await eventually("the section has ended", async () => !(await hasSection()));
  assert.equal(await selected(), 1, "the part stays selected");
  // The list takes the key in the same order.
  await day.keys("x");
  await eventually("there is a section", hasSection);
  await day.page.focus(".rows");
  await day.keys("Escape");
  await eventually("the section has ended", async () => !(await hasSection()));
  assert.equal(await selected(), 1);
  await day.keys("Escape");
  await eventually("nothing is selected", async () => (await selected()) === 0);
});

test(
  "a drag that begins on a selected part moves it with every tool, with Ctrl by whole millimetres",
  options,
  async () => {
    await day.press("Look from");
    await day.press("Top");
    await day.keys("f", "r");
    await day.idle();
    const { x, y, width, height } = (await (await day.page.$("canvas"))!.boundingBox())!;
    const at = { x: x + 0.45 * width, y: y + 0.55 * height };
    const drag = async (): Promise<void> => {
      await day.page.mouse.move(at.x, at.y);
      await day.page.mouse.down();
      await day.page.mouse.move(at.x + 60, at.y - 35, { steps: 4 });
      await day.page.mouse.up();
      await day.idle();
    };
    const { position: start } = await suite.model("block");
    await drag();
    assert.deepEqual((await suite.model("block")).position, start, "it was not selected: the view turned");
    await day.press("Look from");
    await day.press("Top");
    await day.select("block");
    await day.idle();
    await day.page.keyboard.down("Control");
    await drag();
    await day.page.keyboard.up("Control");
    await eventually("it has moved", async () => (await suite.model("block")).position.x > start.x + 0.5);
    const { position } = await suite.model("block");
    for (const axis of ["x", "y"] as const) {
      const by = position[axis] - start[axis];
      assert.ok(Math.abs(by) > 0.5 && Math.abs(by - Math.round(by)) < 1e-6, `${axis} by ${by}`);
    }
    assert.equal(position.z, start.z);
    await day.keys("v");
  },
);

test("typed numbers move the middle of the selection, and a turn is taken back", options, async () => {
  await day.select("block");
  const centre = async (): Promise<number[]> => {
    const { bounding_box: box } = await suite.model("block");
    return (["x", "y"] as const).map((axis) => (box.min_corner[axis] + box.max_corner[axis]) / 2);
  };
  const [, before] = await centre();
  await day.fill("Centre x", "12.5");
  await eventually("its middle is there", async () => Math.abs((await centre())[0] - 12.5) < 1e-3);
  assert.ok(Math.abs((await centre())[1] - before) < 1e-3, "y is as before");
  await day.fill("Turn x", "30");
  await eventually("it is turned", async () => Math.round((await suite.model("block")).orientation.x) === 30);
  await day.press("Reset turn");
  await eventually("it is as in its file", async () => Math.round((await suite.model("block")).orientation.x) === 0);
  assert.ok(Math.abs((await suite.model("block")).bounding_box.min_corner.z) < 1e-3);
});

test("Above plate is the height of the part on its supports; from them it drops to the plate", options, async () => {
  await day.select("block");
  await day.fill("Turn x", "40");
  await eventually("it is turned", async () => Math.round((await suite.model("block")).orientation.x) === 40);
  const above = (): Promise<number> =>
    day.page.$eval("input[aria-label='Above plate, mm']", (input) => Number((input as HTMLInputElement).value));
  assert.equal(await above(), 0);
  const { id } = await suite.scene();
  bodyOf(await suite.server().post("/v1/scene/model/auto-support/", { scene_id: id, raft_type: "FULL_RAFT" }));
  await eventually("its supports lift it", async () => (await above()) > 1);
  const { position } = await suite.model("block");
  await day.press("Drop to plate");
  await eventually("it is on the plate", async () => (await above()) === 0);
  const dropped = await suite.model("block");
  assert.equal(dropped.has_supports, false);
  assert.ok(dropped.position.z < position.z - 1 && Math.abs(dropped.bounding_box.min_corner.z) < 1e-3);
  await day.press("Undo");
  await eventually("its supports are back", async () => (await suite.model("block")).has_supports);
});

test("the fields of a part stay where they are while its volumes are measured anew", options, async () => {
  const { page } = day;
  await day.select("block");
  const top = (): Promise<number> =>
    page.$eval("input[aria-label='Centre x, mm']", (input) => input.getBoundingClientRect().top);
  const volumes = (): Promise<string> => day.text(".measures");
  await eventually("volumes are shown", async () => !(await volumes()).includes("…"));
  const [before, shown] = [await top(), await volumes()];
  await page.setRequestInterception(true);
  const held: HTTPRequest[] = [];
  const hold = (request: HTTPRequest): void => {
    if (request.url().endsWith("/v1/scene/metadata/")) held.push(request);
    else void request.continue();
  };
  page.on("request", hold);
  await day.fill("Centre x", "7");
  await eventually("it has moved, and volumes are asked for", () => held.length > 0);
  assert.match(await volumes(), /…/);
  assert.equal(await top(), before);
  page.off("request", hold);
  for (const request of held) await request.continue();
  await page.setRequestInterception(false);
  await eventually("volumes are shown again", async () => (await volumes()) === shown);
  assert.equal(await top(), before);
});
