import assert from "node:assert/strict";
import { test } from "node:test";
import { openApi } from "../../src/api/openapi.ts";
import { jsonSchemaOf } from "../../src/api/openapi-schemas.ts";
import { ENDPOINTS } from "../../src/feature/endpoints.ts";
import { editAction, requestOf } from "../../src/mcp/edit-actions.ts";
import { PRINTING_TOOLS, TOOLS } from "../../src/mcp/tools.ts";
import { findEndpoint } from "../../src/command/steps-file.ts";

// What tools accept is what the HTTP interface accepts: each field of a tool has the limits of the field that it becomes.

const { paths } = openApi(ENDPOINTS) as { paths: Record<string, any> };

/** Fields of tools, and the fields of endpoints that they become. */
const FIELDS: readonly (readonly [tool: string, field: string, path: string, property: string])[] = [
  ["add_parts", "units", "scene/model/import", "units"],
  ["open_plate", "print_setting", "scene/create", "print_setting"],
  ["open_plate", "layer_mm", "scene/create", "layer_thickness_mm"],
  ["prepare", "overflow", "scene/prepare", "overflow"],
  ["prepare", "density", "scene/prepare", "support.density"],
  ["prepare", "touchpoint_size_mm", "scene/prepare", "support.touchpoint_size_mm"],
  ["prepare", "spacing_mm", "scene/prepare", "layout.model_spacing_mm"],
  ["prepare", "spacing_mm", "scene/prepare", "pack.model_spacing_mm"],
  ["check", "thin_mm", "scene/check", "threshold_mm"],
  ["print", "job_name", "scene/print", "job_name"],
  ["print", "print_now", "scene/print", "print_now"],
];

/** Limits of an action's fields, and the fields of endpoints that they become. */
const ACTION_FIELDS: readonly (readonly [action: string, field: string, path: string, property: string])[] = [
  ["scale", "factor", "scene/model/scale", "scale"],
  ["copy", "count", "scene/model/duplicate", "count"],
  ["rename", "name", "scene/model/update", "name"],
  ["hollow", "wall_mm", "scene/model/hollow", "wall_thickness_mm"],
  ["drill", "diameter_mm", "scene/model/drill", "drain_holes.diameter_mm"],
  ["label", "text", "scene/model/label", "label"],
  ["label", "size_mm", "scene/model/label", "font_size_mm"],
  ["label", "depth_mm", "scene/model/label", "depth_mm"],
];

/** The property of a body, by its path. Of several forms, the first that has it counts. */
function propertyOf(path: string, property: string): any {
  const body = paths[`/v1/${path}/`].post.requestBody.content["application/json"].schema;
  const find = (schema: any, keys: readonly string[]): any => {
    const [key, ...rest] = keys;
    if (key === undefined) return schema;
    const forms = [schema, schema.items, ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])];
    const form = forms.find((one) => one?.properties?.[key]);
    return form && find(form.properties[key], rest);
  };
  const found = find(body, property.split("."));
  assert.ok(found, `${path} has no ${property}`);
  return found;
}

/** What a schema accepts, without its words and its default. */
const limitsOf = ({ description: _words, default: _default, ...limits }: any): unknown => limits;

for (const [name, field, path, property] of FIELDS) {
  test(`${field} of ${name} takes what ${property} of ${path} takes`, () => {
    const tool = [...TOOLS, ...PRINTING_TOOLS].find((one) => one.name === name)!;
    const own = (jsonSchemaOf(tool.input, "input").properties as any)[field];
    assert.deepEqual(limitsOf(own), limitsOf(propertyOf(path, property)));
  });
}

for (const [action, field, path, property] of ACTION_FIELDS) {
  test(`${field} of the action ${action} takes what ${property} of ${path} takes`, () => {
    const { oneOf } = jsonSchemaOf(editAction, "input") as { oneOf: any[] };
    const own = oneOf.find(({ properties }) => properties.do.const === action).properties[field];
    assert.deepEqual(limitsOf(own), limitsOf(propertyOf(path, property)));
  });
}

test("each action is a request of the interface, and its fields are fields of that", () => {
  const actions = [
    { do: "turn", x_deg: 1, y_deg: 2, z_deg: 3 },
    { do: "move", by_mm: [1, 2, 3] },
    { do: "place", at_mm: [1, 2, 3] },
    { do: "scale", factor: 2 },
    { do: "copy", count: 2 },
    { do: "delete", parts: ["part1"] },
    { do: "rename", name: "a" },
    { do: "repair" },
    { do: "hollow", wall_mm: 2 },
    { do: "drain" },
    { do: "drill", at_mm: [0, 0, 0], into: [0, 0, -1], diameter_mm: 3 },
    { do: "label", at_mm: [0, 0, 0], facing: [0, -1, 0], text: "A", size_mm: 5, depth_mm: 0.5, engrave: true },
    { do: "remove_supports" },
  ] as const;
  for (const action of actions) {
    const { request, body } = requestOf(action as never);
    const { method, path } = findEndpoint(request);
    const schema = paths[path][method.toLowerCase()].requestBody.content["application/json"].schema;
    for (const key of Object.keys(body)) assert.ok(key in schema.properties, `${request} has no ${key}`);
  }
  const names = (jsonSchemaOf(editAction, "input") as { oneOf: any[] }).oneOf.map(
    ({ properties }) => properties.do.const,
  );
  assert.deepEqual([...actions.map((action) => action.do), "fix"], names);
});
