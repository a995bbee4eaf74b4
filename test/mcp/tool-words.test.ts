import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { RootFolder } from "../../src/mcp/root-folder.ts";
import { inToolWords, warningsInWords } from "../../src/mcp/tool-words.ts";
import { newWorkspace } from "../../src/mcp/workspace.ts";

const folder = mkdtempSync(join(tmpdir(), "printwright-mcp-words-"));
after(() => rmSync(folder, { recursive: true }));

// No message needs the runner.
const workspace = newWorkspace(undefined as never, new RootFolder(folder));
const SCENE = "6f1f2c9e-3f57-4b7e-9c58-0a4f6a3a9b11";
const MODEL = "0b0c6bd5-7a0a-4ab7-8a5b-0f3a3f0a9d42";
workspace.plates.of(SCENE);
workspace.parts.of(MODEL);

/** Messages as the HTTP interface and commands have them, and what tools say. */
const MESSAGES: readonly (readonly [string, string])[] = [
  [`There is no model ${MODEL} in the scene ${SCENE}.`, "There is no part part1 in the plate plate1."],
  [
    "The model needs repair: 4 open edges. Import it with repair_behavior REPAIR, or with IGNORE to take it as it is.",
    "The part needs repair: 4 open edges. Import it with repair: true.",
  ],
  [
    "Check the models with /v1/scene/model/validate/manifoldness/ and repair them with /v1/scene/model/repair/.",
    "Check the parts with check and repair them with edit_parts with do: repair.",
  ],
  [
    "Of 12 models 9 fit: use a smaller model_spacing_mm or wider custom_bounds, or let more models rotate.",
    "Of 12 parts 9 fit: use a smaller spacing_mm or set overflow to NEW_SCENE.",
  ],
  ["choose a printer. The choices:\n  A-1 (A)\n  B-1 (B)", "choose a printer. The choices: A-1 (A), B-1 (B)"],
  ["name it; printwright printers lists them all", "name it; list_printers lists them"],
  [
    "This server keeps at most 100 scenes and holds 100: delete some, or start it with a higher --max-scenes.",
    "This server keeps at most 100 scenes and holds 100: close_plate closes some.",
  ],
  ["a model file is no part", "a model file is no part"],
];

for (const [message, words] of MESSAGES) {
  test(`in the words of the tools: ${words}`, () => assert.equal(inToolWords(message, workspace), words));
}

test("paths below the root are those that callers use", () => {
  const file = join(workspace.root.path, "sub", "part.stl");
  assert.equal(inToolWords(`"${file}" is damaged`, workspace), `"${join("sub", "part.stl")}" is damaged`);
});

test("equal warnings are told once, and few of many", () => {
  const many = Array.from({ length: 20 }, (_, i) => `warning ${i}`);
  const { lines, data } = warningsInWords(["a", "a", ...many], workspace);
  assert.deepEqual(lines.slice(0, 2), ["- warning (2 times): a", "- warning: warning 0"]);
  assert.equal(lines.at(-1), "- and 13 more");
  assert.deepEqual(data.warnings.slice(0, 2), ["a", "warning 0"]);
  assert.equal(data.warnings.length, 8);
});
