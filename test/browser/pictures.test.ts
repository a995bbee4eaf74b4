import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { before, test } from "node:test";
import { pictureDifference } from "../fixture/golden-picture.ts";
import { readPng } from "../fixture/read-png.ts";
import { box, cylinder } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { bodyOf } from "../fixture/test-server.ts";
import { type PageDriver, eventually } from "./page-driver.ts";
import { TOLERANCE, assertPictured, goldenFile } from "./page-pictures.ts";
import { pageSuite } from "./page-suite.ts";

// Compares the page with golden pictures. The lower edge of the window is left out, since messages appear and disappear there.

const suite = pageSuite();
const { options } = suite;
const file = temporaryFiles();
const BLOCK = file("block.stl", binaryStl(box([14, 10, 4])));
const DISC = file("disc.stl", binaryStl(cylinder(4, 3, 24)));
const POWDER = { machine_type: "FS30-1-0", material_code: "FLP12G01", layer_thickness_mm: 0.11 };

const WINDOW = { width: 1120, height: 640 };
const MOST_BYTES = 30_000;

let day: PageDriver;
before(async () => {
  if (options.skip !== false) return;
  const { id } = await suite.scene();
  await post("import", { scene_id: id, file: BLOCK });
  await post("auto-support", { scene_id: id });
  day = await suite.open(WINDOW);
});

const post = async (name: string, body: object) => bodyOf(await suite.server().post(`/v1/scene/model/${name}/`, body));

const showsPrinter = (name: string): Promise<void> =>
  eventually(`the scene of a ${name} is shown`, async () => (await day.text(".setting")).startsWith(name));

const assertLooksLike = (name: string, clip: "view" | "page"): Promise<void> =>
  assertPictured(day, `page/${name}`, clip === "page" ? { x: 0, y: 0, ...WINDOW } : "view");

test("a plate with its supports", options, async () => {
  await day.keys("f");
  await assertLooksLike("supported", "view");
});

test("a layer", options, async () => {
  await day.keys("l");
  await eventually("a layer has an area", async () => /Area\s+[\d.,]+ mm²/.test(await day.text(".layer-bar")));
  await day.fill("Layer number", "80");
  try {
    await assertLooksLike("layer", "view");
  } finally {
    await day.keys("l");
  }
});

test("a chamber with parts and a cage", options, async () => {
  const { scene_id } = bodyOf(await suite.server().post("/v1/scene/create/", POWDER));
  for (const part of [BLOCK, DISC]) await post("import", { scene_id, file: part });
  await post("cage", { scene_id, cage_label: "A7", generate_mesh_label: true });
  await day.press("Scene 2");
  await showsPrinter("Fuse");
  await day.idle();
  await day.keys("f");
  await assertLooksLike("cage", "view");
});

test("dark colours, and all of the page", options, async () => {
  await day.press("Scene 1");
  await showsPrinter("Form");
  await day.select("block");
  await day.openStep("Support");
  await eventually("volume and time are shown", async () => /ml/.test(await day.text(".facts")));
  // Moves the pointer away from all controls, whose help would be shown.
  await day.page.mouse.move(40, 300);
  await day.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }]);
  await assertLooksLike("dark", "page");
});

test("the golden pictures are small files and differ from each other", () => {
  const names = ["supported", "layer", "cage"];
  const files = names.map((name) => goldenFile(`page/${name}`));
  const pictures = files.map((path) => readPng(path));
  for (const [i, picture] of pictures.entries()) {
    assert.ok(statSync(files[i]).size <= MOST_BYTES, names[i]);
    const { mean, share } = pictureDifference(picture, pictures[(i + 1) % pictures.length]);
    assert.ok(mean > 4 * TOLERANCE.mean && share > 4 * TOLERANCE.share, `${names[i]}: ${mean}, ${share}`);
  }
});
