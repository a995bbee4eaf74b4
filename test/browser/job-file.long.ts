import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { modelBody } from "../fixture/check-request.ts";
import { jobOfBodies } from "../fixture/job/job-of-bodies.ts";
import { readGooFields } from "../fixture/job/read-goo.ts";
import { readPng } from "../fixture/read-png.ts";
import { box } from "../fixture/shapes.ts";
import { evenly, gridOf, meshOf } from "../fixture/slices.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { bodyOf } from "../fixture/test-server.ts";
import { lowContrasts } from "./low-contrasts.ts";
import { type PageDriver, eventually } from "./page-driver.ts";
import { pageSuite } from "./page-suite.ts";
import { smallTargets } from "./small-targets.ts";

// Job files are shown over the scene.

const suite = pageSuite();
const { options } = suite;
const file = temporaryFiles();

interface JobFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const STAIRS: JobFile = {
  name: "stairs.ctb",
  bytes: readFileSync(fileURLToPath(new URL("../fixture/job/stairs.ctb", import.meta.url))),
};

/** A slab, and a cube of 2 mm in the air, at x = 5 mm, y = −3 mm, from layer 21 on, on a panel of 20 mm × 15 mm. */
const ISLAND: JobFile = {
  name: "island.ctb",
  bytes: jobOfBodies(
    [modelBody(0, meshOf(box([10, 8, 1])), [0, 0, 0]).placed, modelBody(1, meshOf(box([2, 2, 2])), [5, -3, 2]).placed],
    evenly(40, 0.1),
    gridOf(400, 300, 0.05, true),
  ),
};

const layerNumber = (page: PageDriver): Promise<string> =>
  page.page.$eval("[aria-label='Layer number']", (field) => (field as HTMLInputElement).value);

/** Waits until the picture of a layer is drawn, and returns the share of it that is light. */
async function lightOf(page: PageDriver, layer: number): Promise<number> {
  const selector = `img[alt^='Layer ${layer} of']`;
  await page.page.waitForSelector(selector);
  return page.page.$eval(selector, async (element) => {
    const image = element as HTMLImageElement;
    await image.decode();
    const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight);
    const context = canvas.getContext("2d")!;
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    let sum = 0;
    for (let at = 0; at < data.length; at += 4) sum += data[at] / 255;
    return sum / (data.length / 4);
  });
}

async function openJob(page: PageDriver, job: JobFile): Promise<void> {
  await page.drop([job]);
  await eventually("the job is shown", async () => (await page.text(".job-view h2")) === job.name);
  await eventually("it is checked", async () => !/Checking/.test(await page.text("[aria-label=Findings]")));
}

test("a job of another program is shown with its facts and layers, and the scene stays as it is", options, async () => {
  const { id: scene_id } = await suite.scene();
  const part = file("part.stl", binaryStl(box([5, 5, 5])));
  bodyOf(await suite.server().post("/v1/scene/model/import/", { scene_id, file: part }));
  const page = await suite.open();
  await page.select("part");
  const before = bodyOf(await suite.server().post("/v1/scene/get/", { scene_id }));
  await openJob(page, STAIRS);
  const facts = await page.text("[aria-label=Facts]");
  for (const fact of ["Chitubox 1.6.5.1", "ELEGOO MARS Pro", "1440 × 2560", "400 of 0.05 mm", "7.77 ml", "60 s"]) {
    assert.ok(facts.includes(fact), `${fact} in ${facts}`);
  }
  assert.match(await page.text("[aria-label=Findings]"), /Nothing was found/);
  await page.page.waitForSelector("img[alt='Preview in the file']");
  const preview = await page.page.$eval(
    "img[alt='Preview in the file']",
    (one) => (one as HTMLImageElement).naturalWidth,
  );
  assert.equal(preview, 400);

  // The slider has the focus. The upper of the stairs are shorter.
  await page.keys("Home");
  const lowest = await lightOf(page, 1);
  await page.keys("PageUp", "PageUp", "ArrowUp", "ArrowLeft", "ArrowRight");
  assert.equal(await layerNumber(page), "22");
  await page.keys("End");
  const highest = await lightOf(page, 400);
  assert.ok(highest > 0 && highest < lowest / 2, `${highest} < ${lowest}`);
  await page.fill("Layer number", "120");
  await lightOf(page, 120);

  await page.keys("Delete", "Escape");
  await page.page.waitForSelector(".job-view", { hidden: true });
  assert.deepEqual(bodyOf(await suite.server().post("/v1/scene/get/", { scene_id })), before);
  assert.deepEqual(await page.models(), ["part"]);
  await page.close();
});

test("a click on a finding shows its layer and marks its place", options, async () => {
  const page = await suite.open();
  await openJob(page, ISLAND);
  await page.keys("Home");
  await page.press("Island, 4 mm²");
  assert.equal(await layerNumber(page), "21");
  await lightOf(page, 21);
  const mark = (await (await page.page.waitForSelector("[role=img][aria-label='Island, 4 mm²']"))!.boundingBox())!;
  const frame = (await (await page.page.$("img[alt^='Layer 21 of']"))!.boundingBox())!;
  // Seen from above, 10 mm to each side of the middle of the panel.
  const x = ((mark.x + mark.width / 2 - frame.x) / frame.width - 0.5) * 20;
  const y = (0.5 - (mark.y + mark.height / 2 - frame.y) / frame.height) * 15;
  assert.ok(Math.abs(x - 5) <= 1.1 && Math.abs(y + 3) <= 1.1, `${x}, ${y}`);
  const shot = readPng(await page.page.screenshot({ clip: { ...frame } }));
  const at = (xMm: number, yMm: number): number =>
    shot.rgb[3 * (Math.floor((0.5 - yMm / 15) * shot.height) * shot.width + Math.floor((0.5 + xMm / 20) * shot.width))];
  assert.deepEqual([at(5.5, -3.6), at(-5.5, -3.6)], [255, 0], "the cube is where it is in the scene");
  await page.page.waitForSelector("img[alt^='Close-up of Island, 4 mm², in layer 21']");
  await page.keys("ArrowUp");
  await page.page.waitForSelector("img[alt^='Close-up of Island, 4 mm², in layer 22']");
  await page.page.waitForSelector("[role=img][aria-label='Island, 4 mm²']", { hidden: true });
  await page.press("Close the job");
  await page.page.waitForSelector(".job-view", { hidden: true });
  await page.close();
});

test("a job is saved with another exposure", options, async () => {
  const page = await suite.open();
  await openJob(page, ISLAND);
  await page.press("Save as…");
  await eventually("the printer is known", async () =>
    page.page.$eval(
      "dialog [aria-label=Printer]",
      (one) => (one as HTMLSelectElement).value === "Elegoo Saturn 4 Ultra",
    ),
  );
  await page.fill("Exposure", "3.5");
  const folder = dirname(file("downloads/here", ""));
  const session = await page.page.createCDPSession();
  await session.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: folder });
  await page.press("Save");
  const saved = join(folder, "island.goo");
  await eventually("the file is saved", () => existsSync(saved));
  const { header, layers } = readGooFields(readFileSync(saved));
  assert.deepEqual([header.layerCount, layers[39].exposureS], [40, 3.5]);
  await page.close();
});

test("a damaged job is refused in words, with the name of the file alone", options, async () => {
  const page = await suite.open();
  await page.drop([{ name: "cut.ctb", bytes: STAIRS.bytes.subarray(0, 5000) }]);
  await eventually("it is refused", async () => /cut\.ctb/.test(await page.messages()));
  assert.doesNotMatch(await page.messages(), /printwright-page/);
  assert.equal(await page.page.$(".job-view"), null);
  await page.close();
});

test("a job with damaged layers is shown, and what is wrong is said", options, async () => {
  const page = await suite.open();
  const damaged = Uint8Array.from(STAIRS.bytes).fill(255, 400_000, 420_000);
  await openJob(page, { name: "broken.ctb", bytes: damaged });
  const refused = /^Cannot read "broken\.ctb".*take another copy/;
  assert.match((await page.text("[aria-label=Findings] [role=status]")).trim(), refused);
  assert.match(await page.text("[aria-label=Facts]"), /ELEGOO MARS Pro/);
  await page.fill("Layer number", "210");
  await eventually("the layer is refused", async () => refused.test(await page.text(".job-frame [role=alert]")));
  await page.fill("Layer number", "1");
  await lightOf(page, 1);
  await page.close();
});

for (const [width, theme] of [
  [1280, "light"],
  [320, "dark"],
] as const) {
  test(`a job is legible, within reach of fingers and not wider than the window, ${width} px`, options, async () => {
    const page = await suite.open({ width, height: 640 });
    await page.page.setViewport({ width, height: 640, hasTouch: true, isMobile: true });
    await page.page.reload({ waitUntil: "domcontentloaded" });
    await page.idle();
    await page.page.evaluate((wanted) => (document.documentElement.dataset.theme = wanted), theme);
    await openJob(page, ISLAND);
    assert.deepEqual(await page.page.evaluate(lowContrasts), []);
    assert.deepEqual(await page.page.evaluate(smallTargets), []);
    assert.equal(await page.page.evaluate(() => Math.max(innerWidth, document.documentElement.scrollWidth)), width);
    await page.press("Island");
    const picture = (await (await page.page.$(".job-frame"))!.boundingBox())!;
    assert.ok(picture.x >= 0 && picture.x + picture.width <= width && picture.y >= 0, JSON.stringify(picture));
    await page.close();
  });
}
