import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import type { Viewport } from "puppeteer-core";
import type { Reply } from "../fixture/client.ts";
import { bodyOf } from "../fixture/test-server.ts";
import { accessible, namesOf } from "./accessible.ts";
import { lowContrasts } from "./low-contrasts.ts";
import { type Hand, type PageDriver, eventually } from "./page-driver.ts";
import type { PageSuite } from "./page-suite.ts";
import { smallTargets } from "./small-targets.ts";

// Acceptance cases of the page, which mouse and finger go through alike, and what such cases look at.

export const WIDE: Viewport = { width: 1440, height: 900 };
const TOUCH = { isMobile: true, hasTouch: true };
export const PHONES: readonly Viewport[] = [
  { width: 390, height: 844, ...TOUCH },
  { width: 320, height: 640, ...TOUCH },
];

/** Path of a file of the demo. */
export const demoFile = (name: string): string => fileURLToPath(new URL(`../../assets/demo/${name}`, import.meta.url));

/** An open page of a scene of its own. */
export interface OpenedScene {
  readonly day: PageDriver;
  readonly scene_id: string;
}

/** A scene command of `/v1/` on the server of a suite. */
export const call = async (suite: PageSuite, path: string, body: object): Promise<Reply["body"]> =>
  bodyOf(await suite.server().post(`/v1/scene/${path}/`, body));

export const modelsOf = async (suite: PageSuite, scene_id: string): Promise<Reply["body"][]> =>
  (await call(suite, "model/list", { scene_id })).models;

/** All scenes of the server. */
export const scenesOf = async (suite: PageSuite): Promise<Reply["body"][]> =>
  bodyOf(await suite.server().call("GET", "/v1/scene/list/", {})).scenes;

/** Opens the page of a new scene, and adds files of the demo by its button. */
export async function openWith(
  suite: PageSuite,
  names: readonly string[],
  size: Viewport = WIDE,
  hand?: Hand,
): Promise<OpenedScene> {
  const { scene_id } = await call(suite, "create", (await suite.scene()).scene_settings);
  const day = await suite.open(size, hand);
  await openScene(day, scene_id);
  await day.chooseFiles("Choose files", names.map(demoFile));
  await eventually("the parts are there", async () => (await modelsOf(suite, scene_id)).length === names.length);
  await eventually("they are listed", async () => (await day.models()).length === names.length);
  await day.idle();
  return { day, scene_id };
}

/** Opens the page of a scene anew. */
export async function openScene({ page }: PageDriver, scene_id: string): Promise<void> {
  await page.goto(`${page.url().split("#")[0]}#scene=${scene_id}`);
  await page.reload({ waitUntil: "domcontentloaded" });
}

/** Waits until a control with this role has such a name. */
export const has = ({ page }: PageDriver, role: string, name: RegExp): Promise<void> =>
  eventually(`a ${role} ${name}`, async () => (await namesOf(page, role)).some((one) => name.test(one)));
export const hasNot = ({ page }: PageDriver, role: string, name: RegExp): Promise<void> =>
  eventually(`no ${role} ${name}`, async () => !(await namesOf(page, role)).some((one) => name.test(one)));

/** The name of the first control with this role and such a name, for which it waits. */
export async function nameOf(day: PageDriver, role: string, name: RegExp): Promise<string> {
  await has(day, role, name);
  return (await namesOf(day.page, role)).find((one) => name.test(one)) ?? "";
}

/** Waits until a button with such a name can be used. */
export const canPress = ({ page }: PageDriver, name: RegExp): Promise<void> =>
  eventually(`${name} can be pressed`, async () =>
    (await accessible(page, "button")).some((one) => name.test(one.name) && !one.isDisabled),
  );

export const printButton = ({ page }: PageDriver): Promise<{ readonly text: string; readonly light: string }> =>
  page.$eval("button.print", (button) => ({ text: button.textContent, light: button.dataset.light ?? "" }));

/** Waits until the button that prints has a light. Words say it as well, and all is legible in both themes. */
export async function shines(day: PageDriver, light: RegExp, words: RegExp): Promise<void> {
  await eventually(`the light is ${light}`, async () => light.test((await printButton(day)).light));
  const { text, light: shown } = await printButton(day);
  assert.match(text, shown === "none" ? /^(Print…|Check and print…)/ : /^Print…/);
  await eventually(`it is said: ${words}`, async () => words.test(await day.text(".foot-note")));
  for (const value of ["dark", "light"]) {
    await day.page.emulateMediaFeatures([
      { name: "prefers-color-scheme", value },
      { name: "prefers-reduced-motion", value: "reduce" },
    ]);
    await assertLegible(day, `${shown}, ${value}`);
  }
}

/** Waits until all texts have contrast: what fades has none for a moment. */
async function assertLegible({ page }: PageDriver, what: string): Promise<void> {
  let low: readonly string[] = [];
  const isLegible = async (): Promise<boolean> => (low = await page.evaluate(lowContrasts)).length === 0;
  await eventually(`${what} is legible`, isLegible).catch(() => assert.deepEqual(low, [], what));
}

/** Asserts that nothing is wider than the window, and that fingers find all controls of a touch screen. */
export async function assertFits({ page }: PageDriver, what: string): Promise<void> {
  const [content, window] = await page.evaluate(() => [document.scrollingElement!.scrollWidth, innerWidth] as const);
  assert.ok(content <= window, `${what}: ${content} px on ${window}`);
  const isTouched = await page.evaluate(() => matchMedia("(pointer: coarse)").matches);
  if (isTouched) assert.deepEqual(await page.evaluate(smallTargets), [], what);
}

/** Case 7: the dialog to print lists the cups of a plate, and one press vents them. */
export async function ventsCups(suite: PageSuite, { day, scene_id }: OpenedScene): Promise<void> {
  const [{ id }] = await modelsOf(suite, scene_id);
  await call(suite, "model/auto-support", { scene_id });
  await day.showPanel("Steps");
  await has(day, "button", /^Support, \d+ points/);
  await shines(day, /^none$/, /^Prepare turns/);
  await day.press("Check and print…");
  await has(day, "button", /^Show: \d+ cups trap resin/);
  assert.match(await day.text(".print-dialog .remarks"), /\d+ cups trap resin/);
  await canPress(day, /^Print with \d+ remarks?$/);
  assert.match(await day.text(".print-dialog footer .primary"), /remark/);
  await assertFits(day, "the dialog to print");
  await day.press("Close");
  await shines(day, /^warning$/, /remarks? (is|are) open/);
  await day.openStep("Check");
  await has(day, "button", /^Vent all \d+$/);
  await assertFits(day, "the findings");
  const cups = async (): Promise<number> =>
    (await call(suite, "model/validate/cups", { scene_id })).per_model_results[id].cup_count;
  assert.ok((await cups()) > 1);
  await day.press("Vent all");
  await eventually("the part has no cups", async () => (await cups()) === 0);
  await day.idle();
  assert.equal((await modelsOf(suite, scene_id))[0].has_supports, true);
  await hasNot(day, "button", /trap/);
  await assertFits(day, "a vented part");
}

/** Case 1: what an empty scene offers, and the part to try. */
export async function triesSample(day: PageDriver): Promise<void> {
  const buttons = await namesOf(day.page, "button");
  for (const name of ["Choose files", "Try a sample part"]) assert.ok(buttons.includes(name), name);
  await assertFits(day, "an empty scene");
  await day.press("Try a sample part");
  await eventually("it is listed", async () => (await day.models()).length === 1);
  await day.idle();
  await day.showPanel("Parts");
  const list = await day.page.waitForSelector("::-p-aria([name='Parts'][role='listbox'])");
  assert.equal((await list!.$$("[role=option]")).length, 1);
  await assertFits(day, "the list of parts");
  await day.showPanel("Steps");
  await has(day, "listitem", /^Support, None yet$/);
  await assertFits(day, "the steps");
}
