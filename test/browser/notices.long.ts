import assert from "node:assert/strict";
import { before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { type PageDriver, assertPlainWords, eventually } from "./page-driver.ts";
import { pageSuite } from "./page-suite.ts";

// The strip of notices: what fades, what stays, and where it is.

const suite = pageSuite();
const { options } = suite;

const BLOCK = { name: "block.stl", bytes: new Uint8Array(binaryStl(box([30, 20, 10]))) };
const TRUNCATED = { name: "gear.3mf", bytes: new TextEncoder().encode("PK\u0003\u0004 the beginning of an archive") };

let day: PageDriver;
before(async () => {
  if (options.skip === false) day = await suite.open({ width: 1440, height: 900 });
});

const says = (what: RegExp): Promise<void> =>
  eventually(`${what} is said`, async () => what.test(await day.messages()));

test("a success fades after six seconds, but not while it has the focus", options, async () => {
  await day.drop([BLOCK]);
  await says(/1 part imported/);
  const saidMs = performance.now();
  await eventually("it fades", async () => (await day.messages()) === "");
  assert.ok(performance.now() - saidMs > 5000, "there is time to read it");
  await day.drop([BLOCK]);
  await says(/1 part imported/);
  await day.page.focus("[aria-label=Dismiss]");
  await sleep(7000);
  assert.match(await day.messages(), /1 part imported/, "somebody reads it");
  await day.page.focus("canvas");
  await eventually("it fades then", async () => (await day.messages()) === "");
});

test("an error is a sentence with a way on, and stays; the code is under Details", options, async () => {
  await day.drop([TRUNCATED, { ...TRUNCATED, name: "wheel.3mf" }]);
  await says(/2 files could not be imported.*This 3MF is damaged: its last part is missing\. Export it again\./s);
  assert.match(await day.messages(), /gear\.3mf\nwheel\.3mf/);
  await assertPlainWords(day);
  await day.press("Details");
  await says(/OPERATION_FAILED/);
  await day.drop([BLOCK]);
  await says(/1 part imported[^]*\+1/);
  await day.press("Next message, 1 more");
  await says(/could not be imported/);
  await day.press("Dismiss");
  await day.press("Messages");
  assert.equal((await day.text(".log")).match(/could not be imported/g)?.length, 1, "the log has all of the session");
  await day.keys("Escape");
});

test("the strip never covers the selected part", options, async () => {
  await day.idle();
  const edge = (): Promise<string> => day.page.$eval(".notices", (strip) => (strip as HTMLElement).dataset.edge!);
  await day.drop([TRUNCATED]);
  await says(/damaged/);
  await day.page.focus("canvas");
  await day.keys("Home");
  await day.select("block");
  await eventually("it is at the foot", async () => (await edge()) === "bottom");
  await day.page.focus("canvas");
  await day.keys("f", "+", "+", "+", "+", "+", "+");
  await eventually("it is at the top", async () => (await edge()) === "top");
  await day.keys("Home");
  await eventually("it is at the foot again", async () => (await edge()) === "bottom");
});

test("a notice is not shown in another scene", options, async () => {
  const { scene_settings } = await suite.scene();
  await suite.server().post("/v1/scene/create/", scene_settings);
  await day.press("Scene 2");
  await eventually("it is closed", async () => (await day.messages()) === "");
  await day.press("Scene 1");
  await sleep(300);
  assert.equal(await day.messages(), "");
});
