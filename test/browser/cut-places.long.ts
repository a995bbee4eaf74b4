import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { Reply } from "../fixture/client.ts";
import { pageClient } from "../fixture/page-client.ts";
import { box, lathe } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { POWDER, bodyOf } from "../fixture/test-server.ts";
import { type PageDriver, eventually } from "./page-driver.ts";
import { pageSuite } from "./page-suite.ts";

// Where the pieces of a cut are afterwards: in no other part, whatever is kept, locked or turned, on a platform and in a chamber.

const suite = pageSuite();
const { options } = suite;
const file = temporaryFiles();
const HEIGHT = 20;
const BLOCK = file("block.stl", binaryStl(box([40, 30, HEIGHT])));
const STUD = file("stud.stl", binaryStl(box([10, 10, 10])));
/** A cap on a stem, under which there is room. */
const CAP = [
  [0, 0],
  [4, 0],
  [4, 15],
  [20, 15],
  [20, HEIGHT],
  [0, HEIGHT],
] as const;
const MUSHROOM = file("mushroom.stl", binaryStl(lathe(CAP, 48, false)));

let day: PageDriver;
before(async () => {
  if (options.skip === false) day = await suite.open({ width: 1440, height: 900 });
});

const ask = async (path: string, body: object): Promise<Reply["body"]> =>
  bodyOf(await suite.server().post(`/v1/${path}/`, body));
const modelsIn = async (scene_id: string): Promise<Reply["body"][]> =>
  (await ask("scene/model/list", { scene_id })).models;
const undoCount = async (scene_id: string): Promise<number> =>
  (await pageClient(suite.server().port).summary(scene_id)).undo_count;

/** Makes and shows a scene with these files in its middle; returns its id. */
async function showScene(name: string, setting: object | undefined, files: readonly string[]): Promise<string> {
  const { scene_settings } = await suite.scene();
  const { scene_id } = await ask("scene/create", setting ?? scene_settings);
  await ask("scene/rename", { scene_id, name });
  for (const path of files) await ask("scene/model/import", { scene_id, file: path });
  await day.press(name);
  await eventually("it is shown", async () => (await day.page.title()).startsWith(name));
  await day.page.focus("canvas");
  await day.keys("f");
  await day.idle();
  return scene_id;
}

const isTried = (count: number): Promise<void> =>
  eventually(`${count} pieces are tried out`, () =>
    day.page.$eval("canvas", (canvas, wanted) => canvas.dataset.tried === String(wanted), count),
  );
const choose = (name: string, value: string) => day.page.select(`select[aria-label=${name}]`, value);

/** Cuts what is tried out, and waits until the scene has `count` models, as one undo step. */
async function cut(scene_id: string, count: number): Promise<void> {
  const before = await undoCount(scene_id);
  await day.page.focus("canvas");
  await day.keys("Enter");
  await eventually("the cut is made", async () => (await undoCount(scene_id)) > before);
  await eventually(`there are ${count} models`, async () => (await modelsIn(scene_id)).length === count);
  await day.idle();
  assert.equal(await undoCount(scene_id), before + 1);
}

async function noneOverlap(scene_id: string, collision_offset_mm = 0): Promise<void> {
  const { interferences } = await ask("scene/model/validate/interferences", { scene_id, collision_offset_mm });
  assert.deepEqual(interferences, []);
  for (const { name, in_bounds } of await modelsIn(scene_id)) assert.equal(in_bounds, true, `${name} is inside`);
}

/** Starts the cut of all, with one dowel in the middle of the cut face, of this shape. */
async function cutWithDowel(keep: string, pieces: number): Promise<void> {
  await day.keys("k", "5", "f");
  await day.page.waitForSelector(".cut-form");
  await choose("Keep", keep);
  await choose("Keys", "PLACED");
  await choose("Kind", "DOWEL");
  await choose("Shape", "SQUARE");
  await day.page.focus("canvas");
  await day.keys("Space");
  await isTried(pieces);
}

test(
  "a locked part on a platform: the lower piece stays, the upper one and the dowel come beside it",
  options,
  async () => {
    const scene_id = await showScene("Locked", undefined, [BLOCK]);
    const [{ id, bounding_box: source }] = await modelsIn(scene_id);
    await ask("scene/model/update", { scene_id, model_ids: [id], lock: "FULLY_LOCKED" });
    await day.idle();
    await cutWithDowel("BOTH", 3);
    const outline = await day.page.$$eval(".view-line-tool:not(.view-line-rim)", (lines) =>
      lines.map((line) => line.getAttribute("points")!.split(" ").length),
    );
    assert.deepEqual(outline, [5], "the marker of the key is a square");
    await cut(scene_id, 3);
    await noneOverlap(scene_id);
    const after = await modelsIn(scene_id);
    const lower = after.find(({ name }) => name === "block below");
    for (const axis of ["x", "y"] as const)
      assert.ok(Math.abs(lower.bounding_box.min_corner[axis] - source.min_corner[axis]) < 1e-3, `${axis} is the same`);
    assert.deepEqual(after.map(({ name, lock }) => [name, lock]).toSorted(), [
      ["block above", "FREE"],
      ["block below", "FULLY_LOCKED"],
      ["block dowel 1", "FREE"],
    ]);
  },
);

test("a dowel of a cut that keeps the lower piece comes beside it", options, async () => {
  const scene_id = await showScene("Dowel", undefined, [BLOCK]);
  await cutWithDowel("BELOW", 2);
  await cut(scene_id, 2);
  await noneOverlap(scene_id);
});

test("pieces that come down onto another part get other places; those that do not, stay", options, async () => {
  const scene_id = await showScene("Under the cap", undefined, [MUSHROOM, MUSHROOM, STUD]);
  const [first, second, stud] = await modelsIn(scene_id);
  const place = (model_ids: string[], x: number): Promise<Reply["body"]> =>
    ask("scene/model/translate", { scene_id, model_ids, position: { x, y: 0, z: 0 } });
  await place([first.id], -40);
  await place([second.id], 30);
  await place([stud.id], 42);
  await noneOverlap(scene_id);
  await day.page.focus("canvas");
  await day.keys("k");
  await day.page.waitForSelector(".cut-form");
  await choose("Keys", "NONE");
  await choose("Keep", "ABOVE");
  await day.fill("Cut above plate, mm", "11");
  await day.idle();
  await cut(scene_id, 3);
  await noneOverlap(scene_id);
  const caps = (await modelsIn(scene_id)).filter(({ name }) => name === "mushroom above");
  const stayed = caps.filter(({ position: { x } }) => Math.abs(x + 40) < 1e-3);
  assert.deepEqual([caps.length, stayed.length], [2, 1], "the one with room stays");
});

for (const isLaidDown of [false, true]) {
  test(
    `in a chamber the pieces do not touch${isLaidDown ? ", also with their cut faces down" : ""}`,
    options,
    async () => {
      const scene_id = await showScene(isLaidDown ? "Laid down" : "Chamber", POWDER, [BLOCK]);
      await ask("scene/model/translate", {
        scene_id,
        model_ids: [(await modelsIn(scene_id))[0].id],
        position: { x: 0, y: 0, z: 80 },
      });
      await day.idle();
      await cutWithDowel("BOTH", 3);
      if (isLaidDown) {
        await day.page.click(".cut-form input[type=checkbox]");
        await isTried(3);
      }
      await cut(scene_id, 3);
      await noneOverlap(scene_id, 1);
    },
  );
}
