import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { box, mug } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import {
  PHONES,
  WIDE,
  assertFits,
  call,
  has,
  openScene,
  openWith,
  shines,
  triesSample,
  ventsCups,
} from "./acceptance-cases.ts";
import { accessible, allAccessible } from "./accessible.ts";
import { type Hand, eventually } from "./page-driver.ts";
import { pageSuite } from "./page-suite.ts";

// The first visit, a reload, and visits by taps on phones (design, acceptance 1, 7, 18 and 20).

const jobs = mkdtempSync(join(tmpdir(), "printwright-page-jobs-"));
const suite = pageSuite(["--virtual-printer", "FORM-4-0=Left", "--job-dir", jobs]);
after(() => rmSync(jobs, { recursive: true }));
const LONG = { ...suite.options, timeout: 240_000 };
const file = temporaryFiles();
const PAIR = ["gear-corner.stl", "gear-large.stl"];

for (const size of [WIDE, ...PHONES]) {
  const hand: Hand = size.hasTouch ? "FINGER" : "MOUSE";
  const where = `${size.width} × ${size.height}, ${hand.toLowerCase()}`;

  test(`a fresh server offers a sample part, ${where}`, LONG, async () => {
    await suite.restart(async () => {});
    const day = await suite.open(size, hand);
    await triesSample(day);
    await day.close();
  });
}

for (const size of PHONES) {
  test(`Print lists cups, which one tap vents, ${size.width} × ${size.height}`, LONG, async () => {
    const opened = await openWith(suite, ["gear-large.stl"], size, "FINGER");
    await ventsCups(suite, opened);
    await opened.day.close();
  });
}

test("a reload keeps scene, step and selection; files take the name that F2 gives", LONG, async () => {
  const { day, scene_id } = await openWith(suite, PAIR);
  const { page } = day;
  await day.keys("Escape");
  await day.select("gear-large");
  await day.openStep("Support");
  const hash = (): string => new URL(page.url()).hash;
  const wanted = new RegExp(`^#scene=${scene_id}&step=support&sel=[0-9a-f-]{36}$`);
  await eventually("the address has all", () => wanted.test(hash()));
  const before = hash();
  await page.reload({ waitUntil: "domcontentloaded" });
  const chosen = (): Promise<string> => day.text("[role=option][aria-selected=true] .name");
  await eventually("the part is selected", async () => (await chosen()) === "gear-large");
  await eventually("the step is open", async () =>
    (await accessible(page, "button")).some(
      ({ name, isExpanded }) => name.startsWith("Support, ") && isExpanded === true,
    ),
  );
  assert.equal(await page.$eval("[role=tab][aria-selected=true]", (tab) => tab.getAttribute("data-scene")), scene_id);
  assert.equal(hash(), before);

  await page.focus("[role=tab][aria-selected=true]");
  await day.keys("F2");
  await page.waitForSelector("[aria-label='Name of the scene']");
  await page.keyboard.type("Gear case");
  await day.keys("Enter");
  await has(day, "tab", /^Gear case, 2 parts/);
  const folder = dirname(file("downloads/here", ""));
  const session = await page.createCDPSession();
  await session.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: folder });
  await day.press("Save");
  await day.press("Project");
  await eventually("it is saved", () => existsSync(join(folder, "Gear case.form")));
  await day.close();
});

/** Roles of what a person can operate. */
const CONTROLS =
  /^(button|link|textbox|searchbox|combobox|checkbox|radio|tab|option|menuitem|slider|spinbutton|switch)$/;

test("no control of a powder scene is named after supports", LONG, async () => {
  const powder = { machine_type: "FS30-1-0", material_code: "FLP12G01", layer_thickness_mm: 0.11 };
  const { scene_id } = await call(suite, "create", powder);
  await call(suite, "model/import", { scene_id, file: file("block.stl", binaryStl(box([14, 10, 4]))) });
  const day = await suite.open(WIDE);
  await openScene(day, scene_id);
  await eventually("the part is listed", async () => (await day.models()).length === 1);
  await day.idle();
  const names = new Set<string>();
  const look = async (): Promise<void> => {
    for (const { role, name } of await allAccessible(day.page)) if (CONTROLS.test(role)) names.add(name);
  };
  await look();
  await day.select("block");
  for (const step of ["Parts", "Pack", "Cage", "Check"]) {
    await day.openStep(step);
    await look();
  }
  for (const menu of ["Save", "Scene", "Look from", "Lock and units"]) {
    await day.press(menu);
    await look();
    await day.keys("Escape");
  }
  await day.page.focus("canvas");
  await day.page.keyboard.down("Shift");
  await day.keys("F10");
  await day.page.keyboard.up("Shift");
  await has(day, "menuitem", /^Duplicate/);
  await look();
  await day.keys("Escape");
  assert.ok(names.size > 50, `${names.size} controls`);
  assert.deepEqual(
    [...names].filter((name) => /support|orient|raft/i.test(name)),
    [],
  );
  await day.close();
});

test("each of the four lights is legible in both themes, and told by words", LONG, async () => {
  const { scene_id } = await call(suite, "create", (await suite.scene()).scene_settings);
  const day = await suite.open(PHONES[0], "FINGER");
  await openScene(day, scene_id);
  await day.showPanel("Steps");
  await call(suite, "model/import", { scene_id, file: file("box.stl", binaryStl(box([30, 20, 12]))) });
  await shines(day, /^none$/, /^Prepare turns/);
  await call(suite, "model/auto-support", { scene_id });
  await call(suite, "check", { scene_id });
  await shines(day, /^ok$/, /^Print: all checks passed/);
  const path = file("mug.stl", binaryStl(mug(8, 6, 12)));
  const { new_models } = await call(suite, "model/import", { scene_id, file: path });
  await shines(day, /^error$/, /^Print: \d+ things? must be solved/);
  await call(suite, "model/auto-support", { scene_id, model_ids: [new_models[0].model_id] });
  await call(suite, "model/auto-layout", { scene_id });
  await call(suite, "check", { scene_id });
  await shines(day, /^warning$/, /^Print: \d+ remarks? (is|are) open/);
  await assertFits(day, "a plate with remarks");
  await day.close();
});
