import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { seenScene } from "../fixture/seen-scene.ts";
import { box, cylinder } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { bodyOf } from "../fixture/test-server.ts";
import { type PageDriver, eventually } from "./page-driver.ts";
import { pageSuite } from "./page-suite.ts";

// Scenes that a server kept come back in the page of the next one.

const folder = mkdtempSync(join(tmpdir(), "printwright-state-"));
const suite = pageSuite(["--state-folder", folder]);
const { options } = suite;
after(() => rmSync(folder, { recursive: true, force: true }));
const file = temporaryFiles();
const BLOCK = file("block.stl", binaryStl(box([14, 10, 4])));
const DISC = file("disc.stl", binaryStl(cylinder(4, 3, 24)));

const post = async (path: string, body: object) => bodyOf(await suite.server().post(`/v1/scene/${path}/`, body));

let page: PageDriver;
/** A plate that the page shows, with a supported part that has a hand-made point, and another plate. */
let [gearCase, others] = ["", ""];
before(async () => {
  if (options.skip !== false) return;
  const { id: scene_id, scene_settings } = await suite.scene();
  await post("model/import", { scene_id, file: BLOCK });
  const [{ id: model_id }] = (await post("model/list", { scene_id })).models;
  await post("model/update", { scene_id, model_ids: [model_id], name: "Lid" });
  await post("model/orient", { scene_id, model_ids: [model_id], orientation: { x: 25, y: 10, z: 40 } });
  await post("model/auto-support", { scene_id });
  const { hash, points } = await post("model/supports/get", { scene_id, model_id });
  const { position } = points[0];
  const edit = { add: [{ position: { ...position, x: position.x + 1 }, size_mm: 0.4 }] };
  await post("model/supports/set", { scene_id, model_id, based_on: hash, edit, snap_mm: 5 });
  await post("rename", { scene_id, name: "Gear case" });
  const second = await post("create", scene_settings);
  await post("model/import", { scene_id: second.scene_id, file: DISC });
  await post("rename", { scene_id: second.scene_id, name: "Others" });
  [gearCase, others] = [scene_id, second.scene_id];
  page = await suite.open();
});

/** Waits until the page says that the shown scene, as it is now, is kept. */
async function waitUntilKept(): Promise<void> {
  const nowMs = Date.now();
  await eventually("it is kept", () =>
    page.page.evaluate(
      (wanted) =>
        [...document.querySelectorAll<HTMLTimeElement>("time.kept")].some(
          (kept) => Date.parse(kept.dateTime) >= wanted,
        ),
      nowMs,
    ),
  );
  assert.match(await page.text(".kept"), /^Kept \d/);
}

/** Types a place for the part that is shown, and waits until the server has it. */
async function moveTo(x: string): Promise<void> {
  await page.select("Lid");
  await page.fill("Centre x", x);
  await page.idle();
  await eventually("it has moved", async () => {
    const [{ bounding_box }] = (await post("model/list", { scene_id: gearCase })).models;
    return Math.abs((bounding_box.min_corner.x + bounding_box.max_corner.x) / 2 - Number(x)) < 0.01;
  });
}

const seen = async () => [await seenScene(suite.server(), gearCase), await seenScene(suite.server(), others)];

test("after a kill, an open page offers the scenes, and they come back with all that they had", options, async () => {
  await moveTo("12.5");
  await waitUntilKept();
  // Now the newest scene is not the one that the page shows.
  await post("rename", { scene_id: others, name: "Other parts" });
  const kept = join(folder, "scenes", `${others}.json`);
  await eventually("the name is kept", () => readFileSync(kept, "utf8").includes("Other parts"));
  const before = await seen();
  const { points } = await post("model/supports/get", {
    scene_id: gearCase,
    model_id: (await post("model/list", { scene_id: gearCase })).models[0].id,
  });
  assert.equal(points.filter(({ origin }: { origin: string }) => origin === "MANUAL").length, 1);
  await suite.restart(async () => {}, "SIGKILL");
  await eventually("an offer", async () => /Gear case/.test(await page.text("dialog[open]")));
  assert.match(await page.text("dialog[open]"), /Bring back 2 scenes of \d[^]*Other parts[^]*1 part/);
  await page.press("Bring back");
  await eventually("the scene is shown", async () => (await page.models()).includes("Lid"));
  assert.deepEqual(await seen(), before);
  for (const name of ["Gear case", "Other parts"]) assert.match(await page.text("[role=tablist]"), new RegExp(name));
  assert.doesNotMatch(await page.messages(), /gone/);
  // While no server runs, requests fail.
  page.faults(/Failed to load resource/);
});

test("a damaged file is named, and the other scenes come back", options, async () => {
  await moveTo("-8");
  await waitUntilKept();
  const [before] = await seen();
  const broken = join(folder, "scenes", `${others}.json`);
  await suite.restart(async () => writeFileSync(broken, readFileSync(broken).subarray(0, 200)), "SIGKILL");
  await eventually("an offer", async () => /Gear case/.test(await page.text("dialog[open]")));
  const offer = await page.text("dialog[open]");
  assert.match(offer, /Bring back 1 scene of/);
  assert.match(offer, new RegExp(`A scene cannot be brought back: .*${others}\\.json.*damaged`));
  assert.doesNotMatch(offer, /Other parts/);
  await page.press("Bring back");
  await eventually("the scene is shown", async () => (await page.models()).includes("Lid"));
  assert.deepEqual(await seenScene(suite.server(), gearCase), before);
  page.faults(/Failed to load resource/);
});
