import assert from "node:assert/strict";
import { test } from "node:test";
import { plannedArches, prism } from "../fixture/arches.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { bodyOf } from "../fixture/test-server.ts";
import { lowContrasts } from "./low-contrasts.ts";
import { type PageDriver, eventually } from "./page-driver.ts";
import { pageSuite } from "./page-suite.ts";
import { smallTargets } from "./small-targets.ts";

// The dialog of a plan: made of orders or read from a file; a plate opens as a scene.

const suite = pageSuite();
const { options } = suite;
const file = temporaryFiles();

const MATERIAL = { material_code: "FLGPGR05", layer_thickness_mm: 0.1 };

/** Orders of arches, of which the first are due before they can be printed, and one of a part that is too large. */
async function orders(count: number): Promise<object> {
  const arches = await Promise.all(
    plannedArches(count).map(async ({ ring, group }, i) => ({
      order: `arch ${i + 1}`,
      group: `patient ${group}`,
      file: file(`arch-${i}.stl`, binaryStl(await prism(ring, 15))),
      due: group === 0 ? "2026-11-30T08:10:00Z" : "2026-12-02T12:00:00Z",
      ...MATERIAL,
    })),
  );
  const bar = Float64Array.from([0, 0, 400, 0, 400, 10, 0, 10]);
  const huge = { order: "long bar", file: file("bar.stl", binaryStl(await prism(bar, 5))), ...MATERIAL };
  return {
    orders: [...arches, huge],
    printers: [{ printer: "left", machine_type: "FRML-4-0", material_code: "FLGPGR05" }],
    begins_at: "2026-11-30T08:00:00Z",
    tries: 2,
  };
}

const dropJson = (page: PageDriver, name: string, value: unknown): Promise<void> =>
  page.drop([{ name, bytes: new TextEncoder().encode(JSON.stringify(value)) }]);

test("orders become a plan, which says what is late and why, and a plate opens as a scene", options, async () => {
  const page = await suite.open({ width: 1280, height: 800 });
  await dropJson(page, "orders.json", await orders(60));
  await page.page.waitForSelector(".plan-dialog");
  const text = await page.text(".plan-dialog");
  assert.match(text, /60 parts on 3 plates\./);
  assert.match(text, /Late: no printer could print it in time/);
  assert.match(text, /long bar: The part has 400 × 10 × 5 mm/);
  await page.press("Open plate 3");
  await eventually("the plate is opened", async () => /Plate 3 with \d+ parts was opened/.test(await page.messages()));
  await page.idle();
  const { scenes } = bodyOf(await suite.server().call("GET", "/v1/scene/list/"));
  const { id: scene_id, models, name } = scenes.at(-1);
  assert.equal(name, "Plate 3");
  assert.deepEqual([...(await page.models())].sort(), models.map((model: { name: string }) => model.name).sort());
  const check = { scene_id, collision_offset_mm: 2 };
  const found = await suite.server().post("/v1/scene/model/validate/interferences/", check);
  assert.deepEqual(bodyOf(found).interferences, []);
  await page.close();
});

test("a file of a plan is shown as it is, and a file that is none is refused in words", options, async () => {
  const plan = bodyOf(await suite.server().post("/v1/plan/create/", await orders(8)));
  const page = await suite.open();
  await dropJson(page, "plan.json", plan);
  await page.page.waitForSelector(".plan-dialog");
  assert.match(await page.text(".plan-dialog"), /8 parts on 1 plate\./);
  await page.press("Close");
  await dropJson(page, "other.json", { a: 1 });
  await eventually("it is refused", async () => /neither orders nor a plan/.test(await page.messages()));
  await page.close();
});

test("a powder chamber is named as one, and opens as a scene", options, async () => {
  const bar = Float64Array.from([0, 0, 60, 0, 60, 10, 0, 10]);
  const part = file("short-bar.stl", binaryStl(await prism(bar, 5)));
  const powder = { material_code: "FLP11C01", layer_thickness_mm: 0.11 };
  const page = await suite.open({ width: 1280, height: 800 });
  await dropJson(page, "powder.json", {
    orders: [{ order: "bars", file: part, copies: 3, ...powder }],
    printers: [{ printer: "fuse", machine_type: "FS30-1-0" }],
    begins_at: "2026-11-30T08:00:00Z",
    tries: 1,
  });
  await page.page.waitForSelector(".plan-dialog");
  const text = await page.text(".plan-dialog");
  assert.match(text, /3 parts in 1 chamber\./);
  assert.match(text, /Chamber, \d+ mm high, \d+ % full/);
  await page.press("Open chamber 1");
  await eventually("it is opened", async () => /Chamber 1 with 3 parts was opened/.test(await page.messages()));
  await page.close();
});

for (const [width, theme] of [
  [1280, "light"],
  [320, "dark"],
] as const) {
  test(`the plan is legible and within reach of fingers, ${width} px`, options, async () => {
    const plan = bodyOf(await suite.server().post("/v1/plan/create/", await orders(40)));
    const page = await suite.open({ width, height: 640 });
    await page.page.setViewport({ width, height: 640, hasTouch: true, isMobile: true });
    await page.page.reload({ waitUntil: "domcontentloaded" });
    await page.idle();
    await page.page.evaluate((wanted) => (document.documentElement.dataset.theme = wanted), theme);
    await dropJson(page, "plan.json", plan);
    await page.page.waitForSelector(".plan-dialog");
    assert.deepEqual(await page.page.evaluate(lowContrasts), []);
    assert.deepEqual(await page.page.evaluate(smallTargets), []);
    assert.equal(await page.page.evaluate(() => Math.max(innerWidth, document.documentElement.scrollWidth)), width);
    await page.press("Close");
    await page.close();
  });
}
