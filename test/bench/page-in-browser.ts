import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "puppeteer-core";
import { PAGE_FILES } from "../../src/ui/page-files.ts";
import { openBrowser } from "../fixture/browser.ts";
import { until } from "../fixture/until.ts";
import { type Row, ms, processorMs, withFolder, withServer } from "./measure.ts";
import { bumpySphereFile } from "./models.ts";
import { ARCHES, LARGE_RESIN, importPlate } from "./page.ts";
import { longestHold, turnedParts } from "./server.ts";

const ROUNDS = 3;
const MODELS = 1000;
/** The frames that a person may expect of a part with this many facets, and of a very large one. */
const FACETS = [
  { count: 1_000_000, aim: "≥ 30" },
  { count: 5_000_000, aim: "> 5" },
];
/** Duration of a rotation of the view while frames are counted. */
const TURN_MS = 4000;
/** When an opened page showed something, the first part, all parts, and all in full detail, in ms from its opening. */
interface Opening {
  readonly paint: number;
  readonly part: number;
  readonly all: number;
  readonly fine: number;
}

/** The page in a browser, drawn by the processor: its first picture, a plate of parts, frames while the view rotates. */
export const benchPageInBrowser = (): Promise<Row[]> =>
  withServer(({ pid, port, call, post, scene_id }) =>
    withFolder(async (folder) => {
      const browser = await openBrowser();
      const address = `http://localhost:${port}/`;
      const rows: Row[] = [{ what: "the page, compressed", ours: await bundleSize(port), aim: "≤ 260 kB" }];
      const best = async (open: () => Promise<Opening>): Promise<Opening> => {
        const openings: Opening[] = [];
        for (let round = 0; round < ROUNDS; round++) openings.push(await open());
        return openings.reduce((a, b) => (b.fine < a.fine ? b : a));
      };
      const opened = async (work: (page: Page) => Promise<Opening>): Promise<Opening> => {
        // With an empty cache.
        const context = await browser.createBrowserContext();
        const opening = await work(await newPage(context));
        await context.close();
        return opening;
      };

      try {
        const cold = await best(() => opened((page) => openingOf(page, () => page.goto(address), 0)));
        const again = await best(() =>
          opened(async (page) => {
            await openingOf(page, () => page.goto(address), 0);
            return openingOf(page, () => page.reload(), 0);
          }),
        );
        rows.push({ what: "first picture of the page", ours: ms(cold.paint), aim: "≤ 250 ms" });
        rows.push({ what: "the same when it is loaded again", ours: ms(again.paint), aim: "≤ 500 ms" });

        await post("/v1/scene/update/", { scene_id, ...LARGE_RESIN });
        await importPlate(post, scene_id);
        const openPlate = () => opened((page) => openingOf(page, () => page.goto(address), ARCHES));
        const before = processorMs(pid);
        const plate = await best(openPlate);
        const spent = (processorMs(pid) - before) / ROUNDS;
        const held = await longestHold(pid, call, openPlate);
        rows.push({
          what: `a plate of ${ARCHES} arches, 3 M triangles`,
          ours: `first part ${ms(plate.part)}, all ${ms(plate.all)}, as fine as they are ${ms(plate.fine)}, ${ms(spent)} of the server's processor time`,
          aim: "≤ 2 s",
        });
        rows.push({ what: "it holds the answering thread", ours: ms(held), aim: "≤ 20 ms" });

        const parts = join(folder, "parts.3mf");
        writeFileSync(parts, turnedParts(MODELS));
        for (const [what, body, aim] of [
          [`${MODELS} different models`, { file: parts, split_multi_model_file: true }, "> 5"],
          ...FACETS.map(
            ({ count, aim }) => [`${count / 1e6} M triangles`, { file: bumpySphereFile(count) }, aim] as const,
          ),
        ] as const) {
          await call("DELETE", "/v1/scene/model/delete/", { scene_id });
          await post("/v1/scene/model/import/", { scene_id, ...body });
          const page = await newPage(browser);
          await openingOf(page, () => page.goto(address), 1);
          rows.push({ what: `${what} turn`, ours: `${await turningRate(page)} frames a second`, aim });
          await page.close();
        }
      } finally {
        await browser.close();
      }
      return rows;
    }),
  );

async function newPage(browser: Pick<Browser, "newPage">): Promise<Page> {
  const page = await browser.newPage();
  await page.setViewport({ width: 1280, height: 720 });
  await page.evaluateOnNewDocument(noteOpening);
  return page;
}

/** Runs in the page before its own scripts. Notes in the dataset of the root element when the first part, and all 30 of a plate, appear. */
function noteOpening(): void {
  new MutationObserver(() => {
    const canvas = document.querySelector("canvas");
    const { dataset } = document.documentElement;
    if (!canvas?.dataset.triangles) return;
    if (canvas.dataset.triangles !== "0") dataset.partAt ??= String(performance.now());
    if (canvas.dataset.meshes === "30") dataset.allAt ??= String(performance.now());
    if (canvas.dataset.state === "drawn") dataset.fineAt ??= String(performance.now());
  }).observe(document, { subtree: true, childList: true, attributeFilter: ["data-state", "data-meshes"] });
}

/** Opens a page, and waits until it shows this number of models. */
async function openingOf(page: Page, open: () => Promise<unknown>, models: number): Promise<Opening> {
  await open();
  const read = () =>
    page.evaluate(() => ({
      paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
      part: Number(document.documentElement.dataset.partAt ?? 0),
      all: Number(document.documentElement.dataset.allAt ?? 0),
      fine: Number(document.documentElement.dataset.fineAt ?? 0),
    }));
  let opening = await read();
  const isThere = ({ paint, part, fine }: Opening): boolean => paint > 0 && fine > 0 && (models === 0 || part > 0);
  await until("the page has drawn", async () => isThere((opening = await read())));
  return opening;
}

async function turningRate(page: Page): Promise<number> {
  await page.focus("canvas");
  // In the first frames the page finds out how many triangles this machine can draw.
  for (const end = performance.now() + TURN_MS; performance.now() < end;) await page.keyboard.press("ArrowLeft");
  return page.$eval("canvas", (canvas) => Number(canvas.dataset.framesPerSecond));
}

/** Bytes of the page's files as a browser receives them. */
async function bundleSize(port: number): Promise<string> {
  let bytes = 0;
  for (const file of PAGE_FILES) {
    const answer = await fetch(`http://127.0.0.1:${port}/ui/${file}`, {
      headers: { "Accept-Encoding": "br" },
      decompress: false,
    });
    bytes += (await answer.bytes()).length;
  }
  return `${Math.round(bytes / 1000)} kB`;
}
