import assert from "node:assert/strict";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { bodyOf } from "../fixture/test-server.ts";
import { type PageDriver, eventually } from "./page-driver.ts";
import { pageSuite } from "./page-suite.ts";

// Tools of the view that act on the place under the pointer, and sections.

const suite = pageSuite();
const { options } = suite;
/** A block of 40 × 30 × 20 mm. */
const BLOCK = fileURLToPath(new URL("../../assets/demo/block.stl", import.meta.url));

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
