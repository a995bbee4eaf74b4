import assert from "node:assert/strict";
import { before, test } from "node:test";
import { bodyOf } from "../fixture/test-server.ts";
import { lowContrasts } from "./low-contrasts.ts";
import { type PageDriver, eventually } from "./page-driver.ts";
import { pageSuite } from "./page-suite.ts";

// What a person sees first, and the part to try.

const suite = pageSuite();
const { options } = suite;

let day: PageDriver;
before(async () => {
  if (options.skip === false) day = await suite.open({ width: 1440, height: 900 });
});

test("an empty scene says how to begin and on what it prints", options, async () => {
  const card = await day.text(".first-steps");
  assert.match(card, /Drop STL, 3MF, STEP … here/);
  assert.match(card, /Choose files\s+Try a sample part/);
  assert.match(card, /Prints on Form 4 Grey V5 · 0\.1 mm/);
  for (const value of ["light", "dark"]) {
    await day.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value }]);
    assert.deepEqual(await day.page.evaluate(lowContrasts), []);
  }
  await day.press("Change printer and material");
  await day.page.waitForSelector("dialog[open] [aria-label=Printer]");
  await day.keys("Escape");
});

test("the sample part needs supports and has one cup", options, async () => {
  await day.press("Try a sample part");
  await eventually("it is listed", async () => (await day.models()).join() === "Sample dish");
  await day.idle();
  assert.equal((await day.page.$$("[role=listbox][aria-label=Parts] [role=option]")).length, 1);
  assert.equal(await day.page.$(".first-steps"), null);
  const { id } = await suite.scene();
  const check = async (name: string) => {
    const reply = bodyOf(await suite.server().post(`/v1/scene/model/validate/${name}/`, { scene_id: id }));
    return Object.values(reply.per_model_results)[0] as Record<string, number>;
  };
  assert.equal((await check("cups")).cup_count, 1);
  assert.ok((await check("supportedness")).percent_unsupported! > 1);
  assert.equal((await check("manifoldness")).is_manifold, true);
  const model = await suite.model("Sample dish");
  const { min_corner, max_corner } = model.bounding_box;
  assert.ok(Math.abs(max_corner.x - min_corner.x - 40) < 0.1, "its size is in millimetres");
});
