import { excerpt } from "../core/api-error.ts";
import type { ModelFile } from "./model-reader.ts";

/** Most names in a message; people do not read longer lists. */
const MOST_NAMED = 8;

/** A list of names for a message: each once, quoted, the first eight and the number of the others. Empty if there are none. */
export function namesInMessage(names: Iterable<string>): string {
  const all = [...new Set(names)].filter((name) => name !== "");
  const more = all.length > MOST_NAMED ? ` and ${all.length - MOST_NAMED} more` : "";
  const parts = all.slice(0, MOST_NAMED).map((name) => JSON.stringify(excerpt(name)));
  return `${parts.join(", ")}${more}`;
}

/** A sentence with a number and names, such as "Parts without a place: 2 ("bolt", "nut")."; none for 0. */
export function countSentence(what: string, count: number, names: Iterable<string> = []): string[] {
  const list = namesInMessage(names);
  return count === 0 ? [] : [`${what}: ${count}${list === "" ? "" : ` (${list})`}.`];
}

/** A list of one sentence that ends with {@link namesInMessage}; empty if there are no names. */
export function sentenceOf(sentence: string, names: Iterable<string>): string[] {
  const list = namesInMessage(names);
  return list === "" ? [] : [`${sentence}: ${list}.`];
}

/** Losses and warnings as fields of a {@link ModelFile}, which are absent if empty. */
export const unreadFields = (
  losses: readonly string[],
  warnings: readonly string[],
): Pick<ModelFile, "losses" | "warnings"> => ({
  ...(losses.length > 0 && { losses }),
  ...(warnings.length > 0 && { warnings }),
});

/** The warning about content without facets, such as "lines"; empty if there is none. */
export const strokeWarnings = (kinds: Iterable<string>): string[] => {
  const list = [...kinds].join(" and ");
  return list === "" ? [] : [`The file has ${list}, which have no facets and are not imported.`];
};
