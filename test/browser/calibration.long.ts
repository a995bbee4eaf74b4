import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { readAnycubicFields } from "../fixture/job/read-anycubic.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { bodyOf } from "../fixture/test-server.ts";
import { lowContrasts } from "./low-contrasts.ts";
import { type PageDriver, eventually } from "./page-driver.ts";
import { pageSuite } from "./page-suite.ts";
import { smallTargets } from "./small-targets.ts";

// The dialog that calibrates a resin: its plate, what was read from it, and the file with the figures.

const suite = pageSuite();
const { options } = suite;
const folder = dirname(temporaryFiles()("downloads/here", ""));

const PRINTER = { machine_type: "ANYCUBIC-ULTRA", material_code: "GENERIC-RESIN", layer_thickness_mm: 0.05 };

async function openDialog(page: PageDriver): Promise<void> {
  await page.press("Save");
  await page.press("Calibration plate…");
  await page.page.waitForSelector(".calibration-dialog");
}

/** Types values into the fields of patches. */
const fillReadings = (page: PageDriver, values: Readonly<Record<string, string>>): Promise<void> =>
  page.page.$$eval(
    ".readings label",
    async (labels, wanted) => {
      for (const label of labels) {
        const value = wanted[label.querySelector("b")!.textContent!];
        const input = label.querySelector("input")!;
        if (value === undefined) continue;
        input.value = value;
        input.dispatchEvent(new Event("change", { bubbles: true }));
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    },
    values,
  );

test("a resin is calibrated: plate, readings, figures, file", options, async () => {
  const { id: scene_id } = await suite.scene();
  bodyOf(await suite.server().post("/v1/scene/update/", { scene_id, ...PRINTER }));
  const page = await suite.open();
  const session = await page.page.createCDPSession();
  await session.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: folder });
  await openDialog(page);
  await page.fill("Exposure", "2.4");
  await page.press("Save plate");
  const saved = join(folder, "calibration.dlp");
  await eventually("the plate is saved", () => existsSync(saved));
  assert.equal(readAnycubicFields(readFileSync(saved)).layers.at(-1)!.exposureS, 3);
  await eventually("readings are asked for", async () => /0 of 154/.test(await page.text(".calibration-dialog")));

  // Lengths along x, which the plate and its printer may have.
  const ends = { "43c": "90,87", "43d": "86.82", "59a": "90.88", "59b": "86.80" };
  await fillReadings(page, { ...ends, "47c": "29.92", "47d": "25.86", "51c": "59.79", "51d": "55.74" });
  await page.press("Close");
  // They are kept for the day on which the print is read.
  await page.page.reload({ waitUntil: "domcontentloaded" });
  await page.idle();
  await openDialog(page);
  await eventually("the readings are kept", async () => /8 of 154/.test(await page.text(".calibration-dialog")));
  await page.fill("Code of the resin", "ACME-TOUGH");
  await page.press("Compute");
  await page.page.waitForSelector("[aria-label=Figures]");
  const figures = await page.text("[aria-label=Figures]");
  assert.match(figures, /true length, x\s*0\.99\d+ ± 0\.000\d+/);
  assert.match(figures, /Recommended exposure\s*not determined: read the numbers of towers/);
  await page.press("Save resin file");
  const machines = join(folder, "machines.json");
  await eventually("the file is saved", () => existsSync(machines));
  const [resin] = JSON.parse(readFileSync(machines, "utf8")).resins;
  assert.equal(resin.code, "ACME-TOUGH");
  assert.equal(resin.settings[0].layer_mm, 0.05);
  assert.ok(Math.abs(resin.settings[0].correction[0] - 1.004) < 0.001);
  await page.press("Close");
  await page.close();
});

test("readings that contradict the others are named in words", options, async () => {
  const page = await suite.open();
  await openDialog(page);
  await fillReadings(page, { "51c": "58" });
  await page.fill("Code of the resin", "ACME-TOUGH");
  await page.press("Compute");
  await eventually("the reading is named", async () => /contradict the others: 51c \(58/.test(await page.messages()));
  assert.doesNotMatch(await page.messages(), /_mm/);
  await page.press("Close");
  await page.close();
});

for (const [width, theme] of [
  [1280, "light"],
  [320, "dark"],
] as const) {
  test(
    `the dialog is legible, within reach of fingers and not wider than the window, ${width} px`,
    options,
    async () => {
      const page = await suite.open({ width, height: 640 });
      await page.page.setViewport({ width, height: 640, hasTouch: true, isMobile: true });
      await page.page.reload({ waitUntil: "domcontentloaded" });
      await page.idle();
      await page.page.evaluate((wanted) => (document.documentElement.dataset.theme = wanted), theme);
      await openDialog(page);
      assert.deepEqual(await page.page.evaluate(lowContrasts), []);
      assert.deepEqual(await page.page.evaluate(smallTargets), []);
      assert.equal(await page.page.evaluate(() => Math.max(innerWidth, document.documentElement.scrollWidth)), width);
      await page.press("Close");
      await page.close();
    },
  );
}
