import { sep } from "node:path";
import { ApiError } from "../core/api-error.ts";
import { listed, oneLine } from "./answer.ts";
import type { Workspace } from "./workspace.ts";

const UUID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g;

/** Terms of the HTTP interface and of the shell, and what tools call them. */
const TERMS: readonly (readonly [RegExp, string])[] = [
  [/printwright printers lists them(?: all)?/g, "list_printers lists them"],
  [/printwright materials --printer NAME lists them/g, "list_printers with this printer lists them"],
  [/--machines FILE/g, "the user starts printwright mcp with --machines FILE"],
  [/--max-memory/g, "--max-memory of printwright mcp"],
  [/name its material with --material/g, "name its material"],
  [/, or with IGNORE to take it as it is/g, ""],
  [/"?repair_behavior"?:? "?REPAIR"?/g, "repair: true"],
  [/\/v1\/scene\/model\/validate\/[\w-]+\//g, "check"],
  [/\/v1\/scene\/model\/repair\//g, "edit_parts with do: repair"],
  [/\/v1\/scene\/model\/(?:auto-(?:support|layout|orient|pack))\//g, "prepare"],
  [/\/v1\/scene\/model\/[\w-]+\//g, "edit_parts"],
  [/\/v1\/scene\/(prepare|check)\//g, "$1"],
  [/\/v1\/scene\/(?:export|save)\//g, "save"],
  [/\/v1\/scene\/update\//g, "open_plate"],
  [/ or wider custom_bounds, or let more models rotate/g, " or set overflow to NEW_SCENE"],
  [/\bmodel_ids\b/g, "parts"],
  [/\bmodel_spacing_mm\b/g, "spacing_mm"],
  [/\bscene_id\b/g, "plate"],
  [/: delete some, or start it with a higher --max-scenes/g, ": close_plate closes some"],
  [/\b(the|another) scene\b/g, "$1 plate"],
  [/\bmodel(s?)\b(?! files?\b)/g, "part$1"],
];

/**
 * A message of the HTTP interface in the words of the tools, on one line: handles for ids, paths below the root, fields of tools for fields
 * of bodies.
 */
export function inToolWords(message: string, { plates, parts, root }: Workspace): string {
  const named = message
    .replace(UUID, (id) => plates.known(id) ?? parts.known(id) ?? id)
    .replaceAll(`${root.path}${sep}`, "")
    .replace(/:\n +/g, ": ")
    .replace(/\n +/g, ", ");
  return oneLine(TERMS.reduce((text, [term, word]) => text.replace(term, word), named));
}

/** Most warnings in an answer. */
const MAX_WARNINGS = 8;

/** Warnings of the HTTP interface in the words of the tools, in lines and as data: equal ones, such as those at copies, once. */
export function warningsInWords(warnings: readonly string[], workspace: Workspace, label = "warning") {
  const counts = new Map<string, number>();
  for (const warning of warnings.map((one) => inToolWords(one, workspace)))
    counts.set(warning, (counts.get(warning) ?? 0) + 1);
  const lineOf = ([warning, count]: readonly [string, number]): string =>
    `${label}${count > 1 ? ` (${count} times)` : ""}: ${warning}`;
  return {
    lines: listed([...counts], lineOf, MAX_WARNINGS),
    data: { warnings: [...counts.keys()].slice(0, MAX_WARNINGS) },
  };
}

/** The error in the words of the tools. */
export const errorInToolWords = ({ code, message }: ApiError, workspace: Workspace): ApiError =>
  new ApiError(code, inToolWords(message, workspace));
