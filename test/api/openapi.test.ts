import assert from "node:assert/strict";
import { test } from "node:test";
import * as v from "valibot";
import { ENDPOINTS } from "../../src/feature/endpoints.ts";
import { field, object, strictObject } from "../../src/api/field.ts";
import { openApi } from "../../src/api/openapi.ts";

// Every field has a sentence, every number its unit, every id its format, and every failure its status and codes.

const document = openApi(ENDPOINTS) as any;

interface Field {
  readonly where: string;
  readonly name: string;
  readonly schema: any;
}

/** The fields of a schema, its items, its maps and its alternatives. Rules that name fields of the schema (`anyOf` in update) declare no fields. */
function fieldsOf(schema: any, where: string): Field[] {
  if (typeof schema !== "object" || schema === null) return [];
  const own = Object.entries<any>(schema.properties ?? {}).flatMap(([name, property]) => [
    { where, name, schema: property },
    ...fieldsOf(property, `${where}/${name}`),
  ]);
  const inner = [schema.items, schema.additionalProperties, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  const isNew = (field: Field): boolean => field.where !== where || !Object.hasOwn(schema.properties ?? {}, field.name);
  return [...own, ...inner.flatMap((one) => fieldsOf(one, where)).filter(isNew)];
}

const operations = ENDPOINTS.map(({ path, method }) => ({ path, ...document.paths[path][method.toLowerCase()] }));
const contentOf = (holder: any): any => holder?.content?.["application/json"]?.schema;
const fields: Field[] = [
  ...operations.flatMap(({ path, requestBody, responses }) => [
    ...fieldsOf(contentOf(requestBody), path),
    ...Object.values(responses).flatMap((response) => fieldsOf(contentOf(response), path)),
  ]),
  ...Object.entries(document.components.schemas).flatMap(([name, schema]) => fieldsOf(schema, name)),
  ...operations.flatMap(({ path, parameters }) =>
    parameters.map((one: any) => ({ where: path, name: one.name, schema: one })),
  ),
];

test("every field and parameter has a sentence", () => {
  for (const { where, name, schema } of fields) {
    const sentence = schema.description;
    assert.ok(
      typeof sentence === "string" && /^[A-Z"].*\.$/.test(sentence),
      `${where}/${name}: ${sentence}: declare it with field() of src/api/field.ts`,
    );
  }
});

test("an object of fields without a sentence does not compile", () => {
  const described = { length_mm: field(v.optional(v.number(), 5), "Length in mm.") };
  assert.deepEqual(v.parse(strictObject(described), {}), { length_mm: 5 });
  // @ts-expect-error: no sentence
  object({ ...described, width_mm: v.number() });
  // @ts-expect-error: no sentence among the checks
  strictObject({ ...described, width_mm: v.pipe(v.number(), v.minValue(1)) });
});

/** The word for the unit at the end of a field's name. */
const UNITS: Readonly<Record<string, RegExp>> = {
  mm: /\bmm\b/,
  um: /µm/,
  deg: /degrees/,
  s: /seconds/,
  seconds: /seconds/,
  ms: /milliseconds/,
  ml: /\bml\b/,
  mL: /\bml\b/,
  kg: /\bkg\b/,
  g: /grams/,
  c: /°C/,
  px: /pixels/,
  mm2: /mm²/,
  mm3: /mm³/,
};

test("the sentence of a number names the unit at the end of the field's name", () => {
  const named = fields.flatMap(({ where, name, schema }) => {
    const unit = UNITS[/_([^_]+)$/.exec(name)?.[1] ?? ""];
    return unit === undefined ? [] : [{ where, name, unit, description: schema.description }];
  });
  assert.ok(named.length > 50);
  for (const { where, name, unit, description } of named) assert.match(description, unit, `${where}/${name}`);
});

test("ids of scenes, models, operations and jobs have the format of a UUID", () => {
  const ids = fields.filter(({ name }) => /^(.*_)?(scene|model|operation|job)_ids?$/.test(name));
  assert.ok(ids.length > 80);
  for (const { where, name, schema } of ids) {
    const { format } = schema.items ?? schema.schema ?? schema.anyOf?.[0] ?? schema;
    assert.equal(format, "uuid", `${where}/${name}`);
  }
});

test("every endpoint has a response for each status of its errors, with their codes", () => {
  for (const { path, responses, requestBody } of operations) {
    for (const [status, { description }] of Object.entries<any>(responses)) {
      if (/^[45]/.test(status)) assert.match(description, /^With error.code [A-Z_]+( or [A-Z_]+)*\.$/, path);
    }
    assert.match(responses[403].description, /FORBIDDEN_ORIGIN/);
    if (requestBody) assert.match(responses[400].description, /JSON_SCHEMA_MATCH_ERROR/, path);
  }
  const { responses } = document.paths["/v1/operation/delete/"].delete;
  assert.match(responses[409].description, /OPERATION_IN_PROGRESS/);
  assert.match(document.paths["/v1/scene/model/auto-support/"].post.responses[422].description, /UNSUPPORTED_SCENE/);
});

/** All objects within a value. */
function* objectsIn(value: unknown): Generator<any> {
  if (typeof value !== "object" || value === null) return;
  yield value;
  for (const inner of Object.values(value)) yield* objectsIn(inner);
}

test("linters and client generators accept the document", () => {
  const tags = new Set(document.tags.map(({ name }: { name: string }) => name));
  const ids = operations.map(({ operationId }) => operationId);
  assert.equal(new Set(ids).size, ids.length);
  assert.deepEqual(document.security, []);
  for (const { path, tags: own, summary, description, responses } of operations) {
    assert.ok(own.length === 1 && tags.has(own[0]), path);
    assert.ok(summary.length > 0 && summary.length <= 200 && description.includes(summary), `${path}: ${summary}`);
    if (responses[202]) assert.ok(responses[202].headers.Location, path);
  }
  for (const one of objectsIn(document)) {
    if (typeof one.$ref === "string")
      assert.ok(one.$ref.replace("#/components/schemas/", "") in document.components.schemas);
    if (one.type === "array") assert.equal(typeof one.items, "object");
    if (Array.isArray(one.oneOf)) assert.ok(one.oneOf.length > 1);
    assert.ok(one.minimum === undefined || one.exclusiveMinimum === undefined);
  }
});

test("every answer refers to the named schemas of models, scenes and their settings", () => {
  for (const name of ["Model", "Scene", "SceneSettings"]) assert.ok(name in document.components.schemas);
  const itemsOf = (path: string, method: string, field: string) =>
    contentOf(document.paths[path][method].responses[200]).properties[field].items;
  assert.deepEqual(itemsOf("/v1/scene/list/", "get", "scenes"), { $ref: "#/components/schemas/Scene" });
  assert.deepEqual(itemsOf("/v1/scene/model/list/", "post", "models"), { $ref: "#/components/schemas/Model" });
  const model = document.components.schemas.Model;
  const inline = [...objectsIn(document.paths)].filter(
    ({ properties }) =>
      properties && JSON.stringify(Object.keys(properties)) === JSON.stringify(Object.keys(model.properties)),
  );
  assert.equal(inline.length, 0);
});

/** Whether a value follows the rules between fields of a JSON schema. Types and limits of the fields are not checked. */
function matchesRules(schema: any, value: any): boolean {
  const has = (field: string): boolean => Object.hasOwn(value, field);
  const parts: [string, any][] = Object.entries(schema.properties ?? {});
  return (
    (schema.required ?? []).every(has) &&
    parts.every(
      ([field, { const: only, pattern }]) =>
        !has(field) ||
        ((only === undefined || value[field] === only) &&
          (pattern === undefined || new RegExp(pattern).test(value[field]))),
    ) &&
    (schema.not === undefined || !matchesRules(schema.not, value)) &&
    (schema.anyOf === undefined || schema.anyOf.some((one: any) => matchesRules(one, value))) &&
    Object.keys(value).length >= (schema.minProperties ?? 0) &&
    Object.entries(schema.dependentSchemas ?? {}).every(([field, one]) => !has(field) || matchesRules(one, value))
  );
}

test("the document states the rules between fields that the server applies", () => {
  const id = "00000000-0000-4000-8000-000000000000";
  const hole = { orientation: { x: 0, y: 0, z: 0 }, position: { x: 0, y: 0, z: 0 }, diameter_mm: 1 };
  const keyframes = [0, 90].map((yaw) => ({ yaw, pitch: 0 }));
  /** Pairs of bodies: the second one breaks the rule, and nothing else differs. */
  const pairs: [path: string, good: object, bad: object][] = [
    [
      "scene/model/dental-hollow",
      { extrude_distance_mm: 1, cutoff_height_mm: 2 },
      { extrude_distance_mm: 1, cutoff_height_mm: 2, cutoff_below_gumline_mm: 1 },
    ],
    [
      "scene/model/dental-hollow",
      { extrude_distance_mm: 1, hollow: true, shell_thickness_mm: 1 },
      { extrude_distance_mm: 1, shell_thickness_mm: 1 },
    ],
    ["scene/model/auto-orient", { mode: "DENTAL", tilt: 5 }, { tilt: 5 }],
    ["scene/model/update", { name: "a" }, {}],
    [
      "scene/render",
      { file: "/a.WebP", flyaround: { keyframes, frame_count: 2 } },
      { file: "/a.png", flyaround: { keyframes, frame_count: 2 } },
    ],
  ];
  for (const [name, ...bodies] of pairs) {
    const { body } = ENDPOINTS.find(({ path }) => path === `/v1/${name}/`)!;
    const schema = contentOf(document.paths[`/v1/${name}/`].post.requestBody);
    for (const [i, one] of bodies.entries()) {
      const whole = { scene_id: id, ...one };
      assert.deepEqual([v.safeParse(body!, whole).success, matchesRules(schema, whole)], [i === 0, i === 0], name);
    }
  }
  const drill = contentOf(document.paths["/v1/scene/model/drill/"].post.requestBody).properties.drain_holes.items;
  assert.ok(matchesRules(drill, { ...hole, depth_mm: "AUTO", max_search_distance_mm: 3 }));
  assert.ok(!matchesRules(drill, { ...hole, depth_mm: 2, max_search_distance_mm: 3 }));
  const combination = contentOf(document.paths["/v1/print-setting/validate/"].post.requestBody);
  assert.ok(!matchesRules(combination, { machine_type: "a", material_code: "b" }));
});
