import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { HTTPRequest } from "puppeteer-core";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { bodyOf } from "../fixture/test-server.ts";
import { type PageDriver, eventually } from "./page-driver.ts";
import { pageSuite } from "./page-suite.ts";

// What the view draws of supports while the mesh of their new solid is on its way.

const suite = pageSuite();
const { options } = suite;
const BLOCK = temporaryFiles()("block.stl", binaryStl(box([12, 10, 8])));
/** Triangles of the block. */
const BLOCK_TRIANGLES = 12;

let day: PageDriver;
before(async () => {
  if (options.skip !== false) return;
  const { id } = await suite.scene();
  bodyOf(await suite.server().post("/v1/scene/model/import/", { scene_id: id, file: BLOCK }));
  bodyOf(await suite.server().post("/v1/scene/model/auto-support/", { scene_id: id }));
  day = await suite.open({ width: 1440, height: 900 });
});

const data = (name: string): Promise<string | undefined> =>
  day.page.$eval("canvas", (canvas, one) => canvas.dataset[one], name);

/** What a frame showed. */
interface Frame {
  readonly struts: number;
  readonly triangles: number;
}

/** Writes down each frame from now on; returns those so far. */
async function recordFrames(): Promise<() => Promise<readonly Frame[]>> {
  await day.page.evaluate(() => {
    const canvas = document.querySelector("canvas")!;
    const frames: Frame[] = [];
    Object.assign(globalThis, { frames });
    const write = (): void => {
      const { struts, triangles } = canvas.dataset;
      frames.push({ struts: Number(struts), triangles: Number(triangles) });
    };
    // The last value that the view writes of a frame.
    new MutationObserver(write).observe(canvas, { attributeFilter: ["data-state"] });
  });
  return () => day.page.evaluate(() => (globalThis as unknown as { frames: Frame[] }).frames);
}

/** Holds requests for meshes from now on; returns a function that says how many are held, and one that lets them go. */
async function holdMeshes(): Promise<{ count(): number; release(): Promise<void> }> {
  const held: HTTPRequest[] = [];
  let isHolding = true;
  await day.page.setRequestInterception(true);
  day.page.on("request", (request) => {
    if (isHolding && request.url().includes("/ui/mesh/")) held.push(request);
    else void request.continue();
  });
  return {
    count: () => held.length,
    async release() {
      isHolding = false;
      for (const request of held) await request.continue();
    },
  };
}

test("after Apply the draft stays until the new solid is loaded, and both change in one frame", options, async () => {
  await day.select("block");
  await day.openStep("Support");
  await day.press("Edit points");
  await eventually("the points are shown", async () => Number(await data("points")) > 0);
  await day.idle();
  const before = await suite.model("block");
  await day.page.focus("canvas");
  await day.page.keyboard.down("Control");
  await day.keys("a");
  await day.page.keyboard.up("Control");
  await day.keys("e");
  await eventually("the draft is drawn", async () => Number(await data("struts")) > 0);
  const frames = await recordFrames();
  const meshes = await holdMeshes();
  await day.press("Apply 1");
  await eventually("the mode has ended", async () => (await data("points")) === undefined);
  await eventually("the new solid is asked for", () => meshes.count() > 0);
  const asked = (await frames()).length;
  await day.page.focus("canvas");
  await eventually("more frames are drawn", async () => {
    await day.keys("ArrowLeft");
    return (await frames()).length > asked + 5;
  });
  for (const { struts } of await frames()) assert.ok(struts > 0, "the draft is drawn in each frame");
  await meshes.release();
  await day.idle();
  await eventually("the draft is gone", async () => (await data("struts")) === "0");
  const { id } = await suite.scene();
  const shown = bodyOf(await suite.server().call("GET", `/ui/scene/${id}/`, undefined)).models[0];
  assert.notEqual(shown.supports.mesh, before.supports?.mesh);
  const after = (await frames()).filter(({ struts }) => struts === 0);
  assert.ok(after.length > 0);
  for (const { triangles } of after)
    assert.equal(triangles, BLOCK_TRIANGLES + shown.supports.triangles, "the new solid is drawn in each frame");
});
