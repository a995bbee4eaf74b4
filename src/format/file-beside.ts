import { readdirSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, sep } from "node:path";

/**
 * The real path of a file that another one (by its real path) names: in its folder or below, else one of that name beside it, also in
 * other case, for assemblies come from systems with other paths. Undefined where there is none: nothing outside is ever read.
 */
export function fileBeside(file: string, name: string): string | undefined {
  const folder = dirname(file);
  const candidates = isAbsolute(name) || /^[a-z]:/i.test(name) ? [basename(name)] : [name, basename(name)];
  for (const candidate of candidates) {
    const path = join(folder, candidate);
    const found = realPath(path) ?? realPath(join(dirname(path), sameName(dirname(path), basename(path))));
    if (found?.startsWith(folder.endsWith(sep) ? folder : folder + sep)) return found;
  }
  return undefined;
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** The name in a folder that differs in case only; the name itself where there is none. */
function sameName(folder: string, name: string): string {
  try {
    return readdirSync(folder).find((entry) => entry.toLowerCase() === name.toLowerCase()) ?? name;
  } catch {
    return name;
  }
}
