import assert from "node:assert/strict";
import { before, test } from "node:test";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { bodyOf } from "../fixture/test-server.ts";
import { type PageDriver, eventually } from "./page-driver.ts";
import { pageSuite } from "./page-suite.ts";

// The plane that cuts belongs to the selected parts, while others are on the plate.

const suite = pageSuite();
const { options } = suite;
const file = temporaryFiles();
const HEIGHTS = { low: 20, tall: 60 };

let day: PageDriver;
before(async () => {
  if (options.skip !== false) return;
  const { id } = await suite.scene();
  for (const [name, height] of Object.entries(HEIGHTS)) {
    const path = file(`${name}.stl`, binaryStl(box([30, 20, height])));
    bodyOf(await suite.server().post("/v1/scene/model/import/", { scene_id: id, file: path }));
  }
  bodyOf(await suite.server().post("/v1/scene/model/auto-layout/", { scene_id: id }));
  day = await suite.open({ width: 1440, height: 900 });
  await day.idle();
});

/** The level plane at this height, as the view tells it. */
const level = (mm: number): string => `0.000 0.000 1.000 ${mm.toFixed(3)}`;
const plane = (): Promise<string> => day.page.$eval("canvas", (canvas) => canvas.dataset.cut ?? "");

test("a plane that crosses no part of a new selection goes to its middle", options, async () => {
  await day.select("tall");
  await day.page.focus("canvas");
  await day.keys("k");
  await eventually("it is in the middle", async () => (await plane()) === level(HEIGHTS.tall / 2));
  await day.fill("Cut above plate, mm", "15");
  await day.select("low");
  assert.equal(await plane(), level(15), "it crosses this part too");
  await day.select("tall");
  await day.fill("Cut above plate, mm", "50");
  await day.select("low");
  await eventually("it crosses the part", async () => (await plane()) === level(HEIGHTS.low / 2));
});

test("while a cut is made, no other plane is shown", options, async () => {
  await day.select("tall");
  await day.fill("Cut above plate, mm", "50");
  await eventually("it is tried out", () => day.page.$eval("canvas", ({ dataset }) => dataset.tried === "2"));
  const shown = day.page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        const canvas = document.querySelector("canvas")!;
        const planes = new Set<string>();
        const look = new MutationObserver(() => {
          if (canvas.dataset.cut) planes.add(canvas.dataset.cut);
          if (canvas.dataset.tool === "cut") return;
          look.disconnect();
          resolve([...planes]);
        });
        look.observe(canvas, { attributes: true });
      }),
  );
  await day.page.focus("canvas");
  await day.keys("Enter");
  await eventually("there are three parts", async () => (await suite.models()).size === 3);
  assert.deepEqual(
    (await shown).filter((one) => one !== level(50)),
    [],
  );
});
