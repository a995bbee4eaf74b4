import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { openApi } from "../../src/api/openapi.ts";
import { ENDPOINTS } from "../../src/feature/endpoints.ts";
import { ACTIONS, ENDPOINTS_WITHOUT_FORM, actionFields, actionsOf } from "../../src/page/action/actions.ts";
import { endpointForms } from "../../src/page/action/endpoint-forms.ts";
import type { FormField } from "../../src/page/action/form-field.ts";
import { bodyOf, problemOf } from "../../src/page/action/form-values.ts";

const FORMS = endpointForms(openApi(ENDPOINTS));

/** Endpoints that the page does not need: it gets the same data from `/ui/state/`, `/ui/scene/` and results of operations. */
const NOT_CALLED = [
  "/v1/",
  "/v1/user/",
  "/v1/scene/list/",
  "/v1/scene/get/",
  "/v1/scene/rename/",
  "/v1/scene/model/supports/get/",
  "/v1/scene/model/supports/preview/",
  "/v1/scene/model/supports/set/",
  "/v1/scene/model/supports/delete/",
  "/v1/print-setting/validate/",
  "/v1/job/layers/",
  "/v1/job/compare/",
  "/v1/job/submit/",
  "/v1/job/list/",
  "/v1/job/get/",
  "/v1/job/cancel/",
  "/v1/job/retry/",
  "/v1/operation/list/",
  "/v1/operation/delete/",
];
/** Endpoints that `/ui/scene/ID/download/` and `/ui/job/TOKEN/NAME/convert/` run. */
const DOWNLOADS = [
  "/v1/job/convert/",
  "/v1/calibration/plate/",
  "/v1/scene/save/",
  "/v1/scene/export/",
  "/v1/scene/render/",
  "/v1/print-setting/save/",
];

test("every endpoint has a form, or is called by another part of the page", () => {
  const folder = fileURLToPath(new URL("../../src/page/", import.meta.url));
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => /\.tsx?$/.test(file));
  const sources = files.map((file) => readFileSync(join(folder, file), "utf8")).join("");
  const called = [...sources.matchAll(/["`](\/v1\/[\w/-]*\/)/g)].map(([, path]) => path);
  const known = new Set([...ACTIONS.map(({ path }) => path), ...called, ...NOT_CALLED, ...DOWNLOADS]);
  assert.deepEqual(
    Object.keys(FORMS).filter((path) => !known.has(path)),
    [],
  );
  const named = [...ACTIONS.map(({ path }) => path), ...ENDPOINTS_WITHOUT_FORM, ...NOT_CALLED, ...DOWNLOADS];
  assert.deepEqual(
    named.filter((path) => !(path in FORMS)),
    [],
  );
});

test("an endpoint on models that the table lacks gets a form in the group more", () => {
  const body = { type: "object", properties: { depth_mm: { type: "number" } } };
  const added = { "/v1/scene/model/wall-check/": { method: "POST", description: "", async: true, body } };
  const action = actionsOf({ ...FORMS, ...added }).at(-1)!;
  assert.equal(action.title, "Wall check");
  assert.deepEqual(
    actionFields(action, added).map(({ label, unit }) => [label, unit]),
    [["Depth", "mm"]],
  );
});

/** Fields that the page fills in from the scene, the selection and clicks, and areas, which people paint for supports and holes alike. */
const NOT_IN_FORMS = new Set([
  "scene_id",
  "model_ids",
  "model_id",
  "position",
  "orientation",
  "drain_holes",
  "protected_areas",
]);

const isNeededText = (field: FormField): boolean => field.kind === "text" && field.required;

for (const action of ACTIONS) {
  const fields = actionFields(action, FORMS);
  const { body } = FORMS[action.path];
  const properties = body?.properties ?? body?.oneOf?.[0].properties ?? {};

  test(`the form of ${action.path} has every field of the request with a help text, and is valid unchanged`, () => {
    const names = Object.keys(properties).filter((name) => !NOT_IN_FORMS.has(name));
    const shown = new Set(fields.map(({ name }) => name));
    assert.deepEqual(
      names.filter((name) => !shown.has(name)),
      [],
    );
    assert.deepEqual(
      fields.filter(({ help }) => help.length < 10),
      [],
    );
    const texts = Object.fromEntries(fields.filter(isNeededText).map(({ name }) => [name, "A"]));
    assert.equal(problemOf(fields, texts, action.conditions), undefined);
  });

  test(`the table names only fields that ${action.path} has`, () => {
    const names = new Set(fields.map(({ name }) => name));
    const told = [...(action.basic ?? []), ...Object.keys({ ...action.presets, ...action.conditions })];
    assert.deepEqual(
      told.filter((name) => !names.has(name)),
      [],
    );
  });
}

test("the fields of a required group have presets, which are sent, and their values are checked", () => {
  const stretch = ACTIONS.find(({ path }) => path.endsWith("/stretch/"))!;
  const fields = actionFields(stretch, FORMS);
  assert.deepEqual(bodyOf(fields, {}), { factors: { x: 1, y: 1, z: 1 } });
  assert.deepEqual(bodyOf(fields, { factors: { y: 2 } }), { factors: { x: 1, y: 2, z: 1 } });
  assert.match(problemOf(fields, { factors: { y: 0 } })!, /^Y must be at least 0.01/);
});

test("fields that depend on others are sent only if they are active", () => {
  const dental = ACTIONS.find(({ path }) => path.endsWith("/dental-hollow/"))!;
  const fields = actionFields(dental, FORMS);
  const sent = (values: object) => Object.keys(bodyOf(fields, { ...values }, dental.conditions));
  assert.ok(!sent({ shell_thickness_mm: 3 }).includes("shell_thickness_mm"));
  assert.ok(sent({ shell_thickness_mm: 3, hollow: true }).includes("shell_thickness_mm"));
  const cuts = sent({ cutoff_height_mm: 3, cutoff_below_gumline_mm: 1 }).filter((name) => name.startsWith("cutoff"));
  assert.deepEqual(cuts, ["cutoff_height_mm"]);
});
