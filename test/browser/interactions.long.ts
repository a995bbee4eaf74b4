import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { KeyInput } from "puppeteer-core";
import type { Reply } from "../fixture/client.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { bodyOf } from "../fixture/test-server.ts";
import { lowContrasts } from "./low-contrasts.ts";
import { type PageDriver, eventually } from "./page-driver.ts";
import { pageSuite } from "./page-suite.ts";
import { smallTargets } from "./small-targets.ts";

// Work with keys only, with quick key presses, and with fingers.

const suite = pageSuite();
const { options } = suite;
const PLATE = temporaryFiles()("plate.stl", binaryStl(box([30, 20, 4])));

let hands: PageDriver;
let scene_id: string;
before(async () => {
  if (options.skip !== false) return;
  scene_id = (await suite.scene()).id;
  bodyOf(await suite.server().post("/v1/scene/model/import/", { scene_id, file: PLATE }));
  hands = await suite.open();
});

/** Models as `/v1/` describes them. A list, since copies have the same name. */
const models = async (): Promise<Reply["body"][]> =>
  bodyOf(await suite.server().post("/v1/scene/model/list/", { scene_id })).models;

const listed = (count: number): Promise<void> =>
  eventually(`${count} models are listed`, async () => (await hands.models()).length === count);

async function pressWith(modifier: KeyInput, ...keys: readonly KeyInput[]): Promise<void> {
  await hands.page.keyboard.down(modifier);
  await hands.keys(...keys);
  await hands.page.keyboard.up(modifier);
}

const focused = (): Promise<string> =>
  hands.page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? document.activeElement!.tagName);

const rename = (name: string): Promise<Reply> =>
  models().then(([{ id }]) => suite.server().post("/v1/scene/model/update/", { scene_id, model_ids: [id], name }));

test("Delete immediately after Duplicate deletes the copy, and undo works in the same order", options, async () => {
  const [{ id }] = await models();
  await hands.page.focus(".rows");
  await hands.keys("Home");
  await pressWith("Control", "d");
  await hands.page.waitForSelector("dialog[open] #copies");
  await hands.keys("Enter", "Delete");
  await hands.idle();
  await eventually("the copy is gone", async () => !/Delete/.test(await hands.text(".task")));
  assert.deepEqual(
    (await models()).map((model) => model.id),
    [id],
  );
  await pressWith("Control", "z");
  await listed(2);
  await pressWith("Control", "z");
  await listed(1);
  assert.equal((await models())[0].id, id);
  await hands.idle();
});

test("typed text stays while the scene changes", options, async () => {
  await hands.page.focus(".rows");
  await hands.keys("Home");
  await hands.openStep("Parts");
  await hands.press("Hollow");
  const fields = ["[aria-label='Centre'] input", ".part-tiles .field-number input:not([type=checkbox])"];
  for (const [i, field] of fields.entries()) {
    const input = (await hands.page.waitForSelector(field))!;
    await input.click({ count: 3 });
    await hands.page.keyboard.type("7");
    await rename(`plate ${i}`);
    await eventually("the page has the change", async () => (await hands.models())[0] === `plate ${i}`);
    await hands.page.keyboard.type("3");
    assert.equal(await input.evaluate((one) => (one as HTMLInputElement).value), "73", field);
    await hands.keys("Escape");
  }
  await hands.press("Layers");
  const layer = (await hands.page.waitForSelector("[aria-label='Layer number']"))!;
  await layer.click({ count: 3 });
  await hands.page.keyboard.type("1");
  await rename("plate");
  await eventually("the page has the change", async () => (await hands.models())[0] === "plate");
  await hands.page.keyboard.type("999\n");
  await hands.keys("Tab");
  const shown = await layer.evaluate((one) => (one as HTMLInputElement).value);
  const { layer_count } = bodyOf(await suite.server().call("GET", "/v1/scene/list/", {})).scenes[0];
  assert.equal(shown, String(layer_count), "the nearest layer there is");
  await hands.press("Close the layers");
  await hands.press("All tools");
});

test("one undo reverts all of Prepare, but not an import during it", options, async () => {
  const [before] = await models();
  await hands.idle();
  await hands.press("Prepare");
  // The import must come after it.
  await eventually("Prepare has begun", async () =>
    bodyOf(await suite.server().post("/v1/operation/list/")).operations.some(
      ({ path }: Reply["body"]) => path === "/v1/scene/prepare/",
    ),
  );
  await hands.drop([{ name: "late.stl", bytes: binaryStl(box([8, 8, 8])) }]);
  await listed(2);
  await hands.idle();
  assert.deepEqual(
    (await models()).map(({ has_supports }) => has_supports),
    [true, false],
    "Prepare is about the models that were there",
  );
  await hands.press("Undo");
  await listed(1);
  assert.ok((await models())[0].has_supports, "the import is a separate step");
  await hands.press("Undo");
  await eventually("it has none", async () => !(await models())[0].has_supports);
  await hands.idle();
  const [{ position, orientation }] = await models();
  assert.deepEqual({ position, orientation }, { position: before.position, orientation: before.orientation });
});

test("keys move and rotate the selection in the view, and each series is one undo step", options, async () => {
  await hands.press("Look from");
  await hands.press("Top");
  await hands.page.focus(".rows");
  await hands.keys("Home");
  await hands.page.focus("canvas");
  const [before] = await models();
  await pressWith("Control", "ArrowRight", "ArrowRight", "ArrowUp", "ArrowLeft");
  await hands.page.keyboard.down("Shift");
  await pressWith("Control", "ArrowUp");
  await hands.page.keyboard.up("Shift");
  const moved = async (): Promise<number[]> => {
    const [{ position }] = await models();
    return [position.x - before.position.x, position.y - before.position.y].map(Math.round);
  };
  await eventually("it has moved", async () => (await moved()).join() === "1,11");
  await hands.keys("r");
  await pressWith("Control", "ArrowRight", "ArrowRight");
  await eventually("it is rotated", async () => Math.round((await models())[0].orientation.z) === 10);
  await hands.idle();
  await pressWith("Control", "z");
  await eventually("it is as before the rotation", async () => Math.round((await models())[0].orientation.z) === 0);
  await pressWith("Control", "z");
  await eventually("it is where it was", async () => (await moved()).join() === "0,0");
  await hands.idle();
  await hands.keys("v");
});

test("a hole is placed with keys only", options, async () => {
  await hands.openStep("Parts");
  await hands.press("Drain hole");
  await hands.press("Choose places");
  await hands.keys("f");
  await hands.idle();
  await hands.page.focus("canvas");
  await hands.keys("Enter");
  await eventually("the place is listed", async () => / mm/.test(await hands.text(".places ol")));
  const triangles = async (): Promise<number> => {
    const reply = bodyOf(await suite.server().post("/v1/scene/metadata/", { scene_id }));
    return reply.models[0].triangle_count;
  };
  const before = await triangles();
  await hands.press("Drill");
  await eventually("it is drilled", async () => (await triangles()) > before);
  await hands.idle();
});

test("the focus ring is shown for keys only, and dialogs restore the focus", options, async () => {
  const frame = (): Promise<string> => hands.page.$eval("canvas", (canvas) => getComputedStyle(canvas).outlineStyle);
  await hands.page.focus(".rows");
  await hands.page.mouse.click(900, 100);
  assert.deepEqual([await focused(), await frame()], ["3D view of the scene", "none"]);
  await hands.keys("ArrowRight");
  assert.equal(await frame(), "solid");
  await hands.keys("?");
  await hands.page.waitForSelector("dialog[open]");
  await hands.keys("Escape");
  await hands.page.waitForSelector("dialog[open]", { hidden: true });
  assert.equal(await focused(), "3D view of the scene");
});

test("the Tab key reaches every control", options, async () => {
  const reached = new Set<string>();
  await hands.page.focus(".top-bar button");
  for (let i = 0; i < 120; i++) {
    await hands.keys("Tab");
    const key = await hands.page.evaluate(() => {
      const { activeElement: at } = document;
      return at === document.body ? "" : (at!.getAttribute("aria-label") ?? at!.textContent!.trim());
    });
    if (reached.has(key) && key === "New scene") break;
    reached.add(key);
  }
  for (const name of [
    "3D view of the scene",
    "Parts",
    "Select",
    "Prepare",
    "Check and print…",
    "Undo",
    "Support",
    "All tools",
  ]) {
    assert.ok(
      [...reached].some((one) => one.startsWith(name)),
      `${name} among ${[...reached].join(" | ")}`,
    );
  }
});

for (const theme of ["light", "dark"]) {
  test(`texts have enough contrast, ${theme}`, options, async () => {
    await hands.page.evaluate((wanted) => (document.documentElement.dataset.theme = wanted), theme);
    assert.deepEqual(await hands.page.evaluate(lowContrasts), []);
  });
}

test("fingers rotate, zoom and select, and controls are large enough for them", options, async () => {
  for (const [width, height] of [
    [1024, 768],
    [768, 1024],
  ]) {
    await hands.page.setViewport({ width, height, hasTouch: true, isMobile: true });
    await hands.page.reload({ waitUntil: "domcontentloaded" });
    await listed(1);
    await hands.idle();
    assert.deepEqual(await hands.page.evaluate(smallTargets), [], `${width} × ${height}`);
    assert.deepEqual(
      await hands.page.evaluate(() => [document.documentElement.scrollWidth, innerWidth].map((px) => px - innerWidth)),
      [0, 0],
    );
  }
  const { x, y, width, height } = (await (await hands.page.$("canvas"))!.boundingBox())!;
  const middle = { x: x + width / 2, y: y + height / 2 };
  const picture = async (): Promise<string> => {
    await hands.idle();
    const captions = await hands.page.$$eval(".view-caption", (all) =>
      all.map((one) => (one as HTMLElement).style.transform),
    );
    return captions.join();
  };
  await hands.press("Fill view");
  const filled = await picture();
  await hands.page.touchscreen.tap(middle.x, middle.y);
  await hands.page.waitForSelector(".row[aria-selected=true]");
  await hands.press("Parts, 1");
  await (await hands.page.waitForSelector(".mark-choose", { visible: true }))!.tap();
  await hands.page.waitForSelector(".row[aria-selected=false]");
  await hands.press("Parts, 1");
  const finger = await hands.page.touchscreen.touchStart(middle.x, middle.y);
  await finger.move(middle.x + 30, middle.y);
  await finger.move(middle.x + 60, middle.y);
  await finger.end();
  const rotated = await picture();
  assert.notEqual(rotated, filled);
  const fingers = [
    await hands.page.touchscreen.touchStart(middle.x - 40, middle.y),
    await hands.page.touchscreen.touchStart(middle.x + 40, middle.y),
  ];
  await fingers[1].move(middle.x + 120, middle.y);
  for (const one of fingers) await one.end();
  assert.notEqual(await picture(), rotated);
});

test("a printer is found by its maker and its name, and those chosen last come first", options, async () => {
  const groups = (): Promise<[string, string[]][]> =>
    hands.page.$$eval("dialog[open] [aria-label=Printer] optgroup", (all) =>
      all.map((one): [string, string[]] => [
        (one as HTMLOptGroupElement).label,
        [...one.querySelectorAll("option")].map((option) => option.value),
      ]),
    );
  const open = async (): Promise<void> => {
    // A scene that is being created closes its dialog when it is there.
    await hands.idle();
    await hands.press("New scene");
    await eventually("the printers are listed", async () => (await groups()).length > 0);
  };
  await open();
  const makers = new Set((await groups()).map(([maker]) => maker));
  for (const maker of ["Formlabs", "Elegoo", "Anycubic", "Prusa"]) assert.ok(makers.has(maker), maker);
  await hands.page.select("dialog[open] [id=printer-maker]", "Elegoo");
  await hands.fill("Printer", "12k saturn");
  await eventually("few are left", async () => (await groups()).flatMap(([, labels]) => labels).length <= 3);
  assert.deepEqual((await groups()).at(-1), ["Elegoo", ["Elegoo Saturn 4 Ultra"]]);
  await hands.page.select("dialog[open] [aria-label=Printer]", "Elegoo Saturn 4 Ultra");
  await hands.press("Create scene");
  await hands.page.waitForSelector("dialog[open]", { hidden: true });
  const { scenes } = bodyOf(await suite.server().call("GET", "/v1/scene/list/"));
  assert.equal(scenes.at(-1).scene_settings.machine_type, "ELEGOO-S4U-12K");
  await open();
  assert.deepEqual((await groups())[0], ["Chosen last", ["Elegoo Saturn 4 Ultra"]]);
  assert.deepEqual(await hands.page.evaluate(lowContrasts), []);
  await hands.keys("Escape");
  bodyOf(await suite.server().call("DELETE", "/v1/scene/delete/", { scene_id: scenes.at(-1).id }));
  await hands.idle();
});
