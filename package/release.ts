import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import * as v from "valibot";
import manifest from "../package.json" with { type: "json" };

/** The platforms that executables are built for, by the names of `bun run build --target`. */
export const TARGETS = [
  "linux-x64",
  "linux-arm64",
  "linux-x64-musl",
  "darwin-arm64",
  "darwin-x64",
  "windows-x64",
  "windows-arm64",
] as const;

export type Target = (typeof TARGETS)[number];

/** A built executable. */
export interface Executable {
  readonly target: Target;
  readonly path: string;
  readonly bytes: number;
  /** In hexadecimal digits. */
  readonly sha256: string;
  /** The files of npm packages whose code is in it, as paths in `node_modules`. */
  readonly sources: readonly string[];
}

const text = v.pipe(v.string(), v.nonEmpty());
const webAddress = v.pipe(v.string(), v.url(), v.startsWith("https://"));

const publisherSchema = v.strictObject({
  name: text,
  mail: v.pipe(v.string(), v.email()),
  homepage: webAddress,
  /** Folder from which the files of a release can be downloaded, with VERSION in place of its version. */
  downloads: webAddress,
  npmScope: v.pipe(v.string(), v.regex(/^@[a-z][a-z\d-]*$/)),
  /** `Publisher.Package` of winget. */
  wingetId: v.pipe(v.string(), v.regex(/^\w{1,32}\.\w{1,32}$/)),
  /** Reverse domain name of a desktop program, as AppStream and Flathub take it. */
  appId: v.pipe(v.string(), v.regex(/^[a-z][\w-]*(\.[A-Za-z_][\w-]*){2,}$/)),
});

/** Who publishes the packages, and where: `publisher.json`, or the file of `--publisher`. */
export type Publisher = v.InferOutput<typeof publisherSchema>;

/** The summary where there is room for a line only: Homebrew takes 80 characters. */
export const HEADLINE = "Prepare print jobs for resin and powder 3D printers";

/** What all packages of a version have in common. */
export interface Release {
  readonly version: string;
  readonly summary: string;
  /** SPDX expression of the licence of this program, without those of the libraries inside. */
  readonly licence: string;
  /** Time of everything that has a time, in whole seconds, so that equal sources give equal packages. */
  readonly date: Date;
  readonly publisher: Publisher;
  /** Folder of the packages. */
  readonly folder: string;
}

export const root = join(import.meta.dirname, "..");

/** The release of the present sources. Throws where the publisher's file, or the date, cannot be found. */
export function newRelease(folder: string, publisherFile = join(import.meta.dirname, "publisher.json")): Release {
  const { version, description, license } = manifest;
  return {
    version,
    summary: description,
    licence: license,
    date: new Date(sourceDateSeconds() * 1000),
    publisher: readPublisher(publisherFile),
    folder,
  };
}

function readPublisher(file: string): Publisher {
  const read = v.safeParse(publisherSchema, JSON.parse(readFileSync(file, "utf8")));
  if (read.success) return read.output;
  const [issue] = read.issues;
  throw new Error(`${file}: ${v.getDotPath(issue) ?? "the file"}: ${issue.message}`);
}

/** `SOURCE_DATE_EPOCH` (https://reproducible-builds.org/specs/source-date-epoch/), or the time of the last commit. */
function sourceDateSeconds(): number {
  const given = process.env.SOURCE_DATE_EPOCH;
  const seconds = given ?? spawnSync("git", ["log", "-1", "--format=%ct"], { cwd: root, encoding: "utf8" }).stdout;
  if (/^\d+\s*$/.test(seconds ?? "")) return Number(seconds);
  throw new Error(
    given === undefined
      ? "there is no commit whose time the packages could have: set SOURCE_DATE_EPOCH to seconds since 1970"
      : `SOURCE_DATE_EPOCH must be whole seconds since 1970, not "${given}"`,
  );
}

/** The target of the machine on which this runs. */
export const hostTarget = (): string =>
  `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;

/** Builds the executable of a target from the present sources. Throws where that fails, or where it is another version. */
export function buildExecutable(target: Target, { version }: Release): Executable {
  const isHost = target === hostTarget();
  const words = ["build.ts", ...(isHost ? [] : ["--target", target])];
  const built = spawnSync(process.execPath, words, {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (built.status !== 0) throw new Error(`the executable for ${target} was not built (see above)`);
  const path = built.stdout.trim().split("\n").at(-1) ?? "";
  if (isHost) {
    const says = spawnSync(path, ["--version"], { encoding: "utf8" }).stdout.trim();
    if (says !== version) throw new Error(`${path} says that it is version "${says}", package.json ${version}`);
  }
  return describeExecutable(target, path, JSON.parse(readFileSync(`${path}.sources.json`, "utf8")));
}

/** Size and hash of a file that is an executable of a target. */
export function describeExecutable(target: Target, path: string, sources: readonly string[]): Executable {
  const content = readFileSync(path);
  return { target, path, bytes: content.length, sha256: sha256(content), sources };
}

export const sha256 = (content: Uint8Array | string): string => createHash("sha256").update(content).digest("hex");

/** Name of the executable in packages. */
export const commandFile = (target: Target): string =>
  target.startsWith("windows") ? "printwright.exe" : "printwright";
