import { readdirSync, realpathSync } from "node:fs";
import { basename, dirname, extname, isAbsolute, join, sep } from "node:path";
import { type ErrorFactory, excerpt } from "../core/api-error.ts";

/**
 * The real path of a file that another one (by its real path) names: in its folder or below, else one of that name beside it or in the
 * folder of its own name, also in other case, for assemblies come from systems with other paths. Undefined where there is none: nothing
 * outside is ever read.
 */
export function fileBeside(file: string, name: string): string | undefined {
  const folder = dirname(file);
  const plain = basename(name);
  const moved = [plain, join(basename(file, extname(file)), plain)];
  for (const candidate of isAbsolute(name) || /^[a-z]:/i.test(name) ? moved : [name, ...moved]) {
    const path = join(folder, candidate);
    const found = realPath(path) ?? realPath(join(dirname(path), sameName(dirname(path), basename(path))));
    if (found?.startsWith(folder.endsWith(sep) ? folder : folder + sep)) return found;
  }
  return undefined;
}

/** Undefined where there is none. */
export function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** The name in a folder that differs in case or in the form of its letters (Unicode TR 15) only; the name itself where there is none. */
function sameName(folder: string, name: string): string {
  const plain = (text: string): string => text.normalize().toLowerCase();
  try {
    return readdirSync(folder).find((entry) => plain(entry) === plain(name)) ?? name;
  } catch {
    return name;
  }
}

const MISSING_NAMED = 5;
/** Beyond these no more are looked for: each costs a look through the folder. */
const MISSING_COUNTED = 100;

/**
 * The real paths of the files that an assembly (by its real path) has its parts in, by the names that it gives them. Throws what `refuse`
 * makes where some are missing: a model without some of its parts would be printed as if it were whole.
 */
export function partFilesBeside(
  file: string,
  names: Iterable<string>,
  format: string,
  refuse: ErrorFactory,
): ReadonlyMap<string, string> {
  const paths = new Map<string, string>();
  const missing: string[] = [];
  for (const name of new Set(names)) {
    const path = fileBeside(file, name);
    if (path === undefined) missing.push(JSON.stringify(excerpt(name)));
    else paths.set(name, path);
    if (missing.length === MISSING_COUNTED) break;
  }
  if (missing.length === 0) return paths;
  const unnamed = missing.length - MISSING_NAMED;
  const more = unnamed <= 0 ? "" : missing.length === MISSING_COUNTED ? " and many more" : ` and ${unnamed} more`;
  const what = `its parts lie in other files, and ${missing.slice(0, MISSING_NAMED).join(", ")}${more} are not in its folder or below`;
  throw refuse(`${what}; put them there, or export the assembly as one ${format} file`);
}
