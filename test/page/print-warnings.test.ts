import assert from "node:assert/strict";
import { test } from "node:test";
import { printWarnings } from "../../src/page/action/print-warnings.ts";

const model = (name: string, facts: object = {}) => ({
  id: `id of ${name}`,
  name,
  in_bounds: true,
  is_group: false,
  has_supports: true,
  ...facts,
});
const pair = (a: string, b: string) => [`id of ${a}`, `id of ${b}`] as const;

test("there is no warning if all models are inside, supported and without overlaps", () => {
  const models = [model("a"), model("b")];
  assert.deepEqual(printWarnings({ models, family: "resin", overlaps: [] }), []);
  assert.deepEqual(printWarnings({ models, family: "resin", overlaps: undefined }), []);
});

test("warnings name models that are outside, overlap or have no supports, or count them if they are many", () => {
  const models = [model("a", { in_bounds: false }), model("b", { has_supports: false }), model("c")];
  assert.deepEqual(printWarnings({ models, family: "resin", overlaps: [pair("a", "c")] }), [
    { severity: "error", text: "a is not inside the build volume." },
    { severity: "warning", text: "a and c overlap, and would be printed as one piece." },
    { severity: "warning", text: "b has no supports, and may come off the platform." },
  ]);
  const names = ["a", "b", "c", "d", "e"];
  const many = names.map((name) => model(name, { has_supports: false, in_bounds: false }));
  const overlaps = names.slice(1).map((name) => pair("a", name));
  assert.deepEqual(
    printWarnings({ models: many, family: "resin", overlaps }).map(({ text }) => text),
    [
      "5 models are not inside the build volume.",
      "4 pairs of models overlap, and would be printed as one piece.",
      "5 models have no supports, and may come off the platform.",
    ],
  );
});

test("powder parts need no supports, and the container of a cage is not a part", () => {
  const models = [model("a", { has_supports: false }), model("cage", { is_group: true, in_bounds: false })];
  assert.deepEqual(printWarnings({ models, family: "powder", overlaps: [] }), []);
});
