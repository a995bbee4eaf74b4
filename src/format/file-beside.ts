import { readdirSync, realpathSync } from "node:fs";
import { basename, dirname, extname, isAbsolute, join, sep } from "node:path";
import { type ErrorFactory, excerpt } from "../core/api-error.ts";

/**
 * The real path of a file to which another file (given by its real path) refers: inside the folder of that file; else a file of the
 * same name in that folder or in the subfolder that the reference names, also if upper and lower case differ, because assemblies come
 * from systems with other paths. Undefined if there is none; nothing outside of the folder is ever read.
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

/** Undefined if the file does not exist. */
export function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** The name in a folder that differs only in case or in Unicode normalisation (Unicode TR 15); else the name itself. */
function sameName(folder: string, name: string): string {
  const plain = (text: string): string => text.normalize().toLowerCase();
  try {
    return readdirSync(folder).find((entry) => plain(entry) === plain(name)) ?? name;
  } catch {
    return name;
  }
}

const MISSING_NAMED = 5;
/** The search for missing files stops here: each search reads the folder. */
const MISSING_COUNTED = 100;

/**
 * The real paths of the files to which an assembly (given by its real path) refers, by the names in the assembly. Throws the error of
 * `refuse` if some are missing: a model without some of its parts would be printed as if it were complete.
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
  const what = `its parts are in other files, and ${missing.slice(0, MISSING_NAMED).join(", ")}${more} are not in its folder or below`;
  throw refuse(`${what}; put them there, or export the assembly as one ${format} file`);
}
