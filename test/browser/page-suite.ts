import { after, afterEach, before } from "node:test";
import type { Browser, Viewport } from "puppeteer-core";
import type { Reply } from "../fixture/client.ts";
import { HAS_BROWSER, openBrowser } from "../fixture/browser.ts";
import { type Printwright, startPrintwright } from "../fixture/printwright.ts";
import { bodyOf } from "../fixture/test-server.ts";
import { type Hand, type PageDriver, assertSound, openPage } from "./page-driver.ts";

/** Server and browser that the tests of a file share. Pages must be free of faults and of words for programs after each test, and when they are closed. */
export interface PageSuite {
  /** Options of each test: skips it if there is no browser. */
  readonly options: { readonly skip: string | false };
  server(): Printwright;
  /** Stops the server by a signal, SIGTERM by default, runs `meanwhile`, and starts the server again at the same port. */
  restart(meanwhile: () => Promise<void>, signal?: NodeJS.Signals): Promise<void>;
  open(size?: Viewport, hand?: Hand): Promise<PageDriver>;
  /** The first scene as `/v1/` describes it. */
  scene(): Promise<Reply["body"]>;
  /** Models of the first scene by name. */
  models(): Promise<ReadonlyMap<string, Reply["body"]>>;
  /** The model with this name. */
  model(name: string): Promise<Reply["body"]>;
}

/** Starts server and browser before the tests of a file, and stops them afterwards. `args` are arguments of the server. */
export function pageSuite(args: readonly string[] = []): PageSuite {
  let printwright: Printwright;
  let browser: Browser;
  let pages: readonly PageDriver[] = [];
  before(async () => {
    if (!HAS_BROWSER) return;
    [printwright, browser] = await Promise.all([startPrintwright(args), openBrowser()]);
  });
  afterEach(async () => {
    pages = pages.filter(({ page }) => !page.isClosed());
    for (const page of pages) await assertSound(page);
  });
  after(async () => {
    await browser?.close();
    await printwright?.stop();
  });

  const scene = async (): Promise<Reply["body"]> =>
    bodyOf(await printwright.call("GET", "/v1/scene/list/", {})).scenes[0];
  const models = async (): Promise<ReadonlyMap<string, Reply["body"]>> => {
    const { id } = await scene();
    const list = bodyOf(await printwright.post("/v1/scene/model/list/", { scene_id: id }));
    return new Map(list.models.map((model: Reply["body"]) => [model.name, model]));
  };
  return {
    options: { skip: HAS_BROWSER ? false : "the npm package with the browser is for Linux on x64" },
    server: () => printwright,
    async restart(meanwhile, signal) {
      const { port } = printwright;
      await printwright.stop(signal);
      await meanwhile();
      printwright = await startPrintwright(["--port", String(port), ...args]);
    },
    async open(size, hand) {
      const driver = await openPage(browser, printwright.port, size, hand);
      pages = [...pages, driver];
      return driver;
    },
    scene,
    models,
    model: async (name) => (await models()).get(name),
  };
}
