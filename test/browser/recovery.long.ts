import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { bodyOf } from "../fixture/test-server.ts";
import { eventually } from "./page-driver.ts";
import { pageSuite } from "./page-suite.ts";

// Scenes that a server kept come back in the page of the next one.

const folder = mkdtempSync(join(tmpdir(), "printwright-state-"));
const suite = pageSuite(["--state-folder", folder]);
const { options } = suite;
after(() => rmSync(folder, { recursive: true, force: true }));
const BLOCK = temporaryFiles()("block.stl", binaryStl(box([14, 10, 4])));

test("an open page offers the scenes of the server before a restart, and shows them", options, async () => {
  const { id: scene_id } = await suite.scene();
  const page = await suite.open();
  bodyOf(await suite.server().post("/v1/scene/model/import/", { scene_id, file: BLOCK }));
  bodyOf(await suite.server().post("/v1/scene/rename/", { scene_id, name: "Gear case" }));
  await eventually("it is kept", async () => /Kept \d/.test(await page.text(".kept")));
  await suite.restart(async () => {});
  await eventually("an offer", async () => /Gear case/.test(await page.text("dialog[open]")));
  assert.match(await page.text("dialog[open]"), /Bring back 1 scene of [^]*1 part/);
  await page.press("Bring back");
  await eventually("the scene is shown", async () => (await page.models()).includes("block"));
  assert.doesNotMatch(await page.messages(), /gone/);
  // While no server runs, requests fail.
  page.faults(/Failed to load resource/);
});
