import type { Conditions, Values } from "../../feature/page-row.ts";
import type { FormField, NumberField } from "./form-field.ts";

/** Value of a field: the chosen one, or the preset. */
export const valueOf = (field: FormField, values: Values): unknown =>
  values[field.name] ?? ("preset" in field ? field.preset : undefined);

/** Values and presets of all fields, to which conditions are applied. */
const withPresets = (fields: readonly FormField[], values: Values): Values =>
  Object.fromEntries(fields.map((field) => [field.name, valueOf(field, values)]));

export function isActive(
  field: FormField,
  fields: readonly FormField[],
  values: Values,
  conditions: Conditions = {},
): boolean {
  return conditions[field.name]?.(withPresets(fields, values)) ?? true;
}

/** Makes the part of a request's body that comes from a form. Unchanged fields are left out, so that the server's defaults apply. */
export function bodyOf(
  fields: readonly FormField[],
  values: Values,
  conditions: Conditions = {},
): Record<string, unknown> {
  const entries = fields
    .filter((field) => isActive(field, fields, values, conditions))
    .map((field): [string, unknown] => {
      const value = field.isOurs ? valueOf(field, values) : values[field.name];
      if (field.kind !== "group") return [field.name, value];
      const inner = bodyOf(field.fields, (value ?? {}) as Values);
      const isLeftOut = field.onlyWith !== undefined && !(field.onlyWith in inner);
      return [field.name, Object.keys(inner).length > 0 && !isLeftOut ? inner : undefined];
    });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== ""));
}

/** Message about the first invalid value of a form; undefined if all are valid. */
export function problemOf(
  fields: readonly FormField[],
  values: Values,
  conditions: Conditions = {},
): string | undefined {
  for (const field of fields) {
    if (!isActive(field, fields, values, conditions)) continue;
    const value = valueOf(field, values);
    if (field.kind === "group") {
      const problem = field.required ? problemOf(field.fields, (value ?? {}) as Values) : undefined;
      if (problem !== undefined) return problem;
    } else if (value === undefined || value === "") {
      if (field.required) return `${field.label} is missing.`;
    } else if (field.kind === "number" && value !== field.word) {
      const problem = rangeProblem(field, value);
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

function rangeProblem(field: NumberField, value: unknown): string | undefined {
  const { label, unit, minimum, above, maximum, isInteger } = field;
  const withUnit = (limit: number): string => `${limit}${unit && ` ${unit}`}`;
  if (typeof value !== "number") return `${label} is not a number.`;
  if (isInteger && !Number.isInteger(value)) return `${label} must be a whole number.`;
  if (above !== undefined && value <= above) return `${label} must be above ${withUnit(above)}.`;
  if (minimum !== undefined && value < minimum) return `${label} must be at least ${withUnit(minimum)}.`;
  if (maximum !== undefined && value > maximum) return `${label} must be at most ${withUnit(maximum)}.`;
  return undefined;
}
