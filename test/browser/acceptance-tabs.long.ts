import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import type { Reply } from "../fixture/client.ts";
import { CONVERTER_SCRIPT, runScript } from "../fixture/converter-script.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { bodyOf } from "../fixture/test-server.ts";
import { PHONES, WIDE, assertFits, has, modelsOf, nameOf, openWith } from "./acceptance-cases.ts";
import { accessible } from "./accessible.ts";
import { type Hand, type PageDriver, eventually } from "./page-driver.ts";
import { pageSuite } from "./page-suite.ts";

// A preparation in two tabs of one scene, by mouse and by taps on phones (design, acceptance 4 and 20).

const file = temporaryFiles();
const converter = runScript(file("converter.mjs", CONVERTER_SCRIPT)).map((word) => `"${word}"`);
const suite = pageSuite(["--converter", `held=${converter.join(" ")} {in} {out}.stl`]);
/** Other work may keep both cores busy. */
const LONG = { ...suite.options, timeout: 240_000 };
const CHECKED = /^Check, \d+ (passed|to look at|must be solved)$/;

/**
 * Has a request hold the turn of a scene until the returned function is called: changes that are asked for later wait. It ends without a
 * change, since its file is not converted.
 */
async function holdTurn(scene_id: string): Promise<() => Promise<void>> {
  const end = file(`${scene_id}/end`, "").concat(".now");
  const path = file(`${scene_id}/part.held`, `meet ${end}\nexit 1`);
  const refused = suite.server().post("/v1/scene/model/import/", { scene_id, file: path });
  await eventually("the converter runs", () => existsSync(`${path}.notes`));
  return async () => {
    writeFileSync(end, "");
    assert.equal((await refused).body.error.code, "OPERATION_FAILED");
  };
}

const posesOf = async (scene_id: string): Promise<Reply["body"][]> =>
  (await modelsOf(suite, scene_id)).map(({ id, position, orientation }) => ({ id, position, orientation }));

const undoCount = async (scene_id: string): Promise<number> =>
  bodyOf(await suite.server().call("GET", `/ui/scene/${scene_id}/`)).undo_count;

/** Loads a tab anew while a preparation runs: it has its progress, and cannot begin another one. */
async function assertShowsPreparation(tab: PageDriver): Promise<void> {
  // Browsers draw hidden tabs late.
  await tab.page.bringToFront();
  await tab.page.reload({ waitUntil: "domcontentloaded" });
  await tab.showPanel("Steps");
  await has(tab, "progressbar", /^Prepare$/);
  const buttons = (await accessible(tab.page, "button")).filter(({ name }) => name.startsWith("Prepare"));
  assert.deepEqual(
    buttons.map(({ isDisabled }) => isDisabled),
    [true],
  );
  await assertFits(tab, "a preparation");
}

for (const size of [WIDE, ...PHONES]) {
  const hand: Hand = size.hasTouch ? "FINGER" : "MOUSE";
  const where = `${size.width} × ${size.height}, ${hand.toLowerCase()}`;

  test(`all tabs show a preparation, which one undo takes back, ${where}`, LONG, async () => {
    // Opened before, since a page is complete only when nothing is at work.
    const other = await suite.open(size, hand);
    const { day, scene_id } = await openWith(suite, ["gear-corner.stl", "gear-large.stl"], size, hand);
    const [poses, steps] = [await posesOf(scene_id), await undoCount(scene_id)];
    await day.showPanel("Steps");
    const release = await holdTurn(scene_id);
    try {
      await day.press("Prepare 2 parts");
      await has(day, "progressbar", /^Prepare$/);
      await other.page.goto(day.page.url());
      await assertShowsPreparation(other);
      await assertShowsPreparation(day);
      assert.deepEqual(await posesOf(scene_id), poses);
    } finally {
      await release();
    }

    const hasEnded = (): boolean => !document.querySelector("progress[aria-label=Prepare]");
    for (const { page } of [day, other]) await page.waitForFunction(hasEnded, { timeout: 120_000, polling: 100 });
    await eventually("both tabs say the same of the check", async () => {
      const [first, second] = await Promise.all([day, other].map((tab) => nameOf(tab, "listitem", CHECKED)));
      return first === second;
    });
    await other.close();
    assert.ok((await modelsOf(suite, scene_id)).every(({ has_supports }) => has_supports));
    assert.notDeepEqual(await posesOf(scene_id), poses);
    assert.equal(await undoCount(scene_id), steps + 1);

    await day.page.bringToFront();
    await day.idle();
    await assertFits(day, "a prepared plate");
    await day.press("Undo");
    await eventually("it is undone", async () => (await undoCount(scene_id)) === steps);
    assert.deepEqual(await posesOf(scene_id), poses);
    assert.ok((await modelsOf(suite, scene_id)).every(({ has_supports }) => !has_supports));
    await day.close();
  });
}
