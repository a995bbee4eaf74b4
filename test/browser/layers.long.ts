import assert from "node:assert/strict";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { bodyOf } from "../fixture/test-server.ts";
import { type PageDriver, eventually } from "./page-driver.ts";
import { pageSuite } from "./page-suite.ts";

// The layers of a plate: the mask at the printer's pixels, islands, and the play.

const suite = pageSuite();
const { options } = suite;
const GEAR = fileURLToPath(new URL("../../assets/demo/gear-small.stl", import.meta.url));
/** Of the machine of the default scene, µm. */
const PIXEL_UM = 50;

let page: PageDriver;
before(async () => {
  if (options.skip !== false) return;
  const { id: scene_id } = await suite.scene();
  bodyOf(await suite.server().post("/v1/scene/model/import/", { scene_id, file: GEAR }));
  bodyOf(await suite.server().post("/v1/scene/model/auto-orient/", { scene_id }));
  bodyOf(await suite.server().post("/v1/scene/model/auto-support/", { scene_id }));
  page = await suite.open();
});

const layer = async (): Promise<number> =>
  Number(await page.page.$eval('[aria-label="Layer number"]', (field) => (field as HTMLInputElement).value));

const canBePressed = (name: string): Promise<boolean> =>
  page.page.$eval(`button[aria-label="${name}"]`, (button) => !(button as HTMLButtonElement).disabled);

test("islands are jumped to, at the layers where they begin", options, async () => {
  await page.keys("l");
  await eventually("layers are shown", async () => (await page.page.$('[aria-label="Layer number"]')) !== null);
  await page.keys("Home");
  assert.equal(await layer(), 1);
  await eventually("marks are known", () => canBePressed("Next island"));
  await page.press("Next island");
  const at = await layer();
  assert.match(await page.text(".layer-marks-here"), /An island of gear-small begins here, held by a support/);
  const { marks } = bodyOf(await suite.server().call("GET", `/ui/scene/${(await suite.scene()).id}/layer-marks/`));
  assert.equal(marks.find(({ kind }: { kind: string }) => kind === "ISLAND").layer, at - 1);
});

test("the mask has the pixels of the panel when it is enlarged", options, async () => {
  const { volume } = bodyOf(await suite.server().call("GET", `/ui/scene/${(await suite.scene()).id}/`));
  const panelPx = Math.round((1000 * volume.dimensions_mm[0]) / PIXEL_UM);
  await page.press("Mask");
  const pixels = (): Promise<number> =>
    page.page.$eval(".layer-mask canvas", (canvas) => Number((canvas as HTMLElement).dataset["pixels"]));
  await eventually("the mask is drawn", async () => (await pixels()) > 0);
  await page.press("Zoom in");
  await eventually("all pixels are there", async () => (await pixels()) === panelPx);
  await page.press("Show the whole mask");
});

test("layers are played", options, async () => {
  await page.press("3D + mask");
  await page.keys("Home");
  const from = await layer();
  await page.press("Play");
  await eventually("four layers have passed", async () => (await layer()) >= from + 4);
  await page.press("Stop");
  const stopped = await layer();
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.equal(await layer(), stopped);
});
