import assert from "node:assert/strict";
import { test } from "node:test";
import { ENDPOINTS } from "../../src/api/endpoints.ts";
import { FIELD_DESCRIPTIONS } from "../../src/api/field-descriptions.ts";
import { openApi } from "../../src/api/openapi.ts";

// Every field has a sentence, numbers tell their unit, ids their format; every failure its status and codes.

const document = openApi() as any;

interface Field {
  readonly where: string;
  readonly name: string;
  readonly schema: any;
}

/** The fields of a schema, of its items, of its maps and of its alternatives. */
function fieldsOf(schema: any, where: string): Field[] {
  if (typeof schema !== "object" || schema === null) return [];
  const own = Object.entries<any>(schema.properties ?? {}).flatMap(([name, property]) => [
    { where, name, schema: property },
    ...fieldsOf(property, `${where}/${name}`),
  ]);
  const inner = [schema.items, schema.additionalProperties, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return [...own, ...inner.flatMap((one) => fieldsOf(one, where))];
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
      `${where}/${name}: ${sentence}: add it to src/api/field-descriptions.ts`,
    );
  }
});

test("every sentence of the table is used", () => {
  const used = new Set(fields.map(({ schema }) => schema.description));
  const unused = Object.entries(FIELD_DESCRIPTIONS).filter(([, sentence]) => !used.has(sentence));
  assert.deepEqual(unused, []);
});

/** The word for the unit in which the name of a field ends. */
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

test("the sentence on a number names the unit that its name ends in", () => {
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
    const { format } = schema.items ?? schema.schema ?? schema;
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
