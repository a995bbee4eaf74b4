import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { Reply } from "../fixture/client.ts";
import { box, tetrahedron } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { POWDER, bodyOf } from "../fixture/test-server.ts";
import { type PageDriver, eventually } from "./page-driver.ts";
import { pageSuite } from "./page-suite.ts";

// The tools that cut parts at a plane, and that mirror them.

const suite = pageSuite();
const { options } = suite;
const file = temporaryFiles();
const [WIDTH, DEPTH, HEIGHT] = [40, 30, 20];
const BLOCK = file("block.stl", binaryStl(box([WIDTH, DEPTH, HEIGHT])));

let day: PageDriver;
before(async () => {
  if (options.skip !== false) return;
  const { id } = await suite.scene();
  bodyOf(await suite.server().post("/v1/scene/model/import/", { scene_id: id, file: BLOCK }));
  day = await suite.open({ width: 1440, height: 900 });
  await day.page.focus("canvas");
  await day.keys("f");
  await day.idle();
});

const data = (name: string): Promise<string | undefined> =>
  day.page.$eval("canvas", (canvas, key) => canvas.dataset[key], name);
const isTried = (count: number): Promise<void> =>
  eventually(`${count} parts are tried out`, async () => (await data("tried")) === String(count));
/** Normal and place of the plane. */
const plane = async (): Promise<number[]> => ((await data("cut")) ?? "").split(" ").map(Number);

const count = async (path: string, body: object): Promise<Reply["body"]> => {
  const { id } = await suite.scene();
  return bodyOf(await suite.server().post(path, { scene_id: id, ...body }));
};

const noneOverlap = async (): Promise<void> =>
  assert.deepEqual((await count("/v1/scene/model/validate/interferences/", {})).interferences, []);

const undoCount = async (): Promise<number> => {
  const { id } = await suite.scene();
  return bodyOf(await suite.server().call("GET", `/ui/scene/${id}/`, undefined)).undo_count;
};

/** Undoes the changes after the first `kept` ones on the page, until the block has its mesh of before. */
async function undoTo(kept: number, rawMeshHash: string): Promise<void> {
  for (let left = (await undoCount()) - kept; left > 0; left--) {
    await day.press("Undo");
    await day.idle();
  }
  await eventually("the part is back", async () => (await suite.model("block"))?.raw_mesh_hash === rawMeshHash);
}

test(
  "K shows a level plane through the middle, which numbers, keys and its handle move; Escape leaves everything as it was",
  options,
  async () => {
    const { raw_mesh_hash } = await suite.model("block");
    await day.keys("k");
    await isTried(2);
    assert.deepEqual(await plane(), [0, 0, 1, HEIGHT / 2]);
    await day.fill("Cut above plate, mm", "6");
    assert.deepEqual(await plane(), [0, 0, 1, 6]);
    await isTried(2);
    await day.press("Flip");
    assert.deepEqual(
      await plane(),
      [-0, -0, -1, -6].map((value) => value + 0),
    );
    await day.press("Flip");
    await day.page.focus("canvas");
    await day.keys("PageUp");
    assert.deepEqual(await plane(), [0, 0, 1, 7]);
    await day.page.keyboard.down("Control");
    await day.keys("ArrowUp");
    await day.page.keyboard.up("Control");
    const [x, y, z] = await plane();
    assert.ok(Math.abs(z - Math.cos(Math.PI / 36)) < 1e-3 && Math.abs(Math.hypot(x, y, z) - 1) < 2e-3, "tilted by 5°");

    await day.press("Cut across z");
    await day.page.focus("canvas");
    await day.keys("1", "f");
    await day.idle();
    // The arrow begins in the middle of the picture, and points up.
    const { x: left, y: top, width, height } = (await (await day.page.$("canvas"))!.boundingBox())!;
    const [right, down] = [left + width / 2, top + height / 2 - 110];
    const [, , , from] = await plane();
    await day.page.mouse.move(right, down);
    await day.page.mouse.down();
    await day.page.mouse.move(right, down - 60, { steps: 4 });
    await day.page.mouse.up();
    const [, , up, to] = await plane();
    assert.ok(up === 1 && to > from + 0.5, `${to} mm is above ${from} mm`);
    assert.equal((await suite.model("block")).raw_mesh_hash, raw_mesh_hash, "the part itself was not moved or cut");
    await day.keys("Escape");
    await isTried(0);
    assert.equal(await data("cut"), undefined);
  },
);

test("a plane beside the part is refused in words before the cut", options, async () => {
  await day.keys("k");
  await day.fill("Cut above plate, mm", "50");
  await eventually("it is refused", async () => /crosses no/.test(await day.text(".trial-line")));
  assert.ok(await day.page.$eval(".cut-form [type=submit]", (button) => (button as HTMLButtonElement).disabled));
  await day.page.focus("canvas");
  await day.keys("Escape");
});

test(
  "a cut at half height with automatic keys gives two closed parts that fit, and is one undo step",
  options,
  async () => {
    const source = await suite.model("block");
    const before = await undoCount();
    await day.keys("k");
    await isTried(2);
    await day.keys("Enter");
    await eventually("there are two parts", async () => (await suite.models()).size === 2);
    await day.idle();
    assert.equal(await undoCount(), before + 1);
    assert.equal(await data("cut"), undefined, "the tool has ended");
    const [upper, lower] = [await suite.model("block above"), await suite.model("block below")];
    const { per_model_results } = await count("/v1/scene/model/validate/manifoldness/", {});
    for (const { id } of [upper, lower]) assert.equal(per_model_results[id].is_manifold, true);

    const { models } = await count("/v1/scene/metadata/", {});
    const volume = (id: string): number => 1000 * models.find((one: Reply["body"]) => one.id === id).volume_ml;
    // A peg fills its hole but for the play, so the sum is that of the source less the play around the pegs.
    const half = (WIDTH * DEPTH * HEIGHT) / 2;
    const [peg, hole] = [volume(lower.id) - half, half - volume(upper.id)];
    assert.ok(peg > 1, `the lower part has pegs: ${peg} mm³`);
    assert.ok(hole > peg && hole < 1.6 * peg, `holes of ${hole} mm³ for pegs of ${peg} mm³`);

    await noneOverlap();

    // In a chamber, where parts can be above each other, the upper part is put back on the lower one.
    const { scene_id: target_scene_id } = bodyOf(await suite.server().post("/v1/scene/create/", POWDER));
    await count("/v1/scene/model/move-to-scene/", { model_ids: [upper.id, lower.id], target_scene_id });
    const chamber = async (path: string, body: object): Promise<Reply["body"]> =>
      bodyOf(await suite.server().post(path, { scene_id: target_scene_id, ...body }));
    const { models: moved } = await chamber("/v1/scene/model/list/", {});
    const cornerOf = (name: string) => moved.find((one: Reply["body"]) => one.name === name).bounding_box.min_corner;
    const [from, to] = [cornerOf("block above"), cornerOf("block below")];
    const position = { x: to.x - from.x, y: to.y - from.y, z: to.z + HEIGHT / 2 - from.z };
    const aboveId = moved.find(({ name }: Reply["body"]) => name === "block above").id;
    await chamber("/v1/scene/model/translate/", { model_ids: [aboveId], position, mode: "RELATIVE" });
    assert.deepEqual((await chamber("/v1/scene/model/validate/interferences/", {})).interferences, []);
    await day.idle();
    await undoTo(before, source.raw_mesh_hash);
  },
);

test(
  "keys where one clicks: a click in the cut face makes a dowel, beside it the key is refused, and a second click removes it",
  options,
  async () => {
    await day.page.focus("canvas");
    await day.keys("k", "5", "f");
    await isTried(2);
    await day.page.select("select[aria-label=Keep]", "BELOW");
    await day.page.select("select[aria-label=Keys]", "PLACED");
    await day.page.select("select[aria-label=Kind]", "DOWEL");
    await isTried(1);
    await day.clickView(0.42, 0.5);
    await isTried(2);
    assert.match(await day.text(".cut-form"), /1 placed/);
    await day.clickView(0.3, 0.02);
    await eventually("it is refused", async () =>
      /Key 2 is not wholly on a cut face/.test(await day.text(".trial-line")),
    );
    await day.clickView(0.3, 0.02);
    await isTried(2);
    await day.clickView(0.42, 0.5);
    await isTried(1);
    await day.keys("Escape");
    await isTried(0);
  },
);

test("pegs have the shape, the turn and the play of the form, and round keys have no turn", options, async () => {
  const source = await suite.model("block");
  const before = await undoCount();
  await day.page.focus("canvas");
  await day.keys("k", "5", "f");
  await day.page.select("select[aria-label=Keep]", "BOTH");
  await day.page.select("select[aria-label=Keys]", "PLACED");
  await day.page.select("select[aria-label=Kind]", "PEG");
  await day.page.select("select[aria-label=Shape]", "ROUND");
  const [size, depth, play, turn] = [4, 3, 0.2, 30];
  const isTurnShown = (): Promise<boolean> =>
    day.page.evaluate(() => document.querySelector("[aria-label='Turn of keys, degrees']") !== null);
  assert.equal(await isTurnShown(), false);
  await day.page.select("select[aria-label=Shape]", "SQUARE");
  await eventually("the turn is asked for", isTurnShown);
  await day.fill("Size of keys, mm", String(size));
  await day.fill("Depth of keys, mm", String(depth));
  await day.fill("Turn of keys, degrees", String(turn));
  await day.fill("Play of keys on all sides, mm", String(play));
  const tried = day.page.waitForRequest(
    (request) => request.url().includes("/ui/preview/") && (request.postData() ?? "").includes('"SQUARE"'),
  );
  await day.clickView(0.42, 0.5);
  const { keys } = JSON.parse((await tried).postData() ?? "").body;
  assert.deepEqual(
    keys.map((key: Reply["body"]) => [key.shape, key.turn_deg]),
    [["SQUARE", turn]],
  );
  await isTried(2);
  await day.page.focus("canvas");
  await day.keys("Enter");
  await eventually("there are two parts", async () => (await suite.models()).size === 2);
  await day.idle();
  const { models } = await count("/v1/scene/metadata/", {});
  const volume = async (name: string): Promise<number> => {
    const { id } = await suite.model(name);
    return 1000 * models.find((one: Reply["body"]) => one.id === id).volume_ml;
  };
  const half = (WIDTH * DEPTH * HEIGHT) / 2;
  const [peg, hole] = [(await volume("block below")) - half, half - (await volume("block above"))];
  // A round key of this size is a fifth smaller.
  assert.ok(Math.abs(peg - size ** 2 * depth) < 0.1, `a square peg: ${peg} mm³`);
  assert.ok(Math.abs(hole - (size + 2 * play) ** 2 * (depth + play)) < 0.1, `its hole with play: ${hole} mm³`);
  await undoTo(before, source.raw_mesh_hash);
});

test(
  "the mirror image is seen under the pointer and the focus, and mirroring twice gives the same part at the same place",
  options,
  async () => {
    const wedge = file("wedge.stl", binaryStl(tetrahedron(30)));
    const { id } = await suite.scene();
    bodyOf(await suite.server().post("/v1/scene/model/import/", { scene_id: id, file: wedge }));
    await day.select("wedge");
    await day.idle();
    const source = await suite.model("wedge");
    const before = await undoCount();
    await day.page.keyboard.down("Shift");
    await day.keys("M");
    await day.page.keyboard.up("Shift");
    await isTried(1);
    assert.equal(await day.page.evaluate(() => document.activeElement?.getAttribute("aria-label")), "Mirror across x");
    assert.equal((await suite.model("wedge")).raw_mesh_hash, source.raw_mesh_hash, "nothing is changed");
    await day.keys("Escape");
    await isTried(0);
    await day.page.hover("[aria-label='Mirror across y']");
    await isTried(1);
    await day.page.mouse.move(3, 3);
    await isTried(0);

    await day.press("Mirror across x");
    await eventually("it is mirrored", async () => (await suite.model("wedge")).raw_mesh_hash !== source.raw_mesh_hash);
    await day.idle();
    assert.equal(await undoCount(), before + 1);
    await day.press("Mirror across x");
    await eventually(
      "it is mirrored again",
      async () => (await suite.model("wedge")).raw_mesh_hash === source.raw_mesh_hash,
    );
    const { position } = await suite.model("wedge");
    for (const axis of ["x", "y", "z"] as const) {
      assert.ok(Math.abs(position[axis] - source.position[axis]) <= 1e-3, `${axis} is the same to 1 µm`);
    }
    await day.press("All tools");
  },
);
