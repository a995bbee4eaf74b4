import { lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { closestMatches } from "../catalog/resolve.ts";
import { type ApiError, excerpt, inputError, notFound } from "../core/api-error.ts";

/** Most names in a message about a missing file. */
const MAX_NAMES = 8;

/**
 * The folder whose files tools read and write. Symbolic links are resolved: one that leads out of the folder is refused, and so is every
 * path outside, whether there is a file or not.
 */
export class RootFolder {
  /** As given, and with its symbolic links resolved: callers may use either in absolute paths. */
  readonly #given: string;
  readonly path: string;

  /** Throws INPUT_ERROR where `folder` is none. */
  constructor(folder: string) {
    this.#given = resolve(folder);
    const found = statSync(this.#given, { throwIfNoEntry: false });
    if (!found?.isDirectory()) throw inputError(`--root must be a folder that exists, not "${excerpt(folder)}"`);
    this.path = realpathSync(this.#given);
  }

  /** The absolute path of a file to read. Throws INPUT_ERROR for a path outside, NOT_FOUND for a missing file. */
  source(path: string): string {
    const real = this.#inside(path);
    const found = statSync(real, { throwIfNoEntry: false });
    if (!found) throw this.#missing(path, real);
    if (found.isDirectory()) throw inputError(`"${excerpt(path)}" is a folder: name the files in it.${namesIn(real)}`);
    return real;
  }

  /** The absolute path of a file to write, in a folder that exists. Throws INPUT_ERROR for any other path. */
  target(path: string): string {
    const real = this.#inside(path);
    if (statSync(real, { throwIfNoEntry: false })?.isDirectory())
      throw inputError(`"${excerpt(path)}" is a folder: add the name of a file.`);
    if (!statSync(dirname(real), { throwIfNoEntry: false })?.isDirectory())
      throw inputError(
        `"${excerpt(path)}" cannot be written: its folder does not exist. Make it first, or use another.`,
      );
    return real;
  }

  /** Whether a path that {@link target} returned has a file. */
  has(file: string): boolean {
    return statSync(file, { throwIfNoEntry: false }) !== undefined;
  }

  /** A path as callers name it: relative to the folder where it is inside. */
  nameOf(file: string): string {
    return isWithin(this.path, file) ? relative(this.path, file) : file;
  }

  #inside(path: string): string {
    if (path === "" || path.includes("\0")) throw inputError("A path must be the name of a file.");
    const absolute = resolve(this.path, path);
    const outside = inputError(
      `"${excerpt(path)}" is outside of the folder of this server: use paths relative to that folder, such as "part.stl", or ask the user to start printwright mcp with another --root.`,
    );
    // Before the file system is asked: answers must not tell which files exist outside.
    if (!isWithin(this.path, absolute) && !isWithin(this.#given, absolute)) throw outside;
    const real = resolved(absolute);
    if (!isWithin(this.path, real)) throw outside;
    return real;
  }

  #missing(path: string, real: string): ApiError {
    return notFound(`There is no file "${excerpt(path)}".${namesIn(dirname(real), basename(real))}`);
  }
}

/** Whether `path` is `folder` or below it. */
function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** A path without symbolic links, as far as it exists. */
function resolved(path: string): string {
  try {
    return realpathSync(path);
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    const parent = dirname(path);
    // A broken link must not be followed later by whatever creates its target.
    if (code !== "ENOENT" || parent === path || isLink(path)) throw inputError(`"${excerpt(path)}" cannot be opened.`);
    return join(resolved(parent), basename(path));
  }
}

const isLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;

/** A sentence with the names in a folder that are most similar to one, or the first names. */
function namesIn(folder: string, name?: string): string {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return "";
  const names = readdirSync(folder)
    .filter((one) => !one.startsWith("."))
    .sort();
  const shown = (name === undefined ? names : closestMatches(name, names)).slice(0, MAX_NAMES);
  if (shown.length === 0) return " The folder is empty.";
  const more = names.length > shown.length ? ` and ${names.length - shown.length} more` : "";
  return ` The folder has ${shown.map((one) => JSON.stringify(one)).join(", ")}${more}.`;
}
