import assert from "node:assert/strict";
import { before, test } from "node:test";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { POWDER, bodyOf } from "../fixture/test-server.ts";
import { type PageDriver, eventually } from "./page-driver.ts";
import { pageSuite } from "./page-suite.ts";

// Parts in a powder chamber are dragged in the plane that faces the viewer, and with Alt up and down.

const suite = pageSuite();
const { options } = suite;
const CUBE = temporaryFiles()("cube.stl", binaryStl(box([60, 60, 60])));

let page: PageDriver;
before(async () => {
  if (options.skip !== false) return;
  const { id: scene_id } = await suite.scene();
  bodyOf(await suite.server().post("/v1/scene/update/", { scene_id, ...POWDER }));
  bodyOf(await suite.server().post("/v1/scene/model/import/", { scene_id, file: CUBE }));
  page = await suite.open();
});

const VIEW_KEYS = { front: "1", top: "5" } as const;

/** Looks from a side with the only part in the middle, drags the part by pixels, and returns by how much the server moved it, mm. */
async function dragged(
  view: keyof typeof VIEW_KEYS,
  [right, down]: readonly [number, number],
  withAlt = false,
): Promise<number[]> {
  await page.select("cube");
  await page.page.focus("canvas");
  await page.keys(VIEW_KEYS[view], "f");
  await page.idle();
  const place = async (): Promise<number[]> => {
    const { x, y, z } = (await suite.model("cube")).position;
    return [x, y, z];
  };
  const from = await place();
  const { x, y, width, height } = (await (await page.page.$("canvas"))!.boundingBox())!;
  const [middleX, middleY] = [x + width / 2, y + height / 2];
  const { mouse, keyboard } = page.page;
  await mouse.move(middleX, middleY);
  if (withAlt) await keyboard.down("Alt");
  await mouse.down();
  await mouse.move(middleX + right, middleY + down, { steps: 5 });
  await mouse.up();
  if (withAlt) await keyboard.up("Alt");
  await eventually("it has moved", async () => String(await place()) !== String(from));
  const to = await place();
  return to.map((mm, axis) => mm - from[axis]);
}

/** Which axes a part moved along, and in which direction. */
const signs = (by: readonly number[]): number[] => by.map((mm) => (Math.abs(mm) < 0.01 ? 0 : Math.sign(mm)));

test("from the front a part moves to the side and up, from above on the level", options, async () => {
  assert.deepEqual(signs(await dragged("front", [40, -30])), [1, 0, 1]);
  assert.deepEqual(signs(await dragged("top", [40, -30])), [1, 1, 0]);
});

test("with Alt it moves up and down alone", options, async () => {
  assert.deepEqual(signs(await dragged("front", [40, 30], true)), [0, 0, -1]);
});
