import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { CancelledError, noProgress } from "../../src/core/progress.ts";
import { writeFileAtomically } from "../../src/core/write-file.ts";
import { writeForm } from "../../src/format/form/form-file.ts";
import { PROJECT } from "../fixture/form-project.ts";

const folder = mkdtempSync(join(tmpdir(), "cancelled-save-"));
after(() => rmSync(folder, { recursive: true }));

/** Saves the project over an old file; `look` is called with the size of the temporary file at every progress report, and at the commit. */
async function save(file: string, look: (writtenBytes: number) => void): Promise<void> {
  writeFileSync(file, "old");
  const report = (): void => {
    const temporary = readdirSync(folder).find((name) => name.endsWith(".part"));
    if (temporary !== undefined) look(statSync(join(folder, temporary)).size);
  };
  await writeForm(file, PROJECT, { ...noProgress, report, commit: report });
}

test("a save that is cancelled after its last byte does not replace the file", async () => {
  const file = join(folder, "project.form");
  const seen: number[] = [];
  await save(file, (size) => seen.push(size));
  const whole = statSync(file).size;
  assert.equal(seen.at(-1), whole);
  const cancelled = save(file, (size) => {
    if (size === whole) throw new CancelledError();
  });
  await assert.rejects(cancelled, CancelledError);
  assert.equal(readFileSync(file, "utf8"), "old");
  assert.deepEqual(readdirSync(folder), ["project.form"]);
});

test("a cancel just before a file is replaced keeps the old file", () => {
  const file = join(folder, "kept");
  writeFileSync(file, "old");
  const refuse = (): never => {
    throw new CancelledError();
  };
  assert.throws(() => writeFileAtomically(file, [new TextEncoder().encode("new")], refuse), CancelledError);
  assert.equal(readFileSync(file, "utf8"), "old");
  assert.ok(!readdirSync(folder).some((name) => name.endsWith(".part")));
});
