import assert from "node:assert/strict";
import { test } from "node:test";
import { openApi } from "../../src/api/openapi.ts";
import { ENDPOINTS } from "../../src/feature/endpoints.ts";
import { formDefaults } from "../../src/ui/form-defaults.ts";
import { POWDER_SETTING, RESIN_SETTING, someScene } from "../fixture/some-scene.ts";

// What "auto" means in forms: values of the print setting.

const { paths } = openApi(ENDPOINTS) as { paths: Record<string, Record<string, any>> };

/** The optional fields of a request without a default of their own whose sentence says that the print setting gives them. */
const fieldsOfSetting = (path: string): string[] =>
  Object.entries<any>(paths[path].post.requestBody.content["application/json"].schema.properties)
    .filter(([, { description, default: own }]) => own === undefined && /value of the print setting/.test(description))
    .map(([name]) => name);

test("every field that the print setting gives has its value in a form", () => {
  for (const setting of [RESIN_SETTING, POWDER_SETTING]) {
    const { fields } = formDefaults(someScene([], setting));
    assert.ok(Object.keys(fields).length > 0);
    for (const [path, values] of Object.entries(fields)) {
      assert.deepEqual(Object.keys(values).toSorted(), fieldsOfSetting(path).toSorted(), path);
    }
  }
});

test("the values are those of the print setting", () => {
  const support = formDefaults(someScene()).fields["/v1/scene/model/auto-support/"];
  const { density, only_minima, touchpoint_size_mm } = support;
  assert.deepEqual(
    { density, only_minima, touchpoint_size_mm },
    { density: 1, only_minima: false, touchpoint_size_mm: 0.5 },
  );
  const pack = formDefaults(someScene([], POWDER_SETTING)).fields["/v1/scene/model/auto-pack/"];
  assert.deepEqual(pack, { model_spacing_mm: 5 });
});
