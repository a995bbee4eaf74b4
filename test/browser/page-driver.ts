import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, ElementHandle, KeyInput, Page, ScreenshotClip, Viewport } from "puppeteer-core";
import { type Pixels, readPng } from "../fixture/read-png.ts";

/** What operates the page: a mouse, or a finger on a touch screen. */
export type Hand = "MOUSE" | "FINGER";

/** Operates the page in a browser as a user does. Controls are found by their accessible names. */
export interface PageDriver {
  readonly page: Page;
  /** Closes the page, which must be free of faults and of words for programs. */
  close(): Promise<void>;
  /** Clicks or taps the first enabled control whose name is `name` or begins with it. Waits until there is one. */
  press(name: string): Promise<void>;
  /** Shows a panel on a phone. Wider windows show all of them. */
  showPanel(panel: "View" | "Parts" | "Steps"): Promise<void>;
  /** Opens the step of the panel with this title. */
  openStep(title: string): Promise<void>;
  /** Drops files with this content onto the page. */
  drop(files: readonly { readonly name: string; readonly bytes: Uint8Array }[]): Promise<void>;
  /** Chooses files in the dialog of the browser that the button with this name opens. */
  chooseFiles(name: string, paths: readonly string[]): Promise<void>;
  /** Resolves when no task is running and the picture is complete. */
  idle(): Promise<void>;
  /** The complete picture of the view, or of this area of the page. */
  picture(clip?: ScreenshotClip): Promise<Pixels>;
  /** Names of the parts in the list, those in closed folds as well. */
  models(): Promise<string[]>;
  /** Text of the shown messages. */
  messages(): Promise<string>;
  text(selector: string): Promise<string>;
  /** Selects one model in the list. */
  select(model: string): Promise<void>;
  /** Presses keys one after the other, at the focused element. */
  keys(...keys: readonly KeyInput[]): Promise<void>;
  /** Moves the focus to a control by the Tab key only, and checks that each focused control shows its focus. */
  tabTo(name: string): Promise<void>;
  /** Clicks the canvas at these fractions of its width and height. */
  clickView(right: number, down: number): Promise<void>;
  /** Replaces the text of the field with this label, and leaves the field. */
  fill(label: string, text: string): Promise<void>;
  /**
   * Faults since the page was opened: errors of scripts and of the console (also those of the content security policy), and requests to
   * other hosts. Faults that match `expected` are dropped.
   */
  faults(expected?: RegExp): readonly string[];
}

/** Interval of polling. Shorter ones would slow down the page. */
const LOOK_MS = 25;
/** Time limit for an action, also on a busy machine. */
const PATIENCE_MS = 100_000;

/** Waits until `holds` returns true. Fails after `PATIENCE_MS` with a message that contains `what`. */
export async function eventually(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; !(await holds()); await sleep(LOOK_MS)) {
    assert.ok(performance.now() < end, `in vain: ${what}`);
  }
}

/** Opens the page of a server. A finger needs a size with `hasTouch`. */
export async function openPage(
  browser: Browser,
  port: number,
  size: Viewport = { width: 1280, height: 720 },
  hand: Hand = "MOUSE",
): Promise<PageDriver> {
  const page = await browser.newPage();
  let faults: readonly string[] = [];
  const note = (fault: string): void => void (faults = [...faults, fault]);
  const address = `http://localhost:${port}/`;
  page.on("pageerror", (error) => note(String(error)));
  page.on("console", (message) => {
    // Chromium logs each answer with status 4xx. The page reports these errors itself.
    if (message.type() === "error" && !/status of 4\d\d/.test(message.text())) note(message.text());
  });
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(address) && !/^(data|blob|about):/.test(url)) note(`a request to ${url}`);
  });
  await page.setViewport(size);
  await page.goto(address, { waitUntil: "domcontentloaded" });
  const driver = driverOf(page, hand, (expected) => (faults = faults.filter((fault) => !expected?.test(fault))));
  await driver.idle();
  return driver;
}

function driverOf(page: Page, hand: Hand, faults: PageDriver["faults"]): PageDriver {
  const touch = (element: ElementHandle<Element>): Promise<void> =>
    hand === "FINGER" ? element.tap() : element.click();
  /** Returns the first enabled element of the selector whose name is `name` or begins with it. */
  const usable = async (selector: string, name: string): Promise<ElementHandle<HTMLElement> | null> => {
    const handle = await page.evaluateHandle(
      (wanted, kind) => {
        // Only an open dialog can be used.
        const within = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document;
        const named = [...within.querySelectorAll<HTMLInputElement>(kind)].flatMap((element) => {
          const label = element.getAttribute("aria-label") ?? (element.labels?.[0] ?? element).textContent.trim();
          return label.startsWith(wanted) && !element.disabled && element.checkVisibility() ? [{ element, label }] : [];
        });
        return (named.find(({ label }) => label === wanted) ?? named[0])?.element ?? null;
      },
      name,
      selector,
    );
    return handle.asElement() as ElementHandle<HTMLElement> | null;
  };
  const waitForUsable = async (selector: string, name: string): Promise<ElementHandle<HTMLElement>> => {
    let found: ElementHandle<HTMLElement> | null = null;
    await eventually(`"${name}" can be used`, async () => (found = await usable(selector, name)) !== null);
    return found!;
  };
  const press: PageDriver["press"] = async (name) => touch(await waitForUsable("button, summary, [role]", name));
  const text: PageDriver["text"] = (selector) =>
    page.evaluate(
      (wanted) => [...document.querySelectorAll<HTMLElement>(wanted)].map((element) => element.innerText).join("\n"),
      selector,
    );
  const idle: PageDriver["idle"] = () =>
    eventually("nothing runs and the picture is drawn", () =>
      page.evaluate(
        () =>
          document.querySelector(".task, .foot-task, progress.loading") === null &&
          document.querySelector("canvas")?.dataset.state === "drawn",
      ),
    );
  return {
    page,
    press,
    text,
    faults,
    async close() {
      await assertSound({ page, faults });
      await page.close();
    },
    async showPanel(panel) {
      const isPhone = await page.$eval(".phone-bar", (bar) => bar.checkVisibility());
      if (isPhone) await touch(await waitForUsable(".phone-bar button", panel));
    },
    async openStep(title) {
      const head = await waitForUsable(".step-head", title);
      if ((await head.evaluate((button) => button.getAttribute("aria-expanded"))) !== "true") await touch(head);
      await page.waitForSelector(".step[data-open=true] > .step-body");
    },
    async drop(files) {
      const encoded = files.map(({ name, bytes }) => ({ name, base64: Buffer.from(bytes).toString("base64") }));
      await page.evaluate((dropped) => {
        const dataTransfer = new DataTransfer();
        for (const { name, base64 } of dropped) {
          const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
          dataTransfer.items.add(new File([bytes], name));
        }
        for (const type of ["dragenter", "dragover", "drop"]) {
          document.querySelector("canvas")!.dispatchEvent(new DragEvent(type, { bubbles: true, dataTransfer }));
        }
      }, encoded);
    },
    async chooseFiles(name, paths) {
      const [chooser] = await Promise.all([page.waitForFileChooser(), press(name)]);
      await chooser.accept([...paths]);
    },
    idle,
    async picture(clip) {
      await idle();
      // A busy browser presents a frame later than the page has drawn it.
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      return readPng(clip ? await page.screenshot({ clip }) : await (await page.$("canvas"))!.screenshot());
    },
    async select(model) {
      const name = await page.waitForFunction(
        (wanted) => [...document.querySelectorAll(".rows .row .name")].find((one) => one.textContent === wanted),
        {},
        model,
      );
      await touch(name as ElementHandle<Element>);
    },
    async keys(...keys) {
      for (const key of keys) await page.keyboard.press(key);
    },
    async tabTo(name) {
      for (let stops = 0; stops < MOST_STOPS; stops++) {
        const { label, isSeen } = await page.evaluate(focusNow);
        // An element that was focused by a click needs no focus ring.
        assert.ok(isSeen || stops === 0, `the focus on "${label}" is seen`);
        if (label.startsWith(name)) return;
        await page.keyboard.press("Tab");
      }
      assert.fail(`no way to "${name}" by the Tab key`);
    },
    async clickView(right, down) {
      const { x, y, width, height } = (await (await page.$("canvas"))!.boundingBox())!;
      await page.mouse.click(x + right * width, y + down * height);
    },
    async fill(label, text) {
      const field = await waitForUsable("input, textarea", label);
      await field.click({ count: 3 });
      await page.keyboard.type(text);
      await page.keyboard.press("Tab");
    },
    models: () =>
      page.$$eval(".rows .row", (rows) =>
        rows.flatMap((row) => {
          const [name, times] = [row.querySelector(".name"), row.querySelector(".times")];
          if (row.getAttribute("aria-expanded") === "true") return [];
          return Array.from({ length: Number(times?.textContent.match(/\d+/) ?? 1) }, () => name?.textContent ?? "");
        }),
      ),
    messages: () => text(".toast"),
  };
}

/** Upper limit of the number of controls on the page. */
const MOST_STOPS = 100;

/** Runs in the page: label of the focused element, and whether its focus is visible. The body needs no focus ring. */
function focusNow(): { readonly label: string; readonly isSeen: boolean } {
  const focused = document.activeElement ?? document.body;
  const { outlineStyle, boxShadow } = getComputedStyle(focused);
  const isSeen = focused === document.body || outlineStyle !== "none" || boxShadow !== "none";
  return { label: focused.getAttribute("aria-label") ?? focused.textContent.trim(), isSeen };
}

/** Asserts that a page has no faults and no words for programs. */
export async function assertSound({ page, faults }: Pick<PageDriver, "page" | "faults">): Promise<void> {
  assert.deepEqual(faults(), []);
  await assertPlainWords({ page });
}

/** What no person should read: codes, names of fields that no form shows, paths of the interface. */
export const FOR_PROGRAMS = /[A-Z]{3,}_[A-Z_]+|model_ids|scene_id|custom_bounds|\/v1\//;

/** Asserts that the page shows words for people only. What is under "Details" is for reports of bugs. */
export async function assertPlainWords({ page }: Pick<PageDriver, "page">): Promise<void> {
  const text = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>(".raw")].reduce(
      (all, { innerText }) => all.replace(innerText, ""),
      document.body.innerText,
    ),
  );
  assert.doesNotMatch(text, FOR_PROGRAMS);
}
