import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { Cancelled, unwatched } from "../../src/core/watch.ts";
import { writeFileAtomically } from "../../src/core/write-file.ts";
import { writeForm } from "../../src/format/form/write.ts";
import { PROJECT } from "../fixture/form-project.ts";

const folder = mkdtempSync(join(tmpdir(), "cancelled-save-"));
after(() => rmSync(folder, { recursive: true }));

/** Saves the project over an old file; `look` gets the size of the temporary file whenever the watch is asked. */
async function save(file: string, look: (writtenBytes: number) => void): Promise<void> {
  writeFileSync(file, "old");
  const report = (): void => {
    const temporary = readdirSync(folder).find((name) => name.endsWith(".part"));
    if (temporary !== undefined) look(statSync(join(folder, temporary)).size);
  };
  await writeForm(file, PROJECT, { ...unwatched, report });
}

test("a save that is cancelled after its last byte does not replace the file", async () => {
  const file = join(folder, "project.form");
  const seen: number[] = [];
  await save(file, (size) => seen.push(size));
  const whole = statSync(file).size;
  assert.equal(seen.at(-1), whole);
  const cancelled = save(file, (size) => {
    if (size === whole) throw new Cancelled();
  });
  await assert.rejects(cancelled, Cancelled);
  assert.equal(readFileSync(file, "utf8"), "old");
  assert.deepEqual(readdirSync(folder), ["project.form"]);
});

test("what has the last word before a file is replaced can keep the old one", () => {
  const file = join(folder, "kept");
  writeFileSync(file, "old");
  const refuse = (): never => {
    throw new Cancelled();
  };
  assert.throws(() => writeFileAtomically(file, [new TextEncoder().encode("new")], refuse), Cancelled);
  assert.equal(readFileSync(file, "utf8"), "old");
  assert.ok(!readdirSync(folder).some((name) => name.endsWith(".part")));
});
