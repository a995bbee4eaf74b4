import * as v from "valibot";
import { excerpt } from "./api-error.ts";
import { isRecord } from "./json.ts";

/** Marks the messages that valibot makes, so that they differ from those that our schemas give. JSON texts of ours hold no NUL. */
const DEFAULT_MARK = "\0";

/** `v.safeParse`, for a result whose issues {@link explainIssue} explains. */
export const safeParse = <S extends v.GenericSchema>(
  schema: S,
  value: unknown,
  config?: Pick<v.Config<v.InferIssue<S>>, "abortEarly">,
): v.SafeParseResult<S> =>
  // valibot asks for this message only where the schema has none.
  v.safeParse(schema, value, { ...config, message: ({ message }) => DEFAULT_MARK + message });

/**
 * What is wrong with a value and what to give instead, for people: the end of a message whose beginning names the field. The issue comes from
 * {@link safeParse}, which has checked `value` against `schema`.
 */
export function explainIssue(issue: v.BaseIssue<unknown>, schema: v.GenericSchema, value: unknown): string {
  if (!issue.message.startsWith(DEFAULT_MARK)) return issue.message;
  const path = (issue.path ?? []).map(({ key }) => key);
  if (issue.kind === "validation") return explainValidation(issue);
  const parent = nodeAt(schema, value, path.slice(0, -1));
  const key = String(path.at(-1));
  if (issue.expected === "never" && path.length > 0) return explainExcess(parent, key);
  const { schema: part, shapes } = nodeAt(schema, value, path);
  const wanted = shapes ? listed(shapes.map(describe), "or") : describe(part);
  if (issue.received !== "undefined") return `must be ${wanted}, not ${given(issue.input)}`;
  return explainMissing(parent, key, wanted);
}

/** What is wrong at a path of a value. */
interface Problem {
  readonly path: readonly unknown[];
  readonly reason: string;
}

/** {@link explainIssue} for each field that an issue is about: valibot names only the first of an object's unknown fields. */
export function explainIssues(issue: v.BaseIssue<unknown>, schema: v.GenericSchema, value: unknown): Problem[] {
  const path = (issue.path ?? []).map(({ key }) => key);
  const reason = explainIssue(issue, schema, value);
  const parent = nodeAt(schema, value, path.slice(0, -1));
  const { entries } = partsOf(parent.schema);
  if (issue.expected !== "never" || path.length === 0 || !entries) return [{ path, reason }];
  const unknown = Object.keys(parent.value as object).filter((key) => !Object.hasOwn(entries, key));
  return unknown.map((key) => ({ path: [...path.slice(0, -1), key], reason: explainExcess(parent, key) }));
}

/**
 * The path of the first list where the schema takes an object, and what it takes there. Needed since valibot accepts a list where the
 * fields of an object are all optional.
 */
export function findListForObject(
  schema: v.GenericSchema,
  value: unknown,
  path: readonly (string | number)[] = [],
): { path: readonly (string | number)[]; reason: string } | undefined {
  const { schema: part, shapes } = nodeAt(schema, value, []);
  const { entries, item } = partsOf(part);
  if (entries && Array.isArray(value)) {
    const wanted = shapes ? listed(shapes.map(describe), "or") : describe(part);
    return { path, reason: `must be ${wanted}, not ${given(value)}` };
  }
  if (typeof value !== "object" || value === null) return undefined;
  const isListOfObjects = item !== undefined && Array.isArray(value) && partsOf(item).entries !== undefined;
  const inside = isListOfObjects ? Object.fromEntries(value.map((_, i) => [i, item])) : (entries ?? {});
  for (const [key, one] of Object.entries(inside)) {
    const found = findListForObject(one, (value as Record<string, unknown>)[key], [...path, key]);
    if (found) return found;
  }
  return undefined;
}

/** A schema, the shapes from which it was chosen, and the value that it checks. */
interface Node {
  readonly schema: v.GenericSchema | undefined;
  readonly shapes?: readonly v.GenericSchema[] | undefined;
  readonly value: unknown;
}

/**
 * The properties of schemas that lead to the schemas of their parts, each where the kind of schema has it. They are public in the types of
 * valibot, so that this does not compile once an upgrade renames one.
 */
type Parts = Partial<
  Pick<v.StrictObjectSchema<Readonly<Record<string, v.GenericSchema>>, undefined>, "entries"> &
    Pick<v.StrictTupleSchema<readonly v.GenericSchema[], undefined>, "items"> &
    Pick<v.ArraySchema<v.GenericSchema, undefined>, "item"> &
    Pick<v.OptionalSchema<v.GenericSchema, undefined>, "wrapped"> &
    Pick<v.RecordSchema<v.GenericSchema<string, string>, v.GenericSchema, undefined>, "value"> &
    Pick<v.LazySchema<v.GenericSchema>, "getter"> &
    Pick<v.LiteralSchema<v.Literal, undefined>, "literal"> & {
      /** The values of a picklist, or the schemas of a union. */
      readonly options: PicklistOptions | UnionOptions;
      readonly pipe: readonly PipeItem[];
      /** The shapes that `oneOf` (`api/schema.ts`) chooses from. */
      readonly shapes: readonly v.GenericSchema[];
    }
>;
type PipeItem = v.PipeItem<unknown, unknown, v.BaseIssue<unknown>>;
type PicklistOptions = v.PicklistSchema<readonly string[], undefined>["options"];
type UnionOptions = v.UnionSchema<readonly v.GenericSchema[], undefined>["options"];

const partsOf = (schema: v.GenericSchema | undefined): Parts => (schema ?? {}) as Parts;

/** The schema and the value at the end of a path. */
function nodeAt(schema: v.GenericSchema | undefined, value: unknown, path: readonly unknown[]): Node {
  const { wrapped, getter, shapes, entries, items, item, value: ofAnyKey } = partsOf(schema);
  if (isVariant(schema)) return nodeAt(variantOf(schema, value), value, path);
  if (wrapped) return nodeAt(wrapped, value, path);
  if (getter && path.length > 0) return nodeAt(getter(value), value, path);
  if (getter) return { schema: getter(value), shapes, value };
  if (path.length === 0) return { schema, value };
  const [key, ...rest] = path as [string & number, ...unknown[]];
  const part = entries?.[key] ?? items?.[key] ?? item ?? ofAnyKey;
  return nodeAt(part, (value as Record<string, unknown> | undefined)?.[key], rest);
}

type Variant = v.VariantSchema<string, readonly v.StrictObjectSchema<v.ObjectEntries, undefined>[], undefined>;

const isVariant = (schema: v.GenericSchema | undefined): schema is Variant => schema?.type === "variant";

/** The object of a variant that the value chooses; if it chooses none, an object with the values that choose one. */
function variantOf({ key, options }: Variant, value: unknown): v.GenericSchema {
  const choiceOf = (option: Variant["options"][number]) => partsOf(option.entries[key] as v.GenericSchema).literal;
  const given = isRecord(value) ? value[key] : undefined;
  const chosen = options.find((option) => choiceOf(option) === given);
  return chosen ?? v.strictObject({ [key]: v.picklist(options.map(choiceOf) as string[]) });
}

function explainExcess({ schema, shapes = [], value }: Node, key: string): string {
  const { entries, items } = partsOf(schema);
  if (items && Array.isArray(value))
    return `is one too many: this list takes ${items.length} entries, not ${value.length}`;
  if (!entries) return "is unknown here";
  const isOfAnotherShape = shapes.some((shape) => Object.hasOwn(partsOf(shape).entries ?? {}, key));
  if (!isOfAnotherShape) return `this field is unknown here: the fields are ${listed(Object.keys(entries), "and")}`;
  const others = Object.keys(entries).filter((one) => Object.hasOwn(value as object, one));
  return `cannot be combined with ${listed(others, "and")}: give ${listed(shapes.map(describe), "or")}`;
}

function explainMissing({ schema, shapes = [], value }: Node, key: string, wanted: string): string {
  const { items } = partsOf(schema);
  if (items && Array.isArray(value)) return `is missing: this list takes ${items.length} entries, not ${key}`;
  const others = shapes.filter((shape) => shape !== schema).map(describe);
  return `is required: give ${wanted}${others.length > 0 ? `; or in place of this object ${listed(others, "or")}` : ""}`;
}

type Requirement = { readonly requirement?: unknown };

function explainValidation(issue: v.BaseIssue<unknown> & Requirement): string {
  const { type, input, requirement } = issue;
  const bound = String(requirement);
  switch (type) {
    case "min_value":
      return `must be at least ${bound}, not ${given(input)}`;
    case "max_value":
      return `must be at most ${bound}, not ${given(input)}`;
    case "gt_value":
      return `must be above ${bound}, not ${given(input)}`;
    case "integer":
      return `must be a whole number, not ${given(input)}`;
    case "finite":
      return "must be a number of ordinary size: it is too large for a computer";
    case "non_empty":
    case "min_length":
      return explainShort(input, type === "non_empty" ? 1 : Number(requirement));
    case "max_length":
      return typeof input === "string"
        ? `has ${input.length} characters: ${bound} are the most`
        : `has ${(input as unknown[]).length} entries: ${bound} are the most`;
    default:
      return issue.message.slice(DEFAULT_MARK.length);
  }
}

function explainShort(input: unknown, least: number): string {
  if (typeof input === "string") return least === 1 ? "is empty: give a text" : `needs at least ${least} characters`;
  const { length } = input as unknown[];
  return `${length === 0 ? "is an empty list" : `has ${length} entries`}: give at least ${least === 1 ? "one entry" : least}`;
}

/** The values that a schema takes, in words. */
function describe(schema: v.GenericSchema | undefined): string {
  const { shapes, entries, items, item, options, wrapped, pipe, literal } = partsOf(schema);
  if (shapes) return listed(shapes.map(describe), "or");
  if (wrapped) return describe(wrapped);
  switch (schema?.type) {
    case "string":
      return "a text";
    case "number":
      return pipe?.some(isInteger) ? "a whole number" : "a number";
    case "boolean":
      return "true or false";
    case "array":
      return `a list of ${LISTED[item!.type] ?? "objects"}`;
    case "strict_tuple":
      return `a list of ${items!.length} entries`;
    case "strict_object":
      return `an object with ${listed(requiredKeys(entries!), "and")}`;
    case "variant":
      return describe(variantOf(schema as Variant, undefined));
    case "record":
      return "an object";
    case "picklist":
      return listed(
        options!.map((option) => JSON.stringify(option)),
        "or",
      );
    case "literal":
      return JSON.stringify(literal);
    case "union":
      return listed((options as v.GenericSchema[]).map(describe), "or");
    default:
      return "another value";
  }
}

const LISTED: Readonly<Record<string, string>> = { string: "texts", number: "numbers" };

/** Whether an item of a pipe checks for a whole number, itself or as a pipe. */
const isInteger = (item: PipeItem): boolean =>
  item.type === "integer" || ("pipe" in item && partsOf(item as v.GenericSchema).pipe!.some(isInteger));

function requiredKeys(entries: NonNullable<Parts["entries"]>): string[] {
  const keys = Object.keys(entries);
  const required = keys.filter((key) => entries[key]?.type !== "optional");
  return required.length > 0 ? required : keys;
}

function listed(words: readonly string[], conjunction: "and" | "or"): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${conjunction} ${words.at(-1)}`;
}

/** Maximum number of characters of a given text that a message repeats. */
const MAX_GIVEN_LENGTH = 60;

function given(value: unknown): string {
  if (typeof value === "string") {
    const text = value.length <= MAX_GIVEN_LENGTH ? value : `${value.slice(0, MAX_GIVEN_LENGTH)}…`;
    return value === "" ? "an empty text" : `the text ${JSON.stringify(text)}`;
  }
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  return typeof value === "object" && value !== null ? "an object" : excerpt(String(value));
}
