import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { readArguments } from "../../../src/arguments.ts";
import { startServer } from "../../../src/server.ts";
import { bumpySphere } from "../../bench/models.ts";
import { awaitOperation, call } from "../../fixture/client.ts";
import { longTest } from "../../fixture/long.ts";
import { startPrintwright } from "../../fixture/printwright.ts";
import { binaryStl } from "../../fixture/stl-file.ts";
import { temporaryFiles } from "../../fixture/temporary-files.ts";
import { bodyOf } from "../../fixture/test-server.ts";
import { until } from "../../fixture/until.ts";

// A job that ends early leaves no file: by the time-out of a call, or by the end of the server.

const file = temporaryFiles();
/** Slicing it into layers of 25 µm takes several times as long as a call may. */
const MODEL = file("model.stl", binaryStl(bumpySphere(60_000)));
const TIMEOUT_MS = 800;
const SETTING = { machine_type: "FORM-4-0", material_code: "FLGPBK05", layer_thickness_mm: 0.025 };
const folders: string[] = [];
after(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

function jobFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "printwright-cancelled-"));
  folders.push(folder);
  return folder;
}

const argumentsOf = (folder: string): string[] => ["--virtual-printer", "FORM-4-0=Form", "--job-dir", folder];

/** Imports the model as an operation, which has no time-out. */
async function sceneOfModel(server: { readonly port: number }): Promise<string> {
  const { scene_id } = bodyOf(await call(server.port, "POST", "/v1/scene/create/", SETTING));
  const importing = await call(server.port, "POST", "/v1/scene/model/import/?async=true", { scene_id, file: MODEL });
  assert.equal((await awaitOperation(server, importing)).status, "SUCCEEDED");
  return scene_id;
}

const untilFiles = (folder: string, count: number): Promise<void> =>
  until(`${count} files are in the folder`, () => readdirSync(folder).length === count);

longTest("a print that exceeds the time-out is cancelled and leaves no file", async () => {
  const folder = jobFolder();
  const command = readArguments(["--port", "0", ...argumentsOf(folder)]);
  assert.ok(command.kind === "serve");
  const running = await startServer(command.args, TIMEOUT_MS);
  try {
    const scene_id = await sceneOfModel(running);
    const job = { scene_id, printer: "Form", job_name: "given up" };
    const { body } = await call(running.port, "POST", "/v1/scene/print/", job);
    assert.equal(body.error.code, "TIMED_OUT");
    await untilFiles(folder, 0);
    const { devices } = (await call(running.port, "GET", "/v1/device/list/")).body;
    assert.ok(devices[0].ready_to_print_now, "the printer has no job");
  } finally {
    await running.stop();
  }
});

longTest("a server that is stopped while it writes a job leaves no file", async () => {
  const folder = jobFolder();
  const printwright = await startPrintwright(argumentsOf(folder));
  const scene_id = await sceneOfModel(printwright);
  void printwright.post("/v1/scene/print/", { scene_id, printer: "Form", job_name: "given up" }).catch(() => {});
  await untilFiles(folder, 1);
  assert.equal(await printwright.stop(), 0);
  assert.deepEqual(readdirSync(folder), []);
});
