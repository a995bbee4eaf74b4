import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { readManifest } from "../fixture/job/read-printjob.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { bodyOf } from "../fixture/test-server.ts";
import { type PageDriver, eventually } from "./page-driver.ts";
import { pageSuite } from "./page-suite.ts";

// A whole job on the page, with keys only, from choosing a file to the print: the compiled executable and headless Chromium.

const file = temporaryFiles();
const PLATE = file("plate.stl", binaryStl(box([12, 8, 2])));
const { vertices, triangles } = box([8, 6, 3]);
const TORN = file("torn.stl", binaryStl({ vertices, triangles: triangles.subarray(3) }));
const jobs = mkdtempSync(join(tmpdir(), "printwright-page-jobs-"));

const suite = pageSuite(["--virtual-printer", "FORM-4-0=Left", "--job-dir", jobs]);
const { options } = suite;
after(() => rmSync(jobs, { recursive: true }));

const listed = (day: PageDriver, count: number): Promise<void> =>
  eventually(`${count} models are listed`, async () => (await day.models()).length === count);

let day: PageDriver;

/** Opens the file picker by its shortcut, and chooses a file. */
async function chooseByKeys(path: string): Promise<void> {
  const chooser = day.page.waitForFileChooser();
  // A round trip makes sure that the browser knows that the test replaces its file picker.
  await day.page.evaluate(() => undefined);
  await day.page.keyboard.down("Control");
  await day.keys("o");
  await day.page.keyboard.up("Control");
  await (await chooser).accept([path]);
}

test(
  "browsers get the page with a strict policy, and programs the same answers as without the page",
  options,
  async () => {
    day = await suite.open();
    assert.match(await day.page.title(), /Printwright$/);
    await eventually("it says what to do", async () => /Drop STL, 3MF, STEP/.test(await day.text("body")));
    const page = await day.page.evaluate(async () => {
      const answer = await fetch("/ui/");
      return answer.headers.get("Content-Security-Policy");
    });
    assert.match(page!, /default-src 'self'/);
    const { status, body } = await suite.server().call("GET", "/");
    assert.deepEqual([status, body.error.code], [404, "NOT_FOUND"]);
  },
);

test("files are dropped or chosen, and a file with defects leads to a question", options, async () => {
  await day.drop([{ name: "plate.stl", bytes: readFileSync(PLATE) }]);
  await listed(day, 1);
  await chooseByKeys(TORN);
  await eventually("the defects are reported", async () => /torn.stl has defects/.test(await day.text("body")));
  await day.tabTo("Repair and import");
  await day.keys("Enter");
  await listed(day, 2);
  await day.idle();
  await eventually("the import is told", async () =>
    /1 part repaired and imported, at a free place/.test(await day.messages()),
  );
  assert.deepEqual(await day.models(), ["plate", "torn"]);
});

const middleX = async (): Promise<number> => {
  const { bounding_box: box } = await suite.model("plate");
  return (box.min_corner.x + box.max_corner.x) / 2;
};

test("a typed position moves a model, and undo reverts it", options, async () => {
  await day.select("plate");
  const field = await day.page.waitForSelector("[aria-label='Centre'] input");
  const before = await suite.model("plate");
  await field!.click({ count: 3 });
  await day.keys("2", "1", "Enter");
  await eventually("it has moved", async () => Math.abs((await middleX()) - 21) < 0.01);
  await day.idle();
  await day.press("Undo");
  await eventually("it is back", async () => (await suite.model("plate")).position.x === before.position.x);
  await day.press("Redo");
  await eventually("it is there again", async () => Math.abs((await middleX()) - 21) < 0.01);
});

test("Print checks what is not checked, and lists parts that overlap", options, async () => {
  await day.idle();
  const said = (): Promise<string> => day.text(".print-dialog");
  await day.tabTo("Check and print…");
  await day.keys("Enter");
  const { id } = await suite.scene();
  const { interferences } = bodyOf(
    await suite.server().post("/v1/scene/model/validate/interferences/", { scene_id: id }),
  );
  await eventually("it has checked", async () => /remark|Print now/.test(await day.text(".print-dialog footer")));
  await eventually("no check runs", async () => !/Checking/.test(await said()));
  assert.equal(/overlap/.test(await said()), interferences.length > 0);
  await day.keys("Escape");
});

test("Prepare orients, supports and lays out; layers show their picture, area and time", options, async () => {
  // Prepare is disabled while a task is running.
  await day.idle();
  await day.keys("Escape");
  await day.tabTo("Prepare");
  await day.keys("Enter");
  await eventually("both have supports", async () => {
    const models = await Promise.all(["plate", "torn"].map(suite.model));
    return models.every(({ has_supports }) => has_supports);
  });
  await day.idle();
  await day.press("Layers");
  await eventually("a layer has an area", async () => /Area\s+[\d.,]+ mm²/.test(await day.text(".layer-bar")));
  const layer = (): Promise<string> => day.page.$eval(".layer-slider", (slider) => (slider as HTMLInputElement).value);
  const at = await layer();
  await day.page.focus(".layer-slider");
  await day.keys("Home");
  assert.notEqual(await layer(), at);
  const field = (await day.page.$("[aria-label='Layer number']"))!;
  const top = await day.page.$eval(".layer-slider", (slider) => (slider as HTMLInputElement).max);
  for (const [typed, shown] of [
    ["20404", top],
    ["20405", top],
    ["0", "1"],
    ["x", "1"],
  ]) {
    await field.click({ count: 3 });
    await day.page.keyboard.type(typed);
    await day.keys("Enter");
    assert.equal(await field.evaluate((input) => (input as HTMLInputElement).value), shown, `"${typed}" was typed`);
    assert.equal(await layer(), shown);
  }
  await day.idle();
});

test("parts and supports are drawn in their colours, and nothing above the layer", options, async () => {
  await day.press("Layers");
  await day.keys("f");
  await day.idle();
  await eventually("supports are drawn", async () => (await coloursOf(day)).supports > 100);
  const whole = await coloursOf(day);
  assert.ok(whole.parts > 1000, `${whole.parts} pixels of parts`);
  await day.press("Layers");
  // In the first layer hardly any supports are visible. Its picture comes from the server.
  await day.page.focus(".layer-slider");
  await day.keys("Home");
  await eventually("the supports are cut off", async () => (await coloursOf(day)).supports < whole.supports / 2);
  await day.press("Layers");
  await day.idle();
});

test("checks show their findings", options, async () => {
  await day.openStep("Check");
  await day.press("Check again");
  await eventually("the checks have ended", async () => /overlap/i.test(await day.text(".check-step")));
  await day.idle();
});

test("Print sends the job of the scene to the printer", options, async () => {
  await day.tabTo("Print…");
  await day.keys("Enter");
  assert.doesNotMatch(await day.text(".print-dialog"), /overlap/);
  await day.tabTo("Print ");
  await day.keys("Enter");
  await eventually("the job is there", () => readdirSync(jobs).some((name) => name.endsWith(".printjob")));
  await day.idle();
  const [name] = readdirSync(jobs);
  const { models, layers } = readManifest(readFileSync(join(jobs, name)));
  assert.deepEqual(models, ["plate", "torn"]);
  assert.equal(layers.length, (await suite.scene()).layer_count);
});

test("changes appear on all open pages, and a model is deleted with keys only", options, async () => {
  const other = await suite.open({ width: 1024, height: 768 });
  await listed(other, 2);
  await day.page.bringToFront();
  await day.page.focus(".rows");
  await day.keys("Home", "Delete");
  await listed(day, 1);
  await listed(other, 1);
  for (const { page } of [day, other]) {
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(overflow <= 0, `${overflow} px beyond the window`);
  }
  await other.close();
});

test("every control has a name", options, async () => {
  const nameless = await day.page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("button, input, select, textarea, summary, [role=tab], [role=option]")]
      .filter((control) => control.checkVisibility())
      .filter((control) => {
        const label = control.getAttribute("aria-label") ?? control.getAttribute("aria-labelledby");
        const labels = (control as HTMLInputElement).labels ?? [];
        return !label && !control.textContent.trim() && labels.length === 0 && !control.title;
      })
      .map(({ outerHTML }) => outerHTML.slice(0, 120)),
  );
  assert.deepEqual(nameless, []);
});

test("a lost connection is shown, and after a restart the lost scenes are listed", options, async () => {
  const { scene_settings } = await suite.scene();
  bodyOf(await suite.server().post("/v1/scene/create/", scene_settings));
  const tabs = async (): Promise<string> => (await day.text(".scenes [role=tab]")).replaceAll("\n", " ");
  await eventually("both scenes are there", async () => /Scene 1.*Scene 2/.test(await tabs()));
  await suite.restart(() =>
    eventually("the page says so", async () => /does not answer/.test(await day.text("header"))),
  );
  await listed(day, 0);
  assert.match(await day.text("body"), /none yet/);
  const lostScenes =
    /restarted.*2 earlier scenes.*gone.*“Scene 1”: 1 model,.*“Scene 2”: 0 models,.*\(\.form\) can be opened/s;
  await eventually("the lost scenes are listed", async () => lostScenes.test(await day.messages()));
  day.faults(/net::ERR_/);
});

/** Counts pixels of the canvas in the approximate colours of parts (blue grey) and of supports (sand). */
async function coloursOf(driver: PageDriver): Promise<{ readonly parts: number; readonly supports: number }> {
  const { rgb } = await driver.picture();
  let [parts, supports] = [0, 0];
  for (let at = 0; at < rgb.length; at += 3) {
    const [red, green, blue] = rgb.subarray(at, at + 3);
    if (blue > red + 18 && blue >= green && blue < 215) parts++;
    if (red > blue + 35 && green > blue + 15) supports++;
  }
  return { parts, supports };
}
