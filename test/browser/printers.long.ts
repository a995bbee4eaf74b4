import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { bodyOf } from "../fixture/test-server.ts";
import { lowContrasts } from "./low-contrasts.ts";
import { eventually } from "./page-driver.ts";
import { pageSuite } from "./page-suite.ts";

// Printers that cannot be used, and a folder, to which a job can only be sent.

const root = mkdtempSync(join(tmpdir(), "printwright-page-printers-"));
after(() => rmSync(root, { recursive: true }));
const stick = join(root, "stick");
const PLATE = temporaryFiles()("plate.stl", binaryStl(box([2, 2, 0.3])));
const folders = [stick, join(root, "none")].map((path) => `folder://${path}?machine_type=PRUSA-SL1S`);
const suite = pageSuite(folders.flatMap((url) => ["--printer", url]));
const { options } = suite;

test(
  "a printer that cannot be used is listed with the reason, and a job for a folder waits for a person",
  options,
  async () => {
    const server = suite.server();
    const { id: scene_id } = await suite.scene();
    const scene = {
      machine_type: "PRUSA-SL1S",
      material_code: "GENERIC-RESIN",
      print_setting: "DEFAULT",
      layer_thickness_mm: 0.05,
    };
    const settings = bodyOf(await server.post("/v1/scene/update/", { scene_id, ...scene }));
    assert.ok(settings);
    bodyOf(await server.post("/v1/scene/model/import/", { scene_id, file: PLATE }));
    const page = await suite.open();
    await page.press("Check and print…");
    await page.press("Printers");
    const unusable = (): Promise<string> => page.text("[aria-label='Printers that cannot be used']");
    await eventually("both are named", async () => /stick[^]*none/.test(await unusable()));
    assert.match(await unusable(), /Cannot be used: it is not there: plug in the medium/);
    assert.deepEqual(await page.page.evaluate(lowContrasts), []);
    mkdirSync(stick);
    await eventually("the stick is a printer", async () => /stick/.test(await page.text("[aria-label='Printers']")));
    assert.doesNotMatch(await unusable(), /stick/);
    await eventually("it says that a person starts", async () =>
      /starts no print now/.test(await page.text(".print-dialog")),
    );
    await page.press("Send");
    await eventually("the job is there", () => readdirSync(stick).some((name) => name.endsWith(".sl1s")));
  },
);
