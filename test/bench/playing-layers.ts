import { fileURLToPath } from "node:url";
import { openPage } from "../browser/page-driver.ts";
import { openBrowser } from "../fixture/browser.ts";
import { until } from "../fixture/until.ts";
import { RESIN, type Row, median, withServer } from "./measure.ts";

const GEAR = fileURLToPath(new URL("../../assets/demo/gear-small.stl", import.meta.url));
const ROUNDS = 5;
const PLAYED_MS = 3000;
/** Layers a second that are asked for. */
const ASKED = "15";

/** The layers of a supported part that the page shows in a second of play, drawn by the processor. */
export const benchPlayingLayers = (): Promise<Row[]> =>
  withServer(async ({ port, post, scene_id }) => {
    await post("/v1/scene/update/", { scene_id, ...RESIN });
    await post("/v1/scene/model/import/", { scene_id, file: GEAR });
    await post("/v1/scene/model/auto-orient/", { scene_id });
    await post("/v1/scene/model/auto-support/", { scene_id });
    const browser = await openBrowser();
    try {
      const driver = await openPage(browser, port);
      const { page } = driver;
      await page.focus("canvas");
      await driver.keys("l");
      await page.waitForSelector(".layer-tools");
      const rows: Row[] = [];
      for (const view of ["3D", "3D + mask", "Mask"]) {
        await driver.press(view);
        const rates: number[] = [];
        for (let round = 0; round < ROUNDS; round++) rates.push(await playedRate(driver));
        const ours = `${median(rates).toFixed(1)} layers a second of ${ASKED}`;
        rows.push({ what: `layers are played as "${view}"`, ours, aim: "≥ 4" });
      }
      return rows;
    } finally {
      await browser.close();
    }
  });

/** Plays from the platform, and returns the number of layers that were shown in a second. */
async function playedRate({ page, press, keys }: Awaited<ReturnType<typeof openPage>>): Promise<number> {
  await keys("Home");
  await page.evaluate(() => {
    const place = document.querySelector(".layer-place b")!;
    const shownMs: number[] = [];
    const observer = new MutationObserver(() => shownMs.push(performance.now()));
    observer.observe(place, { characterData: true, childList: true, subtree: true });
    Object.assign(globalThis, { shownMs });
  });
  await press("Play");
  const shownMs = (): Promise<number[]> =>
    page.evaluate(() => (globalThis as unknown as { shownMs: number[] }).shownMs);
  const spanMs = (times: readonly number[]): number => (times.at(-1) ?? 0) - (times[0] ?? 0);
  await until("it has played", async () => spanMs(await shownMs()) >= PLAYED_MS);
  await press("Stop");
  const times = await shownMs();
  return (1000 * (times.length - 1)) / spanMs(times);
}
