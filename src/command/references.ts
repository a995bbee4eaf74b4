import type * as v from "valibot";
import { excerpt, inputError } from "../core/api-error.ts";
import { isRecord } from "../core/json.ts";

/** A value in a body that refers to a part of the result of an earlier step: `{"$": "plate.models.0.id"}`. */
export interface Reference {
  /** The path of the value in the body. */
  readonly place: readonly (string | number)[];
  /** As written. */
  readonly text: string;
  /** The name of the step. */
  readonly step: string;
  /** The fields and indexes that lead from the result of the step to the part. */
  readonly keys: readonly string[];
}

/** The only field of an object that is a reference. No field of a request has this name. */
const MARK = "$";

/** The reference in a value; undefined for any other value. */
function asReference(value: unknown, place: Reference["place"]): Reference | undefined {
  if (!isRecord(value) || !Object.hasOwn(value, MARK) || Object.keys(value).length > 1) return undefined;
  const text = value[MARK];
  if (typeof text !== "string")
    throw inputError(`"/${place.join("/")}": {"$": …} takes a text such as "scene.scene_id".`);
  const [step = "", ...keys] = text.split(".");
  return { place, text, step, keys };
}

/** The references in a body. Throws INPUT_ERROR for one that is no text. */
export function referencesIn(value: unknown, place: Reference["place"] = []): Reference[] {
  const reference = asReference(value, place);
  if (reference) return [reference];
  if (Array.isArray(value)) return value.flatMap((item, i) => referencesIn(item, [...place, i]));
  return isRecord(value) ? Object.entries(value).flatMap(([key, item]) => referencesIn(item, [...place, key])) : [];
}

/** Replaces references by the parts of results. Throws INPUT_ERROR where a result lacks the part. */
export function resolveReferences(value: unknown, results: ReadonlyMap<string, unknown>): unknown {
  const reference = asReference(value, []);
  if (reference) return partOf(results.get(reference.step), reference);
  if (Array.isArray(value)) return value.map((item) => resolveReferences(item, results));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolveReferences(item, results)]));
}

function partOf(result: unknown, { step, keys, text }: Reference): unknown {
  let part = result;
  for (const [i, key] of keys.entries()) {
    const isThere = typeof part === "object" && part !== null && Object.hasOwn(part, key);
    if (!isThere) throw missingPart(text, [step, ...keys.slice(0, i)].join("."), key, choicesOf(part));
    part = (part as Record<string, unknown>)[key];
  }
  if (part === undefined) throw inputError(`{"$": "${excerpt(text)}"}: the step "${step}" has no result.`);
  return part;
}

function choicesOf(part: unknown): string {
  if (Array.isArray(part))
    return part.length === 0 ? "it is an empty list" : `it is a list from 0 to ${part.length - 1}`;
  return isRecord(part) ? `it has ${Object.keys(part).join(", ")}` : "it has no parts";
}

const missingPart = (text: string, owner: string, key: string, choices: string): Error =>
  inputError(`{"$": "${excerpt(text)}"}: ${excerpt(owner)} has no "${excerpt(key)}": ${choices}.`);

/** The properties of schemas that lead to the schemas of their parts, each where the kind of schema has it. */
type SchemaParts = Pick<v.GenericSchema, "type"> &
  Partial<
    Pick<v.ObjectSchema<Readonly<Record<string, v.GenericSchema>>, undefined>, "entries"> &
      Pick<v.ArraySchema<v.GenericSchema, undefined>, "item"> &
      Pick<v.OptionalSchema<v.GenericSchema, undefined>, "wrapped">
  >;

const INDEX = /^\d+$/;

/** The `expected` of issues, by the `type` of the schema. */
const KINDS: Readonly<Record<string, string>> = {
  string: "string",
  number: "number",
  boolean: "boolean",
  array: "Array",
  object: "Object",
};

/**
 * The kind of the part for which a reference stands, as `expected` of an issue names it; undefined where only the result determines it.
 * Throws INPUT_ERROR where results of this schema never have the part.
 */
export function kindOfPart({ step, keys, text }: Reference, reply: v.GenericSchema | undefined): string | undefined {
  if (!reply) throw inputError(`{"$": "${excerpt(text)}"}: the request of the step "${step}" has no result.`);
  let schema: v.GenericSchema = reply;
  for (const [i, key] of keys.entries()) {
    const { entries, item } = unwrapped(schema);
    if (!entries && !item) return undefined;
    const next = entries
      ? Object.hasOwn(entries, key)
        ? entries[key]
        : undefined
      : INDEX.test(key)
        ? item
        : undefined;
    const choices = entries ? `it has ${Object.keys(entries).join(", ")}` : "it is a list, whose entries count from 0";
    if (!next) throw missingPart(text, [step, ...keys.slice(0, i)].join("."), key, choices);
    schema = next;
  }
  return KINDS[unwrapped(schema).type];
}

function unwrapped(schema: v.GenericSchema): SchemaParts {
  const parts = schema as SchemaParts;
  return parts.wrapped ? unwrapped(parts.wrapped) : parts;
}
