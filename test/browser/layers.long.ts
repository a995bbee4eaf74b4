import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { islandLayers } from "../fixture/island-layers.ts";
import { type GreyPicture, readPngLayer } from "../fixture/job/read-png-layer.ts";
import { readGooFields, readGooPixels } from "../fixture/job/read-goo.ts";
import { BARE_TABLE, HANGING_ICICLES } from "../fixture/minima.ts";
import { concatenateSurfaces } from "../../src/mesh/mesh.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { bodyOf } from "../fixture/test-server.ts";
import { type PageDriver, eventually } from "./page-driver.ts";
import { pageSuite } from "./page-suite.ts";

// The layers of a plate: the mask at the printer's pixels, islands, and the play. What the layers hold is read from the job for the printer.

const suite = pageSuite();
const { options } = suite;
const GEAR = fileURLToPath(new URL("../../assets/demo/gear-small.stl", import.meta.url));
const ICICLES = temporaryFiles()("icicles.stl", binaryStl(concatenateSurfaces([...BARE_TABLE, ...HANGING_ICICLES])));
/** A small panel, whose jobs `readGooFields` reads. */
const MACHINE = { machine_type: "ELEGOO-M4D", material_code: "GENERIC-RESIN", layer_thickness_mm: 0.1 };

const folder = mkdtempSync(join(tmpdir(), "printwright-layers-"));
after(() => rmSync(folder, { recursive: true, force: true }));

let page: PageDriver;
before(async () => {
  if (options.skip !== false) return;
  const { id: scene_id } = await suite.scene();
  const post = async (path: string, body: object = {}) =>
    bodyOf(await suite.server().post(`/v1/scene/${path}/`, { scene_id, ...body }));
  await post("update", MACHINE);
  await post("model/import", { file: GEAR });
  await post("model/auto-orient");
  await post("model/auto-support");
  await post("model/import", { file: ICICLES });
  await post("model/auto-layout");
  page = await suite.open();
});

interface JobLayers {
  readonly count: number;
  /** A layer seen from above: the panel has x to the left. */
  picture(layer: number): GreyPicture;
}

/** The layers of the scene as its printer gets them. */
async function jobLayers(include_supports: boolean): Promise<JobLayers> {
  const file = join(folder, "plate.goo");
  const { id: scene_id } = await suite.scene();
  bodyOf(await suite.server().post("/v1/scene/export/", { scene_id, file, include_supports }));
  const { header, layers } = readGooFields(readFileSync(file));
  const [width, height] = header.pixels;
  return {
    count: layers.length,
    picture: (layer) => ({ width, height, pixels: mirrored(readGooPixels(layers[layer].data, width * height), width) }),
  };
}

function mirrored(pixels: Uint8Array, width: number): Uint8Array {
  for (let at = 0; at < pixels.length; at += width) pixels.subarray(at, at + width).reverse();
  return pixels;
}

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
  const seen = new Map<number, string>();
  while (await canBePressed("Next island")) {
    await page.press("Next island");
    seen.set((await layer()) - 1, await page.text(".layer-marks-here"));
  }
  const bare = await jobLayers(false);
  const begun = islandLayers(bare.count, bare.picture);
  assert.deepEqual([...seen.keys()], begun);
  assert.equal(begun.length, 4, "one of the gear, three icicles");
  const whole = await jobLayers(true);
  const loose = islandLayers(whole.count, whole.picture);
  assert.equal(loose.length, 3, "the gear's is held by a support");
  for (const [at, text] of seen) {
    const [part, held] = loose.includes(at) ? ["icicles", "nothing"] : ["gear-small", "a support"];
    assert.match(text, new RegExp(`^An island of ${part} begins here, held by ${held}$`), `layer ${at}`);
  }
});

test("the mask has the pixels of the panel when it is enlarged, as the printer gets them", options, async () => {
  const shown = (await layer()) - 1;
  const { width, height, pixels } = (await jobLayers(true)).picture(shown);
  await page.press("Mask");
  const widthPx = (): Promise<number> =>
    page.page.$eval(".layer-mask canvas", (canvas) => Number((canvas as HTMLElement).dataset["pixels"]));
  await eventually("the mask is drawn", async () => (await widthPx()) > 0);
  assert.ok((await widthPx()) < width, "the whole mask is drawn from fewer pixels");
  const [answer] = await Promise.all([
    page.page.waitForResponse((reply) => reply.url().includes(`/layers/${shown}.png?max_px=16384`)),
    page.press("Zoom in"),
  ]);
  await eventually("all pixels are there", async () => (await widthPx()) === width);
  const drawn = readPngLayer(await answer.buffer());
  assert.deepEqual([drawn.width, drawn.height], [width, height]);
  assert.ok(Buffer.from(drawn.pixels).equals(Buffer.from(pixels)), "the grey values are those of the job");
  await page.press("Show the whole mask");
});

/** Begins to record the layers that are shown. */
const noteLayers = (): Promise<void> =>
  page.page.evaluate(() => {
    const place = document.querySelector(".layer-place b")!;
    const notedLayers: number[] = [];
    const observer = new MutationObserver(() => notedLayers.push(Number(place.textContent)));
    observer.observe(place, { characterData: true, childList: true, subtree: true });
    Object.assign(globalThis, { notedLayers });
  });
const notedLayers = (): Promise<number[]> =>
  page.page.evaluate(() => (globalThis as unknown as { notedLayers: number[] }).notedLayers);

// How many are shown in a second is a row of `bun run bench playing-layers`: it depends on what else the machine does.
test("layers are played upwards until the last one", options, async () => {
  await page.press("3D + mask");
  await page.keys("Home");
  await noteLayers();
  await page.press("Play");
  await eventually("twelve layers have been shown", async () => (await notedLayers()).length >= 12);
  await page.press("Stop");
  await eventually(
    "the number is that of the shown layer",
    async () => (await notedLayers()).at(-1) === (await layer()),
  );
  const shown = await notedLayers();
  assert.deepEqual(
    shown,
    [...new Set(shown)].sort((a, b) => a - b),
    "upwards, each once",
  );
  await page.keys("End");
  const last = await layer();
  await page.page.keyboard.down("Shift");
  await page.keys("PageDown");
  await page.page.keyboard.up("Shift");
  assert.equal(await layer(), last - 10);
  await page.press("Play");
  await eventually("the play ends by itself", async () => (await page.text(".layer-tools")).startsWith("Play"));
  assert.equal(await layer(), last);
});
