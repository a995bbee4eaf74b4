import { PAGES } from "../feature/pages.ts";
import { lazy } from "../core/memoize.ts";

const actionTitles = lazy(
  () => new Map(PAGES.flatMap(({ actions = [] }) => actions.map(({ path, title }) => [path, title] as const))),
);

/** What requests to a path do, in words: the title of the page's action, else the last words of the path. */
export function workTitle(path: string): string {
  const known = actionTitles().get(path);
  if (known !== undefined) return known;
  const words = (path.split("/").findLast((part) => /^[a-z]/.test(part)) ?? "").replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
