import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Cancelled, cancelJob, newJobState, unwatched, watchJob } from "../../src/core/watch.ts";
import { writeForm } from "../../src/format/form/write.ts";
import { PROJECT } from "../fixture/form-project.ts";

test("a save that is cancelled after its last byte does not replace the file", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cancelled-save-"));
  const file = join(folder, "project.form");
  writeFileSync(file, "old");
  const shares: number[] = [];
  await writeForm(join(folder, "other.form"), PROJECT, { ...unwatched, report: (share) => shares.push(share) });
  rmSync(join(folder, "other.form"));
  const lastPiece = Math.max(...shares.filter((share) => share < 1));
  const state = newJobState();
  const watch = watchJob(state);
  // Cancelled when the watch has heard of the last piece, while the bytes go to the disk.
  const report = (share: number): void => {
    watch.report(share);
    if (share === lastPiece) cancelJob(state);
  };
  await assert.rejects(writeForm(file, PROJECT, { ...watch, report }), Cancelled);
  assert.equal(readFileSync(file, "utf8"), "old");
  assert.deepEqual(readdirSync(folder), ["project.form"]);
  rmSync(folder, { recursive: true });
});
