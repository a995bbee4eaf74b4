import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fromFormDocument } from "../../src/feature/projects/form-document.ts";
import { runAtOnce } from "../../src/core/steps.ts";
import { noProgress } from "../../src/core/progress.ts";
import { writeForm } from "../../src/format/form/form-file.ts";
import { openForm } from "../../src/feature/projects/open-form.ts";
import { someModel } from "../fixture/form-project.ts";

const folder = mkdtempSync(join(tmpdir(), "project-of-copies-"));
after(() => rmSync(folder, { recursive: true }));

const COMBINATION = {
  machineType: "FORM-4-0",
  materialCode: "FLGPBK05",
  printSetting: "DEFAULT",
  layerThicknessMm: 0.1,
};

async function opened(copies: number) {
  const file = join(folder, `${copies}.form`);
  const models = Array.from({ length: copies }, () => someModel({}));
  await writeForm(
    file,
    { projectName: "", scenes: [{ name: "Scene 1", combination: COMBINATION, models }] },
    noProgress,
  );
  return openForm({ file, maxScenes: 1 }, noProgress);
}

test("copies in a project file share one outline, which is computed once", async () => {
  const { outlines } = await opened(500);
  assert.equal(new Set(outlines.flat().map(({ model }) => model)).size, 1);
});

test("a project file with more models in a scene than are allowed is refused", async () => {
  const sound = await opened(10_000);
  assert.equal(runAtOnce(fromFormDocument(sound))[0].models.length, 10_000);
  await assert.rejects(opened(10_001), { code: "OPERATION_FAILED", message: /at most 10000 models/ });
});
