import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Page, Viewport } from "puppeteer-core";
import type { Reply } from "../fixture/client.ts";
import { box, cylinder, mug } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { bodyOf } from "../fixture/test-server.ts";
import { lowContrasts } from "./low-contrasts.ts";
import { type PageDriver, assertPlainWords, eventually } from "./page-driver.ts";
import { assertPictured, goldenFile } from "./page-pictures.ts";
import { pageSuite } from "./page-suite.ts";
import { smallTargets } from "./small-targets.ts";

// Golden pictures of the whole page in each of its states, on four kinds of windows and in both themes.

const folder = mkdtempSync(join(tmpdir(), "printwright-state-"));
const suite = pageSuite(["--state-folder", folder]);
const { options } = suite;
after(() => rmSync(folder, { recursive: true, force: true }));
const file = temporaryFiles();
const BLOCK = file("block.stl", binaryStl(box([30, 20, 12])));
const MUG = file("mug.stl", binaryStl(mug(12, 9, 18)));
const PIN = file("pin.stl", binaryStl(cylinder(5, 16, 48)));
const POWDER = { machine_type: "FS30-1-0", material_code: "FLP12G01", layer_thickness_mm: 0.11 };

const TOUCH = { isMobile: true, hasTouch: true };
/** A desktop, a tablet and two phones. */
const WINDOWS: readonly Viewport[] = [
  { width: 1440, height: 900 },
  { width: 820, height: 1100 },
  { width: 390, height: 844, ...TOUCH },
  { width: 320, height: 640, ...TOUCH },
];
const THEMES = ["light", "dark"] as const;
const isPhone = ({ width }: Viewport): boolean => width < 600;

/** States, in this order: the first one is that of a server without parts, the last one follows a restart. */
const STATES = [
  "first-visit",
  "imported",
  "overlap",
  "prepared",
  "print",
  "layers",
  "points",
  "powder",
  "keys",
  "recovery",
] as const;
type State = (typeof STATES)[number];
const MOST_BYTES_OF_ALL = 3_000_000;

const call = async (path: string, body: object): Promise<Reply["body"]> =>
  bodyOf(await suite.server().post(`/v1/scene/${path}/`, body));

/** Makes a scene with parts. */
async function newScene(name: string, paths: readonly string[], settings?: object): Promise<string> {
  const { scene_id } = await call("create", settings ?? (await suite.scene()).scene_settings);
  for (const path of paths) await call("model/import", { scene_id, file: path });
  await call("rename", { scene_id, name });
  return scene_id;
}

const scenes = new Map<State, string>();
async function makeScenes(): Promise<void> {
  const plate = await newScene("Plate", [BLOCK, MUG, PIN]);
  await call("model/auto-layout", { scene_id: plate });
  const crowded = await newScene("Overlap", [BLOCK, MUG]);
  const { models } = await call("model/list", { scene_id: crowded });
  const { position } = models[0];
  await call("model/translate", { scene_id: crowded, model_ids: [models[1].id], position: { ...position, x: 14 } });
  const prepared = await newScene("Prepared", [BLOCK, MUG, PIN]);
  await call("prepare", { scene_id: prepared, orient: false });
  const chamber = await newScene("Chamber", [BLOCK, MUG, PIN], POWDER);
  await call("model/auto-pack", { scene_id: chamber });
  for (const state of ["imported", "keys"] as const) scenes.set(state, plate);
  for (const state of ["prepared", "print", "layers", "points"] as const) scenes.set(state, prepared);
  scenes.set("overlap", crowded);
  scenes.set("powder", chamber);
}

/** Opens the page in a window as a person sees it, with a fixed time and without what fades. */
async function openStill(window: Viewport, scene: string | undefined): Promise<PageDriver> {
  const day = await suite.open(window);
  const { page } = day;
  await page.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: "reduce" }]);
  await page.evaluateOnNewDocument(() => {
    // The page shows times by these methods alone.
    Object.assign(Date.prototype, {
      toLocaleTimeString: () => "11:14",
      toLocaleDateString: () => "28 November",
      toDateString: () => "today",
    });
    document.addEventListener("DOMContentLoaded", () => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(".notices, .kept { visibility: hidden } * { caret-color: transparent !important }");
      document.adoptedStyleSheets = [sheet];
    });
  });
  if (scene !== undefined) await page.goto(`${page.url().split("#")[0]}#scene=${scene}`);
  await page.reload({ waitUntil: "domcontentloaded" });
  await day.idle();
  await eventually("volume and time are known", async () => /\d|–/.test(await day.text(".facts dd")));
  return day;
}

/** Opens a panel of a phone; wider windows show all of them. */
async function showPanel(day: PageDriver, window: Viewport, panel: "Parts" | "Steps"): Promise<void> {
  if (!isPhone(window)) return;
  await day.page.evaluate((wanted) => {
    const buttons = [...document.querySelectorAll<HTMLElement>(".phone-bar button")];
    buttons.find((one) => one.textContent.trim() === wanted)!.click();
  }, panel);
}

/** Brings an opened page into a state. */
const ENTER: Readonly<Record<State, (day: PageDriver, window: Viewport) => Promise<void>>> = {
  "first-visit": async () => {},
  async imported(day, window) {
    await showPanel(day, window, "Parts");
    await eventually("three parts are listed", async () => (await day.models()).length === 3);
  },
  async overlap(day, window) {
    await showPanel(day, window, "Steps");
    await day.openStep("Lay out");
    await eventually("the overlap is told", async () => /overlap/.test(await day.text(".cards")));
    await eventually("it is hatched", () => day.page.$eval("canvas", ({ dataset }) => dataset.hatched === "2"));
  },
  async prepared(day, window) {
    await showPanel(day, window, "Steps");
    await day.openStep("Check");
    await eventually("the cup is told", async () => /trap/.test(await day.text(".cards")));
  },
  async print(day, window) {
    if (isPhone(window)) await showPanel(day, window, "Steps");
    await day.page.$eval("button.print", (button) => (button as HTMLElement).click());
    await eventually("the remarks are listed", async () => /trap/.test(await day.text(".print-dialog")));
  },
  async layers(day) {
    await day.press("Layers");
    await eventually("a layer has an area", async () => /Area\s+[\d.,]+ mm²/.test(await day.text(".layer-bar")));
    await day.fill("Layer number", "120");
    await eventually("its area is shown", async () => /Area\s+[\d.,]+ mm²/.test(await day.text(".layer-bar")));
  },
  async points(day, window) {
    await showPanel(day, window, "Parts");
    if (window.width === 820) await day.press("Parts, 3");
    await day.select("mug");
    if (window.width === 820) await day.press("Parts, 3");
    await showPanel(day, window, "Steps");
    await day.openStep("Support");
    await day.press("Edit points");
    await eventually("the points are shown", () =>
      day.page.$eval("canvas", ({ dataset }) => Number(dataset.points) > 0),
    );
  },
  async powder(day, window) {
    await showPanel(day, window, "Steps");
    await day.openStep("Pack");
  },
  async keys(day) {
    await day.press("Help");
    await day.page.waitForSelector("dialog[open].help-dialog");
  },
  async recovery(day) {
    await eventually("scenes are offered", async () => /Bring back/.test(await day.text("dialog[open]")));
  },
};

/**
 * Compares the page with the golden pictures of a state in both themes. In each state texts have contrast, say words for people, and are
 * not wider than the window; on phones all controls are large enough for fingers.
 */
async function assertBothThemes(day: PageDriver, state: State, { width, height }: Viewport): Promise<void> {
  await day.page.mouse.move(1, 1);
  const others: string[] = [];
  await assertPlainWords(day);
  assert.ok((await day.page.evaluate(() => document.scrollingElement!.scrollWidth)) <= width);
  for (const value of THEMES) {
    await emulateTheme(day.page, value);
    others.push(...(await day.page.evaluate(lowContrasts)));
    const name = `states/${state}-${width}-${value}`;
    await assertPictured(day, name, { x: 0, y: 0, width, height }).catch((thrown) => others.push(String(thrown)));
  }
  if (width < 600) others.push(...(await day.page.evaluate(smallTargets)));
  assert.deepEqual(others, []);
}

const emulateTheme = (page: Page, value: (typeof THEMES)[number]): Promise<void> =>
  page.emulateMediaFeatures([
    { name: "prefers-color-scheme", value },
    { name: "prefers-reduced-motion", value: "reduce" },
  ]);

for (const state of STATES) {
  for (const window of WINDOWS) {
    // The first test with parts makes all scenes.
    test(`${state} on ${window.width} × ${window.height}`, { ...options, timeout: 180_000 }, async () => {
      if (state !== "first-visit" && scenes.size === 0) await makeScenes();
      if (state === "recovery" && window === WINDOWS[0]) {
        await waitUntilKept();
        await suite.restart(async () => orderKeptScenes());
      }
      const day = await openStill(window, scenes.get(state));
      try {
        await ENTER[state](day, window);
        await assertBothThemes(day, state, window);
      } finally {
        // Browsers hold few connections to a server, and each open page keeps one.
        await day.close();
      }
    });
  }
}

/** Waits until the server has written the scene that changed last into its state folder. */
async function waitUntilKept(): Promise<void> {
  const day = await suite.open({ width: 1440, height: 900 });
  await day.page.goto(`${day.page.url().split("#")[0]}#scene=${scenes.get("powder")}`);
  await day.page.reload({ waitUntil: "domcontentloaded" });
  await eventually("it is kept", async () => /Kept \d/.test(await day.text(".kept")));
  await day.close();
}

/** Gives the kept scenes times in the order in which they were made: those that are written together have times in any order. */
function orderKeptScenes(): void {
  for (const [i, id] of [...scenes.values()].entries()) {
    const file = join(folder, "scenes", `${id}.json`);
    const kept = JSON.parse(readFileSync(file, "utf8"));
    const kept_at = new Date(Date.now() - 1000 * (scenes.size - i)).toISOString();
    writeFileSync(file, JSON.stringify({ ...kept, kept_at }));
  }
}

test("the golden pictures of all states are small files", () => {
  const names = STATES.flatMap((state) =>
    WINDOWS.flatMap(({ width }) => THEMES.map((theme) => goldenFile(`states/${state}-${width}-${theme}`))),
  );
  const bytes = names.reduce((sum, name) => sum + statSync(name).size, 0);
  assert.ok(bytes <= MOST_BYTES_OF_ALL, `${bytes} bytes`);
});
