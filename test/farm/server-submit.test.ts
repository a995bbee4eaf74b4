import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { runCommand } from "../fixture/command.ts";
import { ACME_ONE } from "../fixture/machines-file.ts";
import { startPrintwright } from "../fixture/printwright.ts";

const folder = mkdtempSync(join(tmpdir(), "printwright-server-submit-"));
after(() => rmSync(folder, { recursive: true }));
const queue = join(folder, "queue.sqlite");
const variables = { PRINTWRIGHT_QUEUE: queue, XDG_STATE_HOME: folder };
const machines = join(folder, "machines.json");
writeFileSync(machines, JSON.stringify({ printers: [ACME_ONE] }));
const body = { machine_type: "ACME-ONE", material_code: "GENERIC-RESIN", layer_thickness_mm: 0.05 };
const steps = [{ request: "scene/create", body }];
writeFileSync(join(folder, "steps.json"), JSON.stringify(steps));

test("a server and the command submit the same job, with the same files of own machines", async () => {
  const server = await startPrintwright(["--machines", machines], folder, undefined, variables);
  try {
    const { status, body } = await server.post("/v1/job/submit/", { steps, folder });
    assert.equal(status, 200);
    assert.equal(body.is_new, true);
    const words = ["submit", "steps.json", "--machines", machines, "--queue", queue, "--store", join(folder, "files")];
    const command = await runCommand([...words, "--json"], folder);
    assert.equal(command.status, 0, command.stderr);
    const { id, is_new } = JSON.parse(command.stdout);
    assert.deepEqual([id, is_new], [body.job_id, false]);
  } finally {
    await server.stop();
  }
});
