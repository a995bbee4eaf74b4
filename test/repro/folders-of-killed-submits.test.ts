import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, test } from "node:test";
import { HOST } from "../../src/core/temporary-file.ts";
import { contentOf, newPayload } from "../../src/farm/job/job-payload.ts";
import { openFolderStore } from "../../src/farm/store/folder-store.ts";

const folder = mkdtempSync(join(tmpdir(), "printwright-killed-submit-"));
after(() => rmSync(folder, { recursive: true }));

// `submit` and workers make folders for long lists of steps. Those of killed ones were never removed.
test("a folder that a killed submit has left is removed by the next one", async () => {
  const { TMPDIR } = process.env;
  const temporary = join(folder, "temporary");
  process.env["TMPDIR"] = temporary;
  try {
    // A process id that is not in use: that of Linux ends at 2^22.
    mkdirSync(join(temporary, `printwright-farm-${HOST}-4194305-abcdef`), { recursive: true });
    writeFileSync(join(temporary, "notes"), "of somebody else");
    const store = openFolderStore(join(folder, "store"), { lookAgainMs: [] });
    const steps = [{ request: "scene/create", body: { name: "x".repeat(10_000) } }];
    const payload = await newPayload({ steps, inputs: {}, outputs: [] }, store, { seconds: 1, created: "" });
    assert.deepEqual((await contentOf(payload, store)).steps, steps);
    assert.deepEqual(readdirSync(temporary), ["notes"]);
    assert.equal(readFileSync(join(temporary, "notes"), "utf8"), "of somebody else");
  } finally {
    if (TMPDIR === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = TMPDIR;
  }
});
