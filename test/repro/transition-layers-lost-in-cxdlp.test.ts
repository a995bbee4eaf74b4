import assert from "node:assert/strict";
import { test } from "node:test";
import { settingWithFigures } from "../../src/catalog/custom-print-setting.ts";
import { lossesOf } from "../../src/feature/print/job-losses.ts";

// The sentence about transition layers was that of the catalog's own setting, of which no loss is told.

const COMBINATION = { machine_type: "CREALITY-CL-60", material_code: "GENERIC-RESIN", layer_thickness_mm: 0.05 };

test("transition layers that the user sets are told as lost in .cxdlp files of version 3", () => {
  const losses = lossesOf(settingWithFigures(COMBINATION, { transition_layers: 9 }));
  assert.equal(losses.length, 1);
  assert.match(losses[0] ?? "", /the 9 layers with such an exposure get that of the others/);
  assert.deepEqual(lossesOf(settingWithFigures(COMBINATION, { transition_layers: 0 })), []);
});
