import type { JsonSchema } from "@valibot/to-json-schema";

// Tables of fields in Markdown, made of the schemas of the OpenAPI document.

/** A parameter of the query. */
export interface Parameter {
  readonly name: string;
  readonly required?: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
}

const REQUEST_HEADER = ["field", "type", "default", "description"];
const REPLY_HEADER = ["field", "type", "present", "description"];

export const parameterTable = (parameters: readonly Parameter[]): string =>
  table(
    REQUEST_HEADER,
    parameters.map(({ name, required, description, schema }) => [
      `\`${name}\``,
      typeOf(schema, name),
      defaultOf(schema, required === true),
      description,
    ]),
  );

/** A table of the fields of an object, or one for each of its alternatives, and the conditions between fields. */
export function fieldTables(schema: JsonSchema, isRequest: boolean): string[] {
  if (schema.$ref) return [`${typeOf(schema, "")}.`];
  const shapes = schema.oneOf ?? schema.anyOf;
  if (shapes && !schema.properties) {
    return shapes.flatMap((shape, i) => [
      `Form ${i + 1} of ${shapes.length}:`,
      ...fieldTables(shape as JsonSchema, isRequest),
    ]);
  }
  const rows = rowsOf(schema, "", isRequest);
  if (rows.length === 0) return ["An object without fields."];
  return [table(isRequest ? REQUEST_HEADER : REPLY_HEADER, rows), ...conditionsOf(schema)];
}

/** Sentences about fields that depend on one another. */
function conditionsOf(schema: JsonSchema): string[] {
  const { properties, anyOf, not, dependentSchemas } = schema as JsonSchema & { readonly dependentSchemas?: object };
  const choices = properties
    ? ((anyOf ?? []) as JsonSchema[]).map(({ required = [] }) => `\`${required.join("`, `")}\``)
    : [];
  const excluded = (not as JsonSchema | undefined)?.required ?? [];
  const dependent = Object.entries((dependentSchemas ?? {}) as Record<string, JsonSchema>).flatMap(
    ([field, { properties = {} }]) =>
      Object.entries(properties as Record<string, JsonSchema>).flatMap(([other, { const: value }]) =>
        value === undefined ? [] : [`\`${field}\` requires \`${other}\`: \`${JSON.stringify(value)}\`.`],
      ),
  );
  const sentences = [
    ...(choices.length > 0 ? [`At least one of ${choices.join(", ")} is required.`] : []),
    ...(excluded.length > 0 ? [`\`${excluded.join("` and `")}\` exclude each other.`] : []),
    ...dependent,
  ];
  return sentences.length > 0 ? [sentences.join(" ")] : [];
}

/** Rows of the fields inside a schema, by their paths: `a.b` in an object, `a[].b` in an array, `a.*.b` in a map. */
function rowsOf(schema: JsonSchema, prefix: string, isRequest: boolean): string[][] {
  const shapes = (schema.oneOf ?? schema.anyOf ?? []) as JsonSchema[];
  const { properties = {}, required = [], items, additionalProperties } = schema;
  const own = Object.entries(properties as Record<string, JsonSchema>).flatMap(([name, field]) => [
    [
      `\`${prefix}${name}\``,
      typeOf(field, name),
      isRequest ? defaultOf(field, required.includes(name)) : required.includes(name) ? "always" : "optional",
      field.description ?? "",
    ],
    ...rowsOf(field, `${prefix}${name}.`, isRequest),
  ]);
  const inside = prefix.slice(0, -1);
  return [
    ...own,
    ...(schema.properties ? [] : mergedForms(objectsOf(shapes).map((shape) => rowsOf(shape, prefix, isRequest)))),
    ...(typeof items === "object" ? rowsOf(items as JsonSchema, `${inside}[].`, isRequest) : []),
    ...(typeof additionalProperties === "object"
      ? rowsOf(additionalProperties as JsonSchema, `${prefix}*.`, isRequest)
      : []),
  ];
}

const objectsOf = (shapes: readonly JsonSchema[]): JsonSchema[] => shapes.filter(({ properties }) => properties);

/** The rows of all forms of an object, each row once; rows that some forms lack name their forms. */
function mergedForms(forms: readonly (readonly string[][])[]): string[][] {
  const merged = new Map<string, { readonly row: readonly string[]; readonly inForms: number[] }>();
  for (const [i, rows] of forms.entries()) {
    for (const row of rows) merged.getOrInsert(row.join("|"), { row, inForms: [] }).inForms.push(i + 1);
  }
  return Array.from(merged.values(), ({ row, inForms }) => {
    const [name = "", type = "", ...others] = row;
    const isInAll = inForms.length === forms.length;
    return [name, isInAll ? type : `${type} (form ${inForms.join(", ")} of ${forms.length})`, ...others];
  });
}

const defaultOf = (schema: JsonSchema, isRequired: boolean): string =>
  isRequired ? "required" : schema.default === undefined ? "optional" : `\`${JSON.stringify(schema.default)}\``;

/** Units by the endings of field names. */
const UNITS: Readonly<Record<string, string>> = {
  mm: "mm",
  um: "µm",
  mm2: "mm²",
  mm3: "mm³",
  ml: "ml",
  mL: "ml",
  kg: "kg",
  g: "g",
  s: "s",
  seconds: "s",
  ms: "ms",
  deg: "degrees",
  c: "°C",
  px: "pixels",
  percent: "%",
};

/** Units of two, by the endings of field names, which count before those of {@link UNITS}. */
const QUOTIENTS: Readonly<Record<string, string>> = { mm_min: "mm/min", g_ml: "g/ml" };

/** The type of a field in words, with its range and its unit. */
function typeOf(schema: JsonSchema, name: string): string {
  const { $ref, enum: values, prefixItems, items, additionalProperties, type, format } = schema;
  const shapes = (schema.oneOf ?? schema.anyOf ?? []) as JsonSchema[];
  if ($ref) return link($ref.split("/").at(-1)!);
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (values) return values.map((value) => `\`${JSON.stringify(value)}\``).join(", ");
  if (objectsOf(shapes).length > 1) return `object in one of ${shapes.length} forms`;
  if (shapes.length > 0) return [...new Set(shapes.map((shape) => typeOf(shape, name)))].join(" or ");
  if (prefixItems)
    return `array of ${prefixItems.length}: ${[...new Set(prefixItems.map((one) => typeOf(one as JsonSchema, name)))].join(", ")}`;
  if (type === "array")
    return `array of ${typeOf(items as JsonSchema, name)}${rangeOf(schema.minItems, schema.maxItems, "items")}`;
  if (type === "object" && typeof additionalProperties === "object")
    return `map from ${schema.propertyNames ? "ids" : "names"} to ${typeOf(additionalProperties as JsonSchema, name)}`;
  if (type === "number" || type === "integer") return `${type}${unitOf(name)}${numberRange(schema)}`;
  if (format) return format;
  if (type === "string") return `string${rangeOf(schema.minLength, schema.maxLength, "characters")}`;
  return String(type ?? "any value");
}

function unitOf(name: string): string {
  const words = name.split("_").slice(1);
  const unit = QUOTIENTS[words.slice(-2).join("_")] ?? UNITS[words.at(-1) ?? ""];
  return unit === undefined ? "" : ` in ${unit}`;
}

/** The bounds of a length, after a comma. */
function rangeOf(least: number | undefined, most: number | undefined, what: string): string {
  if (least !== undefined && most !== undefined) return `, ${least} to ${grouped(most)} ${what}`;
  if (most !== undefined) return `, at most ${grouped(most)} ${what}`;
  return least === undefined || least === 0 ? "" : `, ${least} or more ${what}`;
}

const grouped = (value: number): string => value.toLocaleString("en", { maximumFractionDigits: 9 });

function numberRange({ minimum, exclusiveMinimum, maximum, exclusiveMaximum }: JsonSchema): string {
  const bounds = Object.entries({ "≥": minimum, ">": exclusiveMinimum, "≤": maximum, "<": exclusiveMaximum }).flatMap(
    ([sign, bound]) => (bound === undefined ? [] : [`${sign} ${grouped(bound)}`]),
  );
  return bounds.length > 0 ? `, ${bounds.join(" and ")}` : "";
}

/** A link to the heading with this text, by the anchor that GitHub and most renderers make of it. */
export const link = (heading: string): string =>
  `[${heading}](#${heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, "")
    .replaceAll(" ", "-")})`;

export const table = (header: readonly string[], rows: readonly (readonly string[])[]): string =>
  [header, header.map(() => "---"), ...rows].map((cells) => `| ${cells.map(cell).join(" | ")} |`).join("\n");

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");
