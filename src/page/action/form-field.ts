import { PAGES } from "../../feature/pages.ts";
import type { Schema } from "./endpoint-forms.ts";

export interface Choice {
  readonly value: string;
  readonly label: string;
}

interface FieldBase {
  /** Name in the body of the request. */
  readonly name: string;
  readonly label: string;
  /** "" if it has none. */
  readonly unit: string;
  readonly help: string;
  readonly required: boolean;
  /** Whether the preset is chosen by the page, so that requests must contain it. Defaults of the server are left out of requests. */
  readonly isOurs: boolean;
  /** Text of the field while it is empty; "auto" if absent. */
  readonly emptyText?: string;
}

export interface NumberField extends FieldBase {
  readonly kind: "number";
  readonly isInteger: boolean;
  readonly minimum?: number;
  /** The value must be greater. */
  readonly above?: number;
  readonly maximum?: number;
  /** Word that is allowed instead of the number, such as AUTO. */
  readonly word?: string;
  readonly preset?: number | string;
}

export interface SwitchField extends FieldBase {
  readonly kind: "switch";
  /** Undefined: the print setting decides if nothing is chosen. */
  readonly preset?: boolean;
}

export interface ChoiceField extends FieldBase {
  readonly kind: "choice";
  readonly choices: readonly Choice[];
  readonly preset?: string;
}

export interface TextField extends FieldBase {
  readonly kind: "text";
  readonly longest: number;
  readonly preset?: string;
}

export interface GroupField extends FieldBase {
  readonly kind: "group";
  readonly fields: readonly FormField[];
  /** The choice without which the group is left out of requests, such as the kind of an infill. */
  readonly onlyWith?: string;
}

/** A field of a form, made from the schema of a request. */
export type FormField = NumberField | SwitchField | ChoiceField | TextField | GroupField;

/** Endings of field names, and the units that they mean. */
const UNITS: readonly [ending: string, unit: string][] = [
  ["_mm", "mm"],
  ["_um", "µm"],
  ["_deg", "°"],
  ["_px", "px"],
  ["_mm_min", "mm/min"],
  ["_seconds", "s"],
  ["_s", "s"],
  ["_c", "°C"],
];

/** Units of fields whose names do not contain them. */
const UNITS_BY_NAME: Readonly<Record<string, string>> = { tilt: "°", yaw: "°", pitch: "°" };

/** Labels of fields and of values whose names are unclear to users. */
const LABELS: Readonly<Record<string, string>> = Object.assign({}, ...PAGES.map(({ labels }) => labels));
const CHOICE_LABELS: Readonly<Record<string, string>> = Object.assign({}, ...PAGES.map(({ choices }) => choices));

/**
 * Makes the fields of a form from the schema of a body, except those named in `without`, which the page fills in. Kinds that no form
 * shows (ids, matrices, lists) are left out. `presets` replace the defaults of the schema; required fields have no default.
 */
export function fieldsOf(
  body: Schema | undefined,
  without: readonly string[] = [],
  presets: Readonly<Record<string, unknown>> = {},
): readonly FormField[] {
  const { properties = {}, required = [] } = shapeOf(body);
  return Object.entries(properties)
    .filter(([name]) => !without.includes(name))
    .flatMap(([name, schema]) => {
      const state = { required: required.includes(name), isOurs: name in presets };
      return fieldOf(name, schema, state, presets[name] ?? schema.default) ?? [];
    });
}

/** The schema of the properties: a body may be declared as a list of one alternative (`oneOf`). */
const shapeOf = (body: Schema | undefined): Schema => body?.oneOf?.[0] ?? body ?? {};

function fieldOf(
  name: string,
  schema: Schema,
  state: Pick<FieldBase, "required" | "isOurs">,
  preset: unknown,
): FormField | undefined {
  const base = { name, ...labelOf(name), help: schema.description ?? "", ...state };
  if (schema.enum) {
    const choices = schema.enum.map((value) => ({ value: String(value), label: choiceLabel(String(value)) }));
    return { ...base, kind: "choice", choices, ...(typeof preset === "string" && { preset }) };
  }
  const words = schema.oneOf?.find((one) => one.enum)?.enum;
  // A word or a list: the form offers the words.
  if (words) return fieldOf(name, { ...schema, enum: words }, state, preset);
  const word = schema.anyOf?.find((one) => typeof one.const === "string")?.const;
  const plain = schema.anyOf?.find(({ type }) => type === "number") ?? schema;
  switch (plain.type) {
    case "number":
    case "integer":
      return {
        ...base,
        kind: "number",
        isInteger: plain.type === "integer",
        ...(plain.minimum !== undefined && { minimum: plain.minimum }),
        ...(plain.exclusiveMinimum !== undefined && { above: plain.exclusiveMinimum }),
        ...(plain.maximum !== undefined && { maximum: plain.maximum }),
        ...(typeof word === "string" && { word }),
        ...(typeof preset === "number" || (typeof preset === "string" && preset === word) ? { preset } : {}),
      };
    case "boolean":
      return { ...base, kind: "switch", ...(typeof preset === "boolean" && { preset }) };
    case "string":
      if (plain.format === "uuid") return undefined;
      return {
        ...base,
        kind: "text",
        longest: plain.maxLength ?? Number.MAX_SAFE_INTEGER,
        ...(typeof preset === "string" && { preset }),
      };
    case "object":
      if (!plain.properties) return undefined;
      return groupOf({ ...base, kind: "group", fields: fieldsOf(plain, [], isRecord(preset) ? preset : {}) });
    default:
      return undefined;
  }
}

/** A group, which may be left out by its choice: a needed one of an optional group has the further value "None". */
function groupOf(group: GroupField): GroupField {
  const choice = group.fields.find((one) => one.kind === "choice" && one.required && one.preset === undefined);
  if (group.required || !choice) return group;
  const fields = group.fields.map((one) => (one === choice ? { ...one, required: false, emptyText: "None" } : one));
  return { ...group, fields, onlyWith: choice.name };
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** Returns label and unit of a field: "Wall thickness" and "mm" for `wall_thickness_mm`. */
export function labelOf(name: string): { readonly label: string; readonly unit: string } {
  const [ending, unit] = UNITS.find(([ending]) => name.endsWith(ending)) ?? ["", UNITS_BY_NAME[name] ?? ""];
  const words = name.slice(0, name.length - ending.length).replace(/^enable_|_enabled$/g, "");
  return { label: LABELS[name] ?? sentenceOf(words), unit };
}

/** Whether a word in a message is the name of a field: it ends with a unit or is in `LABELS`. */
export const isFieldName = (word: string): boolean => word in LABELS || UNITS.some(([ending]) => word.endsWith(ending));

/** Returns the label of a value: "Full raft" for `FULL_RAFT`. */
export const choiceLabel = (value: string): string => CHOICE_LABELS[value] ?? sentenceOf(value.toLowerCase());

function sentenceOf(name: string): string {
  const words = name.replaceAll("_", " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
