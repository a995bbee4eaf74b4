import { excerpt } from "../core/api-error.ts";

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
