import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import process from "node:process";
import { test } from "node:test";
import type { Reply } from "../fixture/client.ts";
import { CONVERTER_SCRIPT, runScript } from "../fixture/converter-script.ts";
import { box, mug } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { bodyOf } from "../fixture/test-server.ts";
import { lowContrasts } from "./low-contrasts.ts";
import { type PageDriver, eventually } from "./page-driver.ts";
import { pageSuite } from "./page-suite.ts";

// Steps, findings and lights: from parts that overlap to a print that is known to be good.

const file = temporaryFiles();
const CONVERTER = runScript(file("converter.mjs", CONVERTER_SCRIPT)).map((word) => `"${word}"`);
const suite = pageSuite(["--converter", `held=${CONVERTER.join(" ")} {in} {out}.stl`]);
const { options } = suite;
const BLOCK = file("block.stl", binaryStl(box([30, 20, 12])));
const SMALL = file("small.stl", binaryStl(box([8, 6, 5])));
const WIDE = file("wide.stl", binaryStl(box([150, 110, 4])));
const MUG = file("mug.stl", binaryStl(mug(8, 6, 12)));

const call = async (path: string, body: object): Promise<Reply["body"]> =>
  bodyOf(await suite.server().post(`/v1/scene/${path}/`, body));

/** Opens the page of a new scene with these parts. */
async function openScene(paths: readonly string[]): Promise<{ readonly day: PageDriver; readonly scene_id: string }> {
  const { scene_settings } = await suite.scene();
  const { scene_id } = await call("create", scene_settings);
  for (const path of paths) await call("model/import", { scene_id, file: path });
  const day = await suite.open({ width: 1440, height: 900 });
  await day.page.goto(`${day.page.url().split("#")[0]}#scene=${scene_id}`);
  await day.page.reload({ waitUntil: "domcontentloaded" });
  await eventually("the parts are listed", async () => (await day.models()).length === paths.length);
  await day.idle();
  return { day, scene_id };
}

let holds = 0;
/**
 * Has a request hold the turn in a scene until it is released, so that later changes of the scene wait. It ends without a change: the file
 * that it imports is not converted.
 */
async function holdChanges(scene_id: string): Promise<{ release(): Promise<void> }> {
  const end = file(`end-${++holds}`, "").concat(".now");
  const path = file(`${holds}.held`, `meet ${end}\nexit 1`);
  const refused = suite.server().post("/v1/scene/model/import/", { scene_id, file: path });
  await eventually("the converter runs", () => existsSync(`${path}.notes`));
  return {
    async release() {
      writeFileSync(end, "");
      assert.equal((await refused).body.error.code, "OPERATION_FAILED");
    },
  };
}

const modelsOf = async (scene_id: string): Promise<Reply["body"][]> => (await call("model/list", { scene_id })).models;

const stepNames = ({ page }: PageDriver): Promise<string> =>
  page.$$eval(".step-head", (heads) => heads.map((head) => head.getAttribute("aria-label")).join("; "));

const lightOf = ({ page }: PageDriver): Promise<string> =>
  page.$eval("button.print", (button) => button.dataset.light ?? "");

const says = (day: PageDriver, words: RegExp): Promise<void> =>
  eventually(`a step says ${words}`, async () => words.test(await stepNames(day)));

const shines = (day: PageDriver, colour: RegExp): Promise<void> =>
  eventually(`the light is ${colour}`, async () => colour.test(await lightOf(day)));

test("parts that overlap are told without a check, and moved apart by one press", options, async () => {
  const { day, scene_id } = await openScene([BLOCK, SMALL]);
  const [block, small] = await modelsOf(scene_id);
  const { position } = block;
  await call("model/translate", { scene_id, model_ids: [small.id], position });
  await says(day, /Lay out, 2 overlap/);
  assert.equal(await lightOf(day), "error");
  assert.match(await day.text(".foot-note"), /must be solved/, "words say it as well");
  await day.openStep("Lay out");
  await day.press("Move apart");
  await eventually("they are apart", async () => !/overlap/.test(await stepNames(day)));
  await day.idle();
  await shines(day, /^(?!error)/);
  assert.deepEqual((await call("model/validate/interferences", { scene_id })).interferences, []);
  await day.close();
});

test(
  "all pages show a preparation, which is one undo step, and one that is cancelled changes nothing",
  { skip: options.skip || (process.platform === "win32" && "converters need process groups"), timeout: 180_000 },
  async () => {
    const { day, scene_id } = await openScene([MUG, BLOCK]);
    const before = await modelsOf(scene_id);
    const undoCount = (): Promise<number> =>
      day.page.evaluate(async (id) => (await (await fetch(`/ui/scene/${id}/`)).json()).undo_count, scene_id);
    const steps = await undoCount();
    const other = await suite.open({ width: 1440, height: 900 });
    await other.page.goto(day.page.url());
    await other.page.reload({ waitUntil: "domcontentloaded" });
    await other.idle();
    const isPreparing = ({ page }: PageDriver): Promise<boolean> =>
      page.evaluate(() => document.querySelector("progress[aria-label=Prepare]") !== null);
    const agree = (): Promise<void> =>
      eventually("both pages tell the same steps", async () => {
        const [here, there] = await Promise.all([day, other].map(stepNames));
        return here === there;
      });
    const cannotPrepare = ({ page }: PageDriver): Promise<boolean> =>
      page.$$eval(".main-actions button", ([prepare]) => (prepare as HTMLButtonElement).disabled);
    await day.page.bringToFront();

    const first = await holdChanges(scene_id);
    await day.press("Prepare 2 parts");
    for (const one of [day, other]) await eventually("each page shows it", () => isPreparing(one));
    for (const one of [day, other]) assert.ok(await cannotPrepare(one), "it cannot be prepared twice");
    for (const one of [day, other]) await eventually("Print is out", async () => (await lightOf(one)) === "none");
    await agree();
    await other.press("Cancel Prepare");
    await eventually("both pages have ended it", async () => !(await isPreparing(day)) && !(await isPreparing(other)));
    await first.release();
    assert.deepEqual(await modelsOf(scene_id), before);
    assert.equal(await undoCount(), steps, "there is nothing more to undo");

    const second = await holdChanges(scene_id);
    await day.press("Prepare 2 parts");
    await eventually("the other page shows it", () => isPreparing(other));
    await day.page.reload({ waitUntil: "domcontentloaded" });
    await eventually("the page finds it again", () => isPreparing(day));
    await agree();
    await second.release();
    for (const one of [day, other]) await says(one, /Check, \d+ (passed|to look at|must be solved)/);
    await agree();
    assert.ok((await modelsOf(scene_id)).every(({ has_supports }) => has_supports));
    await day.idle();
    await day.press("Undo");
    await eventually("it is as before", async () =>
      (await modelsOf(scene_id)).every(({ has_supports }) => !has_supports),
    );
    assert.equal(await undoCount(), steps, "all of it was one step");
    const poses = (models: Reply["body"][]) => models.map(({ position, orientation }) => [position, orientation]);
    assert.deepEqual(poses(await modelsOf(scene_id)), poses(before));
    await other.close();
    await day.close();
  },
);

test("parts that do not fit are told, and move to a new scene", options, async () => {
  const { day, scene_id } = await openScene([WIDE, WIDE, WIDE]);
  await call("model/auto-layout", { scene_id, overflow: "BESIDE" });
  await shines(day, /^error$/);
  await day.openStep("Lay out");
  await eventually("it says so", async () => /do(es)? not fit/.test(await day.text(".cards")));
  await day.press("Move 2 to a new scene");
  await eventually("one is left", async () => (await day.models()).length === 1);
  await shines(day, /^(?!error)/);
  const { scenes } = bodyOf(await suite.server().call("GET", "/v1/scene/list/", {}));
  assert.equal((await modelsOf(scenes.at(-1).id)).length, 2, "together all parts");
  await day.close();
});

test("Print lists remarks and counts them, a finding is accepted, and cups are vented", options, async () => {
  const { day, scene_id } = await openScene([MUG]);
  const [{ id }] = await modelsOf(scene_id);
  await call("model/auto-support", { scene_id });
  await eventually("it is not checked", async () => (await day.text("button.print")).startsWith("Check and print…"));
  await day.press("Check and print…");
  await eventually("the dialog fills in", async () => /trap/.test(await day.text(".print-dialog")));
  await eventually("the button counts", async () => /with \d remark/.test(await day.text(".print-dialog footer")));
  assert.match(await day.text(".print-dialog"), /Supports without grey/);
  await day.press("Show: ");
  await eventually("the part is selected", async () => (await day.page.$$(".row[aria-selected=true]")).length === 1);
  await shines(day, /^warning$/);
  assert.deepEqual(await day.page.evaluate(lowContrasts), []);
  await day.press("Accept: ");
  await eventually("it is accepted", async () => /accepted/.test(await day.text(".card[data-idle=true]")));
  await day.press("Do not accept");
  await eventually("it counts again", async () => (await day.page.$(".card[data-idle=true]")) === null);
  await day.page.hover(".card-actions .primary");
  const tried = (): Promise<string | undefined> => day.page.$eval("canvas", (canvas) => canvas.dataset.tried);
  await eventually("the holes are seen first", async () => (await tried()) === "1");
  await day.press("Vent");
  await eventually("it is vented", async () => {
    const { per_model_results } = await call("model/validate/cups", { scene_id });
    return per_model_results[id].cup_count === 0;
  });
  await day.idle();
  assert.ok((await modelsOf(scene_id))[0].has_supports);
  await eventually("the finding is gone", async () => !/trap/.test(await day.text(".cards")));
  await day.close();
});

test("supports that a turn removed are told, and made again by one press", options, async () => {
  const { day, scene_id } = await openScene([BLOCK]);
  const [{ id }] = await modelsOf(scene_id);
  await call("model/auto-support", { scene_id });
  await says(day, /Support, \d+ points/);
  await call("model/orient", { scene_id, model_ids: [id], orientation: { x: 40, y: 0, z: 0 } });
  await says(day, /Support, 1 lost its supports/);
  assert.equal(await lightOf(day), "error");
  const dots = (): Promise<number> => day.page.$$eval("[role=tab][data-errors=true]", (tabs) => tabs.length);
  await eventually("its tab has a dot", async () => (await dots()) === 1);
  await day.openStep("Support");
  await day.press("Support again");
  await says(day, /Support, \d+ points/);
  await day.idle();
  await eventually("the finding is gone", async () => !/lost/.test(await stepNames(day)));
  await eventually("the dot is gone", async () => (await dots()) === 0);
  await day.close();
});

test("powder scenes have steps of their own, and no supports", options, async () => {
  const powder = { machine_type: "FS30-1-0", material_code: "FLP12G01", layer_thickness_mm: 0.11 };
  const { scene_id } = await call("create", powder);
  await call("model/import", { scene_id, file: SMALL });
  const day = await suite.open({ width: 1440, height: 900 });
  await day.page.goto(`${day.page.url().split("#")[0]}#scene=${scene_id}`);
  await day.page.reload({ waitUntil: "domcontentloaded" });
  await says(day, /^Parts, .*; Pack, .*; Cage, .*; Check, .*$/);
  const controls = await day.page.$$eval(".work button, .work input, .work select", (all) =>
    all.map((one) => one.getAttribute("aria-label") ?? one.textContent ?? "").join("; "),
  );
  assert.doesNotMatch(controls, /support|orient|raft/i);
  await day.close();
});
