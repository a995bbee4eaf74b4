import { excerpt } from "../core/api-error.ts";
import type { ModelFile } from "./model-reader.ts";

/** More names make a message longer than people read. */
const MOST_NAMED = 8;

/** The names for a message: each once, quoted, the first eight of them and how many more there are. Empty where there are none. */
export function namesTold(names: Iterable<string>): string {
  const all = [...new Set(names)].filter((name) => name !== "");
  const more = all.length > MOST_NAMED ? ` and ${all.length - MOST_NAMED} more` : "";
  const told = all.slice(0, MOST_NAMED).map((name) => JSON.stringify(excerpt(name)));
  return `${told.join(", ")}${more}`;
}

/** A sentence of a number and names, as "Parts without a place: 2 ("bolt", "nut")."; none for 0. */
export function countTold(what: string, count: number, names: Iterable<string> = []): string[] {
  const list = namesTold(names);
  return count === 0 ? [] : [`${what}: ${count}${list === "" ? "" : ` (${list})`}.`];
}

/** A sentence that ends with {@link namesTold}, in a list; none where there are no names. */
export function sentenceOf(sentence: string, names: Iterable<string>): string[] {
  const told = namesTold(names);
  return told === "" ? [] : [`${sentence}: ${told}.`];
}

/** What a file has and its parts do not, as fields of a {@link ModelFile} that are absent where there is nothing to say. */
export const unreadFields = (
  losses: readonly string[],
  warnings: readonly string[],
): Pick<ModelFile, "losses" | "warnings"> => ({
  ...(losses.length > 0 && { losses }),
  ...(warnings.length > 0 && { warnings }),
});

/** What is said of content without facets, such as "lines"; nothing where there is none. */
export const strokesTold = (kinds: Iterable<string>): string[] => {
  const told = [...kinds].join(" and ");
  return told === "" ? [] : [`The file has ${told}, which have no facets and are not imported.`];
};
