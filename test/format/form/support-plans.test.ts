import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { unzipSync } from "fflate";
import { noProgress } from "../../../src/core/progress.ts";
import type { FormDocument, FormModel } from "../../../src/format/form/document.ts";
import { readForm, writeForm } from "../../../src/format/form/form-file.ts";
import { PROJECT, SUPPORTS, someModel } from "../../fixture/form-project.ts";
import { slowRuns } from "../../fixture/long.ts";
import { fc } from "../../fixture/property.ts";
import { anyPlan } from "../../fixture/support-plans.ts";

const folder = mkdtempSync(join(tmpdir(), "form-plans-"));
const path = join(folder, "project.form");
after(() => rmSync(folder, { recursive: true }));

interface SavedManifest {
  readonly version: number;
  readonly scenes: { models: { supports: { touchpoints: unknown[][] } }[] }[];
}

const holding = (model: FormModel): FormDocument => ({
  ...PROJECT,
  scenes: [{ ...PROJECT.scenes[0], models: [model] }],
});

async function saved(model: FormModel): Promise<SavedManifest> {
  await writeForm(path, holding(model), noProgress);
  return JSON.parse(Buffer.from(unzipSync(readFileSync(path))["manifest.json"]).toString("utf8"));
}

test("plans are restored completely, with supports and without, and need a container of version 3", async () => {
  await fc.assert(
    fc.asyncProperty(anyPlan, fc.boolean(), async (supportPlan, isSupported) => {
      const touchpoints = supportPlan.points.slice(0, 3);
      const supports = isSupported ? { supports: { ...SUPPORTS, touchpoints } } : {};
      const model = someModel({ ...supports, supportPlan });
      assert.equal((await saved(model)).version, 3);
      assert.deepEqual(await readForm(path, noProgress), holding(model));
    }),
    { numRuns: slowRuns(30) },
  );
});

test("a touchpoint needs version 3 if a person put it there, locked it, or gave it another size", async () => {
  const [first, ...others] = SUPPORTS.touchpoints;
  for (const change of [{ sizeMm: 0.3 }, { locked: true }, { origin: "MANUAL" }, { cause: "MANUAL" }] as const) {
    const supports = { ...SUPPORTS, touchpoints: [{ ...first, ...change }, ...others] };
    const { version, scenes } = await saved(someModel({ supports }));
    assert.equal(version, 3);
    assert.deepEqual(
      scenes[0].models[0].supports.touchpoints.map((tuple) => tuple.length),
      [10, 7],
    );
    assert.deepEqual(await readForm(path, noProgress), holding(someModel({ supports })));
  }
});
