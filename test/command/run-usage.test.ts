import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { runCommand } from "../fixture/command.ts";

// What `run` tells programs about the machine that it takes.

const folder = mkdtempSync(join(tmpdir(), "printwright-usage-"));
after(() => rmSync(folder, { recursive: true }));
const body = { machine_type: "FORM-4-0", material_code: "FLGPGR05", layer_thickness_mm: 0.05 };
const create = { name: "scene", request: "scene/create", body };
const picture = (side: number) => ({
  request: "scene/render",
  body: { scene_id: { $: "scene.scene_id" }, file: "view.png", image_size_px: side },
});
writeFileSync(join(folder, "large.json"), JSON.stringify([create, picture(4096)]));
writeFileSync(
  join(folder, "wrong.json"),
  JSON.stringify([create, { ...create, body: { ...body, layer_thickness_mm: 9 } }]),
);
const linesOf = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

test("a step that would need more memory says so to programs, and another error does not", async () => {
  const large = await runCommand(["run", "large.json", "--json", "--max-memory", "300M"], folder);
  assert.equal(large.status, 1, large.stderr);
  const { error, needs_memory } = linesOf(large.stdout).at(-1);
  assert.deepEqual([error.code, needs_memory], ["OPERATION_FAILED", true]);
  const wrong = await runCommand(["run", "wrong.json", "--json"], folder);
  assert.equal(linesOf(wrong.stdout).at(-1).needs_memory, undefined);
});

test("a list ends with the processor time and the memory of its process", async () => {
  writeFileSync(join(folder, "one.json"), JSON.stringify([create]));
  const { stdout } = await runCommand(["run", "--each"], folder, '{"id": "a", "file": "one.json"}\n');
  const { status, cpu_seconds, peak_memory_bytes, memory_bytes } = linesOf(stdout).at(-1);
  assert.equal(status, 0);
  assert.ok(cpu_seconds > 0 && cpu_seconds < 60);
  assert.ok(peak_memory_bytes > 20 * 2 ** 20 && peak_memory_bytes >= 0.9 * memory_bytes, `${peak_memory_bytes}`);
});
