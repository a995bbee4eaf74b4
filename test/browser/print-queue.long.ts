import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { PASSWORD, someAccount, writePrintersFile } from "../fixture/printers-file.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { bodyOf } from "../fixture/test-server.ts";
import { lowContrasts } from "./low-contrasts.ts";
import { type PageDriver, eventually } from "./page-driver.ts";
import { pageSuite } from "./page-suite.ts";
import { smallTargets } from "./small-targets.ts";

// Jobs that a queue holds, and the actions of the page on them.

const folder = mkdtempSync(join(tmpdir(), "printwright-page-queue-"));
after(() => rmSync(folder, { recursive: true }));
const PLATE = temporaryFiles()("plate.stl", binaryStl(box([2, 2, 0.3])));
const printers = `${folder}.json`;
writePrintersFile(printers, {
  queues: [{ id: "6f1f2c9e-3f57-4b7e-9c58-0a4f6a3a9b11", name: "All", printers: ["Left"] }],
  accounts: [await someAccount("ann")],
});
after(() => rmSync(printers));
const suite = pageSuite(["--virtual-printer", "FORM-4-0=Left", "--job-dir", folder, "--printers", printers]);
const { options } = suite;

test("held jobs are listed, and can be moved to the front, removed and started", options, async () => {
  const server = suite.server();
  bodyOf(await server.post("/v1/login/", { username: "ann", password: PASSWORD }));
  const { id: scene_id } = await suite.scene();
  bodyOf(await server.post("/v1/scene/model/import/", { scene_id, file: PLATE }));
  for (const job_name of ["one", "two", "three"])
    bodyOf(await server.post("/v1/scene/print/", { scene_id, printer: "All", job_name, print_now: true }));
  const page: PageDriver = await suite.open();
  await page.press("Check and print…");
  await page.press("Printers");
  const jobs = (): Promise<string> => page.text("[aria-label='Jobs of All']");
  await eventually("both are listed", async () => /two[^]*three/.test(await jobs()));
  await page.press("Move three to the front");
  await eventually("the order is another", async () => /three[^]*two/.test(await jobs()));
  await eventually("the first print has ended", async () => /Start on Left/.test(await jobs()));
  assert.deepEqual(await page.page.evaluate(lowContrasts), []);
  await page.press("Remove the job two");
  await eventually("it is gone", async () => !/two/.test(await jobs()));
  const finger = await suite.open({ width: 390, height: 844 });
  await finger.page.emulate({ viewport: { width: 390, height: 844, hasTouch: true, isMobile: true }, userAgent: "" });
  await finger.press("Print");
  await finger.press("Printers");
  assert.deepEqual(await finger.page.evaluate(smallTargets), []);
  await finger.close();
  await page.page.bringToFront();
  await page.press("Start three on Left");
  await eventually("it is printed", () => readdirSync(folder).some((name) => name.startsWith("three-")));
  await eventually("none is held", async () => (await jobs()) === "");
});
