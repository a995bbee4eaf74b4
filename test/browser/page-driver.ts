import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, ElementHandle, KeyInput, Page } from "puppeteer-core";

/** What a person does with the page in a browser, by the names that the page gives its parts. */
export interface PageDriver {
  readonly page: Page;
  /** Clicks the first control of that name, or whose name begins so, that can be used. Waits until there is one. */
  press(name: string): Promise<void>;
  /** Unfolds the part of the panel with that title, which may be the beginning of the names of buttons in it. */
  unfold(title: string): Promise<void>;
  /** Drops files of this content onto the page. */
  drop(files: readonly { readonly name: string; readonly bytes: Uint8Array }[]): Promise<void>;
  /** Resolves once no request of the person runs, and the picture is drawn. */
  idle(): Promise<void>;
  /** Names of the models in the list. */
  models(): Promise<string[]>;
  /** The words that messages show now. */
  messages(): Promise<string>;
  text(selector: string): Promise<string>;
  /** Chooses a model in the list, and no other. */
  select(model: string): Promise<void>;
  /** Presses keys, one after the other, where the focus is. */
  keys(...keys: readonly KeyInput[]): Promise<void>;
  /** Goes to the control of that name by the Tab key alone, past others whose focus is seen. */
  tabTo(name: string): Promise<void>;
  /** Clicks the canvas, at these shares of its width and height. */
  clickView(right: number, down: number): Promise<void>;
  /** Replaces the text of the field with that label, and leaves the field. */
  fill(label: string, text: string): Promise<void>;
  /**
   * What went wrong since the page was opened, or since it was asked with words that were expected: errors of scripts and of the console,
   * among them those of the content security policy, and requests to other hosts.
   */
  faults(expected?: RegExp): readonly string[];
}

/** Looking at the page costs it time: more often would slow down what is waited for. */
const LOOK_MS = 25;
/** Within this a busy machine does what a person asks for. */
const PATIENCE_MS = 50_000;

/** Resolves once the page, or the server behind it, is as a person expects. */
export async function eventually(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; !(await holds()); await sleep(LOOK_MS)) {
    assert.ok(performance.now() < end, `in vain: ${what}`);
  }
}

/** Opens the page of a server as a browser does that was given its address. */
export async function openPage(
  browser: Browser,
  port: number,
  size = { width: 1280, height: 720 },
): Promise<PageDriver> {
  const page = await browser.newPage();
  let faults: readonly string[] = [];
  const note = (fault: string): void => void (faults = [...faults, fault]);
  const address = `http://localhost:${port}/`;
  page.on("pageerror", (error) => note(String(error)));
  page.on("console", (message) => {
    // Chromium logs each answer of 400 and more, which the page tells in its own words.
    if (message.type() === "error" && !/status of 4\d\d/.test(message.text())) note(message.text());
  });
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(address) && !/^(data|blob|about):/.test(url)) note(`a request to ${url}`);
  });
  await page.setViewport(size);
  await page.goto(address, { waitUntil: "domcontentloaded" });
  const driver = driverOf(page, (expected) => (faults = faults.filter((fault) => !expected?.test(fault))));
  await driver.idle();
  return driver;
}

function driverOf(page: Page, faults: PageDriver["faults"]): PageDriver {
  /** The first of these elements with that name, or whose name begins so, that can be used. */
  const usable = async (selector: string, name: string): Promise<ElementHandle<HTMLElement> | null> => {
    const handle = await page.evaluateHandle(
      (wanted, kind) => {
        // An open dialog is the only thing that can be used.
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
  const press: PageDriver["press"] = async (name) => (await waitForUsable("button, summary, [role]", name)).click();
  const text: PageDriver["text"] = (selector) =>
    page.evaluate(
      (wanted) => [...document.querySelectorAll<HTMLElement>(wanted)].map((element) => element.innerText).join("\n"),
      selector,
    );
  return {
    page,
    press,
    text,
    faults,
    async unfold(title) {
      await press(title);
      await page.waitForSelector("details[open] > .fold-body");
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
    idle: () =>
      eventually("nothing runs and the picture is drawn", () =>
        page.evaluate(
          () =>
            document.querySelector(".task, progress.loading") === null &&
            document.querySelector("canvas")?.dataset.state === "drawn",
        ),
      ),
    async select(model) {
      const name = await page.waitForFunction(
        (wanted) => [...document.querySelectorAll(".rows .row .name")].find((one) => one.textContent === wanted),
        {},
        model,
      );
      await (name as ElementHandle<Element>).click();
    },
    async keys(...keys) {
      for (const key of keys) await page.keyboard.press(key);
    },
    async tabTo(name) {
      for (let stops = 0; stops < MOST_STOPS; stops++) {
        const { label, isSeen } = await page.evaluate(focusNow);
        // What was clicked needs no frame.
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
    models: async () => (await text(".rows .row .name")).split("\n").filter(Boolean),
    messages: () => text(".toast"),
  };
}

/** More controls than a page has at once. */
const MOST_STOPS = 100;

/** What has the focus, in the page; the body as a whole needs no frame. */
function focusNow(): { readonly label: string; readonly isSeen: boolean } {
  const focused = document.activeElement ?? document.body;
  const { outlineStyle, boxShadow } = getComputedStyle(focused);
  const isSeen = focused === document.body || outlineStyle !== "none" || boxShadow !== "none";
  return { label: focused.getAttribute("aria-label") ?? focused.textContent.trim(), isSeen };
}

/** Asserts that nothing went wrong until now. */
export function assertNoFaults({ faults }: PageDriver): void {
  assert.deepEqual(faults(), []);
}
