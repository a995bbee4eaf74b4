import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { SUMS, makeKey, publicKeyOf, signChecksums, writeChecksums } from "./checksums.ts";
import { CONTAINER_TARGETS, writeContainer } from "./container.ts";
import { DEB_TARGETS, writeDeb } from "./deb.ts";
import { type Download, writeDownload } from "./downloads.ts";
import { FLATHUB_TARGETS, writeFlathub } from "./flathub.ts";
import { HOMEBREW_TARGETS, writeHomebrew } from "./homebrew.ts";
import { NPM_TARGETS, writeNpm } from "./npm.ts";
import { type Executable, type Release, TARGETS, type Target, buildExecutable, newRelease, root } from "./release.ts";
import { writeSbom } from "./sbom.ts";
import { WINGET_TARGETS, writeWinget } from "./winget.ts";

// `bun run package NAME…` builds packages from the present sources into dist/package/.

const USAGE = `Usage: bun run package NAME… [--target TARGET]… [--publisher FILE] [--key FILE] [--out FOLDER]
       bun run package key FILE

Builds packages into dist/package/. Each has the list of what is inside (CycloneDX) and its licences beside it.

  deb          Debian package with services of systemd
  container    folder from which an image is built
  npm          package of npm, with one for each platform
  winget       manifests for Windows, with the executables
  homebrew     formula for macOS and Linux, with the archives
  flathub      files for Flathub, with the archives
  all          all of these
  key FILE     makes a key for signatures, and prints its public part

  --target TARGET     only for this platform (repeatable): ${TARGETS.join(", ")}
  --publisher FILE    who publishes it, and where (default package/publisher.json)
  --key FILE          sign the checksums by this key
  --out FOLDER        instead of dist/package/

SHA256SUMS has the hashes of all files in the folder. SOURCE_DATE_EPOCH is the time in all packages (default: that of the last commit).`;

interface Channel {
  readonly targets: readonly Target[];
  /** Writes its files and returns their paths. */
  readonly write: (release: Release, built: readonly Built[]) => Promise<readonly string[]>;
}

/** An executable with the path of the licences of everything inside. */
interface Built {
  readonly executable: Executable;
  readonly notices: string;
  /** Its download, which is written when it is first needed. */
  readonly download: () => Promise<Download>;
}

const downloadsOf = (built: readonly Built[]): Promise<Download[]> =>
  Promise.all(built.map(({ download }) => download()));

const CHANNELS: Readonly<Record<string, Channel>> = {
  deb: {
    targets: DEB_TARGETS,
    write: (release, built) =>
      Promise.all(built.map(({ executable, notices }) => writeDeb(release, executable, notices))),
  },
  container: {
    targets: CONTAINER_TARGETS,
    write: async (release, built) =>
      built.map(({ executable, notices }) => writeContainer(release, executable, notices)),
  },
  npm: {
    targets: Object.keys(NPM_TARGETS) as Target[],
    write: async (release, built) =>
      writeNpm(
        release,
        built.map(({ executable }) => executable),
        (one) => built.find(({ executable }) => executable === one)?.notices ?? "",
      ),
  },
  winget: {
    targets: WINGET_TARGETS,
    write: async (release, built) => writeWinget(release, await downloadsOf(built)),
  },
  homebrew: {
    targets: HOMEBREW_TARGETS,
    write: async (release, built) => [writeHomebrew(release, await downloadsOf(built))],
  },
  flathub: {
    targets: FLATHUB_TARGETS,
    write: async (release, built) => writeFlathub(release, await downloadsOf(built)),
  },
};

const OPTIONS = {
  target: { type: "string", multiple: true },
  publisher: { type: "string" },
  key: { type: "string" },
  out: { type: "string", default: join(root, "dist", "package") },
  help: { type: "boolean", short: "h" },
} as const;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: OPTIONS });
  const [name, file, ...others] = positionals;
  if (values.help || name === undefined) return console.log(USAGE);
  if (name === "key") {
    if (file === undefined || others.length > 0) throw new Error("name the one file for the new key");
    return console.log(makeKey(file));
  }
  const names = name === "all" ? Object.keys(CHANNELS) : positionals;
  const unknown = names.find((one) => !Object.hasOwn(CHANNELS, one));
  if (unknown !== undefined)
    throw new Error(`"${unknown}" is not a package: choose ${Object.keys(CHANNELS).join(", ")} or all`);
  await build(names, values);
}

async function build(
  names: readonly string[],
  { target: wanted, publisher, key, out }: { target?: string[]; publisher?: string; key?: string; out: string },
): Promise<void> {
  const unknown = wanted?.find((one) => !(TARGETS as readonly string[]).includes(one));
  if (unknown !== undefined) throw new Error(`"${unknown}" is not a target: choose ${TARGETS.join(", ")}`);
  // Before minutes of work.
  if (key !== undefined) publicKeyOf(key);
  const release = newRelease(resolve(out), publisher);
  const isWanted = (target: Target): boolean => wanted?.includes(target) ?? true;
  const without = names.find((name) => !CHANNELS[name]?.targets.some(isWanted));
  if (without !== undefined)
    throw new Error(`${without} has packages for ${CHANNELS[without]?.targets.join(", ")} only`);
  emptyFolder(release.folder);
  const built = new Map<Target, Built>();
  for (const target of TARGETS) {
    if (!isWanted(target) || !names.some((name) => CHANNELS[name]?.targets.includes(target))) continue;
    const executable = buildExecutable(target, release);
    const [sbom = "", notices = ""] = writeSbom(release, executable);
    show(sbom);
    let download: Promise<Download> | undefined;
    built.set(target, {
      executable,
      notices,
      download: () => (download ??= writeDownload(release, executable, notices)),
    });
  }
  for (const name of names) {
    const channel = CHANNELS[name];
    const paths = await channel?.write(
      release,
      channel.targets.flatMap((target) => built.get(target) ?? []),
    );
    paths?.forEach(show);
  }
  const sums = writeChecksums(release);
  show(sums);
  if (key === undefined) console.error("The checksums are not signed: --key FILE signs them.");
  else {
    show(signChecksums(sums, key, release));
    console.log(`minisign -Vm ${relative(process.cwd(), sums)} -P ${publicKeyOf(key)}`);
  }
  if (JSON.stringify(release.publisher).includes(".invalid"))
    console.error(
      "The publisher has addresses under .invalid, which lead nowhere: name yours with --publisher before you publish.",
    );
}

/** Makes the folder empty, if it has nothing but the packages of an earlier run, which may have failed. */
function emptyFolder(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const names = readdirSync(folder);
  if (names.length > 0 && !names.includes(SUMS))
    throw new Error(`${folder} has other files than packages: name a new or an empty folder with --out`);
  for (const name of names) rmSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, SUMS), "");
}

const show = (path: string): void => console.log(relative(process.cwd(), path));

// Packages keep the permissions of their files.
process.umask(0o022);
try {
  await main();
} catch (thrown) {
  console.error(`package: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  process.exitCode = 1;
}
