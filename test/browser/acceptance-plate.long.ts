import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Reply } from "../fixture/client.ts";
import {
  call,
  canPress,
  has,
  hasNot,
  modelsOf,
  nameOf,
  openWith,
  printButton,
  scenesOf,
  shines,
  ventsCups,
} from "./acceptance-cases.ts";
import { eventually } from "./page-driver.ts";
import { pageSuite } from "./page-suite.ts";

// A plate of demo parts from the files to a print, by what a screen reader gets of the page (design, acceptance 3, 6, 7 and 8).

const jobs = mkdtempSync(join(tmpdir(), "printwright-page-jobs-"));
const suite = pageSuite(["--virtual-printer", "FORM-4-0=Left", "--job-dir", jobs]);
after(() => rmSync(jobs, { recursive: true }));
const { options } = suite;
/** Other work may keep both cores busy. */
const LONG = { ...options, timeout: 240_000 };
/** More than a Form 4 has room for. */
const GEARS = ["gear-corner.stl", "gear-corner.stl", "gear-large.stl", "gear-small.stl"];
const TEN = [...GEARS, ...Array.from({ length: 6 }, () => "hinged-box.stl")];

const centre = ({ bounding_box: { min_corner, max_corner } }: Reply["body"], axis: "x" | "y"): number =>
  (min_corner[axis] + max_corner[axis]) / 2;

test("a part that is moved into another by a number is told, hatched and moved apart", LONG, async () => {
  const { day, scene_id } = await openWith(suite, ["functional-part.stl", "gear-large.stl"]);
  await eventually("they are placed side by side", async () => (await printButton(day)).light !== "error");
  const [part, gear] = await modelsOf(suite, scene_id);
  // Beside the other part, so that x alone is between them.
  const by = { x: centre(part, "x") - 70 - centre(gear, "x"), y: centre(part, "y") - centre(gear, "y") };
  const to = { ...gear.position, x: gear.position.x + by.x, y: gear.position.y + by.y };
  await call(suite, "model/translate", { scene_id, model_ids: [gear.id], position: to });
  await hasNot(day, "button", /overlap/);
  await day.idle();
  await day.keys("Escape");
  await day.select("gear-large");
  await day.fill("Centre x", centre(part, "x").toFixed(2));
  await has(day, "button", /^Lay out, 2 overlap$/);
  await eventually("both are hatched", () => day.page.$eval("canvas", ({ dataset }) => dataset.hatched === "2"));
  await shines(day, /^error$/, /must be solved/);
  await has(day, "button", /^Print…$/);
  await has(day, "tab", /something must be solved/);
  await day.openStep("Lay out");
  await day.press("Move apart");
  await hasNot(day, "button", /overlap/);
  await shines(day, /^(?!error)/, /^Print: |^Prepare /);
  assert.deepEqual((await call(suite, "model/validate/interferences", { scene_id })).interferences, []);
  await day.close();
});

test("of ten parts, those that do not fit are told and move to a new scene", LONG, async () => {
  const before = (await scenesOf(suite)).length;
  const { day, scene_id } = await openWith(suite, TEN);
  const all = (await modelsOf(suite, scene_id)).map(({ id }) => id).sort();
  await shines(day, /^error$/, /must be solved/);
  await day.openStep("Lay out");
  await has(day, "button", /^\d+ parts do not fit/);
  const move = await nameOf(day, "button", /^Move \d+ to a new scene$/);
  const count = Number(/\d+/.exec(move)![0]);
  await day.press(move);
  await eventually("they are gone", async () => (await modelsOf(suite, scene_id)).length === TEN.length - count);
  await shines(day, /^(?!error)/, /^Prepare turns/);
  const scenes = await scenesOf(suite);
  // The one of the suite, and the two of this test.
  assert.equal(scenes.length, before + 2);
  const moved = await modelsOf(suite, scenes.at(-1).id);
  assert.deepEqual([...(await modelsOf(suite, scene_id)), ...moved].map(({ id }) => id).sort(), all);
  await day.close();
});

test("Print lists the cups of a plate, and one press vents those of a part", LONG, async () => {
  const opened = await openWith(suite, ["gear-large.stl"]);
  await ventsCups(suite, opened);
  await opened.day.close();
});

test("supports that a turn by a number removes are told, and made again by one press", LONG, async () => {
  const { day, scene_id } = await openWith(suite, ["gear-large.stl"]);
  await call(suite, "model/auto-support", { scene_id });
  await has(day, "button", /^Support, \d+ points/);
  await day.select("gear-large");
  await day.fill("Turn x", "40");
  await has(day, "button", /^Support, 1 lost its supports$/);
  await shines(day, /^error$/, /must be solved/);
  await day.openStep("Support");
  await day.press("Support again");
  await has(day, "button", /^Support, \d+ points/);
  await hasNot(day, "button", /lost/);
  await shines(day, /^(?!error)/, /^Print: |^Prepare /);
  assert.equal((await modelsOf(suite, scene_id))[0].has_supports, true);
  await day.press(await nameOf(day, "button", /^(Print…|Check and print…)/));
  await canPress(day, /^Print (with|now)/);
  await day.keys("Escape");
  await day.close();
});
