import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { ElementHandle } from "puppeteer-core";
import type { Reply } from "../fixture/client.ts";
import { box, mug } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { bodyOf } from "../fixture/test-server.ts";
import { type PageDriver, eventually } from "./page-driver.ts";
import { pageSuite } from "./page-suite.ts";

// Changes of models through the list, the panel and clicks on parts.

const suite = pageSuite();
const { options } = suite;
const file = temporaryFiles();
const BLOCK = file("block.stl", binaryStl(box([20, 16, 10])));
/** Supports of this part take seconds, so that there is time to cancel them. */
const TABLE = file("table.stl", binaryStl(box([100, 100, 4])));

const MUG = file("mug.stl", binaryStl(mug(5, 4, 16)));
const PEG = file("peg.stl", binaryStl(box([3, 3, 6])));
const POWDER = { machine_type: "FS30-1-0", material_code: "FLP11C01", layer_thickness_mm: 0.11 };

/** Number of triangles of a box. */
const TRIANGLES = 12;

let day: PageDriver;
before(async () => {
  if (options.skip !== false) return;
  await addModel(BLOCK);
  day = await suite.open();
});

async function addModel(path: string): Promise<void> {
  const { id } = await suite.scene();
  bodyOf(await suite.server().post("/v1/scene/model/import/", { scene_id: id, file: path }));
}

const listed = (...names: readonly string[]): Promise<void> =>
  eventually(`the models are ${names.join(", ")}`, async () => (await day.models()).join() === names.join());

/** Number of triangles in the last frame. */
const drawnTriangles = (): Promise<number> => day.page.$eval("canvas", (canvas) => Number(canvas.dataset.triangles));

const drawn = (count: number): Promise<void> =>
  eventually(`${count} triangles are drawn`, async () => (await drawnTriangles()) === count);

const step = (name: "Undo" | "Redo"): Promise<void> => day.press(name);

test("a new page shows the scene of the server", options, async () => {
  await listed("block");
  assert.equal(await drawnTriangles(), TRIANGLES);
  assert.match(await day.text(".top-bar .setting"), /Form 4/);
});

test("a model is hidden and shown", options, async () => {
  await day.select("block");
  await day.press("Hide");
  await drawn(0);
  assert.equal((await suite.model("block")).visible, false);
  await day.press("Show");
  await drawn(TRIANGLES);
});

test("creating and deleting copies can be undone and redone", options, async () => {
  await day.select("block");
  await day.press("Duplicate");
  await day.fill("Copies of each model", "2");
  await day.press("Duplicate");
  await drawn(3 * TRIANGLES);
  assert.equal((await day.models()).length, 3);
  await day.idle();
  const scene = bodyOf(await suite.server().post("/v1/scene/model/list/", { scene_id: (await suite.scene()).id }));
  const places = scene.models.map(({ position }: { position: object }) => JSON.stringify(position));
  assert.equal(new Set(places).size, 3, "each has another place");
  // The copies are selected now.
  await day.press("Delete");
  await listed("block");
  await step("Undo");
  await drawn(3 * TRIANGLES);
  await step("Undo");
  await listed("block");
  await step("Redo");
  await drawn(3 * TRIANGLES);
  await step("Redo");
  await listed("block");
  await drawn(TRIANGLES);
});

test("Hollow uses the typed wall thickness", options, async () => {
  await day.openStep("Parts");
  await day.press("Hollow");
  await day.fill("Wall thickness", "3");
  await day.press("Hollow");
  await eventually("it has an inner skin", async () => (await drawnTriangles()) > TRIANGLES);
  await day.idle();
  assert.match(await day.messages(), /Hollow/);
  await step("Undo");
  await drawn(TRIANGLES);
});

test("the holes that drain a cavity are seen before they are drilled", options, async () => {
  await day.press("All tools");
  await day.press("Hollow");
  await day.press("Hollow");
  await eventually("it has an inner skin", async () => (await drawnTriangles()) > TRIANGLES);
  await day.idle();
  const hollow = await drawnTriangles();
  await day.press("All tools");
  await day.press("Drain cavities");
  await eventually("the holes are seen", () => day.page.$eval("canvas", ({ dataset }) => dataset.tried === "1"));
  assert.equal(await day.page.$eval("canvas", ({ dataset }) => dataset.tool), "select", "nothing else has begun");
  await day.press("Drain cavities");
  await eventually("it is drained", async () => /Drain cavities: 1 part changed/.test(await day.messages()));
  await eventually("holes are drilled", async () => (await drawnTriangles()) > hollow);
  await day.idle();
  await step("Undo");
  await drawn(hollow);
  await step("Undo");
  await drawn(TRIANGLES);
});

test("a hole is drilled at the clicked point", options, async () => {
  await day.keys("Escape", "5", "f");
  await day.idle();
  await day.press("All tools");
  await day.press("Drain hole");
  await day.press("Choose places");
  await day.clickView(0.5, 0.5);
  await eventually("a place is listed", async () => /mm/.test(await day.text(".places ol")));
  const [x, y, z] = (await day.text(".places ol")).match(/-?[\d.]+/g)!.map(Number);
  const { position, bounding_box } = await suite.model("block");
  assert.ok(Math.abs(x - position.x) < 1 && Math.abs(y - position.y) < 1, `${x}, ${y} is the middle of the top`);
  assert.ok(Math.abs(z - bounding_box.max_corner.z) < 0.1, `${z} is the height of the top`);
  await day.press("Drill");
  await eventually("the hole is there", async () => (await drawnTriangles()) > TRIANGLES + 20);
  await day.idle();
});

test("a label is placed at the clicked point", options, async () => {
  const before = await drawnTriangles();
  await day.press("All tools");
  await day.press("Label");
  await day.press("Choose the place");
  await day.clickView(0.35, 0.5);
  await eventually("a place is listed", async () => /mm/.test(await day.text(".places ol")));
  // The field is at the lower edge of the panel. The help line that appears must not move it.
  await day.fill("Text", "7");
  await day.press("Label");
  await eventually("the label is there", async () => (await drawnTriangles()) > before + 10);
  await day.idle();
  await day.keys("Escape");
});

test("findings are marked in the view, framed by a click, and unmarked when the model moves", options, async () => {
  await addModel(MUG);
  const scene_id = (await suite.scene()).id;
  const { id } = await suite.model("mug");
  const moveTo = async (x: number): Promise<void> => {
    const body = { scene_id, model_ids: [id], position: { x, y: 20, z: 0 } };
    bodyOf(await suite.server().post("/v1/scene/model/translate/", body));
  };
  // Next to the block.
  await moveTo(50);
  await listed("block", "mug");
  await day.idle();
  await day.openStep("Check");
  await day.press("One check at a time");
  await day.press("Cups");
  const marked = (): Promise<string> => day.text(".view-caption-marker");
  await eventually("the cup is marked", async () => /Cup of .*mm³/.test(await marked()));
  const where = (): Promise<string> =>
    day.page.$$eval(".view-caption-marker", (all) => all.map((one) => (one as HTMLElement).style.transform).join());
  const captionBoxes = (): Promise<DOMRect[]> =>
    day.page.$$eval(".view-caption:not(.view-caption-covered)", (all) =>
      all.map((one) => one.getBoundingClientRect().toJSON() as DOMRect),
    );
  const overlap = (a: DOMRect, b: DOMRect): boolean =>
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  // Captions are laid out in the frame after the one in which they appear.
  await eventually("no captions overlap", async () => {
    const boxes = await captionBoxes();
    return boxes.length > 0 && !boxes.some((a, i) => boxes.slice(i + 1).some((b) => overlap(a, b)));
  });
  const before = await where();
  const finding = await day.page.waitForSelector("xpath///button[contains(@class, 'finding') and contains(., 'mug')]");
  await (finding as ElementHandle<HTMLElement>).click();
  await eventually("the cup is in view", async () => (await where()) !== before);
  assert.equal(await day.text(".row[aria-selected=true] .name"), "mug");
  await moveTo(40);
  await eventually("the mark is gone", async () => (await marked()) === "");
  bodyOf(await suite.server().call("DELETE", "/v1/scene/model/delete/", { scene_id, model_ids: [id] }));
  await listed("block");
});

test("cancelling a task changes nothing", options, async () => {
  await addModel(TABLE);
  await eventually("the table is listed", async () => (await day.models()).includes("table"));
  await day.select("table");
  await day.openStep("Support");
  await day.press("Generate supports");
  await day.press("Cancel Generate supports");
  await eventually("a message reports it", async () => /Generate supports: cancelled/.test(await day.messages()));
  assert.equal((await suite.model("table")).has_supports, false);
  assert.equal(await day.text(".task"), "");
});

test("parts for a powder printer are packed and caged", options, async () => {
  const { scene_id } = bodyOf(await suite.server().post("/v1/scene/create/", POWDER));
  for (let i = 0; i < 2; i++) await suite.server().post("/v1/scene/model/import/", { scene_id, file: PEG });
  await day.press("Scene 2");
  await listed("peg", "peg");
  await day.idle();
  await day.keys("Escape");
  await day.select("peg");
  await day.press("Duplicate");
  await day.press("Duplicate");
  await listed("peg", "peg", "peg");
  await day.idle();
  const { models } = bodyOf(await suite.server().post("/v1/scene/model/list/", { scene_id }));
  const [original, , copy] = models.map((model: Reply["body"]) => model.position);
  assert.ok(Math.abs(copy.x - original.x) >= 3 || Math.abs(copy.y - original.y) >= 3, "the copy is next to it");
  await step("Undo");
  await listed("peg", "peg");
  await day.openStep("Pack");
  await day.press("Pack");
  await eventually("they are packed", async () => /Pack: 2 parts/.test(await day.messages()));
  await day.openStep("Cage");
  await day.press("Make cage");
  await eventually("they are caged", async () => (await day.models()).length > 2);
  await day.idle();
  assert.ok((await drawnTriangles()) > 2 * TRIANGLES + 100);
});

test("the tests notice script errors, violations of the policy, and requests to other hosts", options, async () => {
  await day.page.evaluate(() => {
    const script = document.createElement("script");
    script.textContent = "document.title = 'inline'";
    const picture = document.createElement("img");
    picture.src = "http://example.invalid/a.png";
    document.body.append(script, picture);
    console.error("a complaint");
  });
  const kinds = [/inline script/, /example\.invalid/, /a complaint/];
  for (const kind of kinds) {
    await eventually(`${kind} is noticed`, () => day.faults().some((fault) => kind.test(fault)));
  }
  assert.notEqual(await day.page.title(), "inline");
  for (const kind of kinds) day.faults(kind);
});
