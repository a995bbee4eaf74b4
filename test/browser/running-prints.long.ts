import assert from "node:assert/strict";
import { after, test } from "node:test";
import { startFake } from "../fixture/fake/start-fake.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { bodyOf } from "../fixture/test-server.ts";
import { lowContrasts } from "./low-contrasts.ts";
import { type PageDriver, eventually } from "./page-driver.ts";
import { pageSuite } from "./page-suite.ts";
import { smallTargets } from "./small-targets.ts";

// A job on its way to a printer, and the print that follows, are seen on each page until they end.

const PLATE = temporaryFiles()("plate.stl", binaryStl(box([8, 5, 0.3])));
const machine = await startFake("odyssey.ts");
after(() => machine.stop());
const suite = pageSuite(["--printer", `odyssey://127.0.0.1:${machine.port}`]);
const { options } = suite;

/** Makes the scene one for the printer, with a part. */
async function fillScene(): Promise<void> {
  const server = suite.server();
  const { id: scene_id } = await suite.scene();
  const settings = { machine_type: "PRUSA-SL1", material_code: "GENERIC-RESIN", layer_thickness_mm: 0.05 };
  bodyOf(await server.post("/v1/scene/update/", { scene_id, ...settings }));
  bodyOf(await server.post("/v1/scene/model/import/", { scene_id, file: PLATE }));
}

async function print(day: PageDriver, name: string): Promise<void> {
  await day.page.bringToFront();
  await day.page.locator("button.print").click();
  await day.fill("Job name", name);
  await eventually("the printer can start it", () =>
    day.page.$eval(".print-dialog .check-line input", (box) => (box as HTMLInputElement).checked),
  );
  await eventually("it can be sent", () =>
    day.page.$eval(".print-dialog footer .primary", (button) => !(button as HTMLButtonElement).disabled),
  );
  await day.page.$eval(".print-dialog footer .primary", (button) => (button as HTMLElement).click());
}

const jobs = (day: PageDriver): Promise<string> => day.text(".foot-task");
const prints = (day: PageDriver): Promise<string> => day.text("[aria-label='Running prints']");
const reload = ({ page }: PageDriver): Promise<unknown> => page.reload({ waitUntil: "domcontentloaded" });

test(
  "all pages show a job that is sent, which can be cancelled, and the print until it has ended",
  {
    ...options,
    timeout: 180_000,
  },
  async () => {
    await fillScene();
    const day = await suite.open({ width: 1440, height: 900 });
    const other = await suite.open({ width: 1440, height: 900 });

    await machine.change({ faults: [{ at: "POST /files", how: "hang" }] });
    await print(day, "one");
    for (const one of [day, other])
      await eventually("it is sent", async () => /Sending “one” to/.test(await jobs(one)));
    assert.equal(await day.text(".task"), "", "it is shown once");
    await reload(day);
    await eventually("a reload finds it again", async () => /Sending “one” to/.test(await jobs(day)));
    assert.deepEqual(await day.page.evaluate(lowContrasts), []);
    await other.press("Cancel the job");
    for (const one of [day, other]) await eventually("it is cancelled", async () => (await jobs(one)) === "");
    assert.deepEqual([(await machine.state()).started, await prints(day)], [[], ""]);

    await machine.change({ faults: [] });
    await print(day, "two");
    for (const one of [day, other])
      await eventually("it prints", async () => /“two” on .*: Printing/.test(await prints(one)));
    await reload(other);
    await eventually("a reload finds the print again", async () => /“two” on .*: Printing/.test(await prints(other)));
    assert.deepEqual(await other.page.evaluate(lowContrasts), []);
    const phone = await suite.open({ width: 390, height: 844, isMobile: true, hasTouch: true });
    await phone.press("Steps");
    await eventually("a phone shows it", async () => /“two” on .*: Printing/.test(await prints(phone)));
    assert.deepEqual(await phone.page.evaluate(smallTargets), []);
    await phone.close();
    await other.page.bringToFront();
    await other.press("Show printers");
    await eventually("the printers are shown", async () => /Printing/.test(await other.text(".print-dialog")));
    await other.keys("Escape");

    await machine.change({ state: "Idle" });
    for (const one of [day, other]) await eventually("it has ended", async () => (await prints(one)) === "");
    for (const one of [day, other]) {
      await one.page.bringToFront();
      await one.press("Messages");
      await eventually("its end is told", async () =>
        /The print of “two” on .* has ended/.test(await one.text(".log")),
      );
    }
    await day.close();
    await other.close();
  },
);
