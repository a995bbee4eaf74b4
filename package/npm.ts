import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Executable, type Release, type Target, commandFile, root } from "./release.ts";
import { type TarEntry, tarGzOf } from "./tar.ts";

/** The conditions of npm for a package of a platform. */
interface Platform {
  readonly os: string;
  readonly cpu: string;
  readonly libc?: string;
}

export const NPM_TARGETS: Readonly<Record<Target, Platform>> = {
  "linux-x64": { os: "linux", cpu: "x64", libc: "glibc" },
  "linux-arm64": { os: "linux", cpu: "arm64", libc: "glibc" },
  "linux-x64-musl": { os: "linux", cpu: "x64", libc: "musl" },
  "darwin-arm64": { os: "darwin", cpu: "arm64" },
  "darwin-x64": { os: "darwin", cpu: "x64" },
  "windows-x64": { os: "win32", cpu: "x64" },
  "windows-arm64": { os: "win32", cpu: "arm64" },
};

/** Oldest Node.js that runs the launcher. */
const NODE = ">=18";

/**
 * Writes a package for each executable, and the package `printwright`, of which they are optional dependencies: npm installs the one for the
 * machine. Returns their paths, the package `printwright` last, because it must be published last.
 */
export function writeNpm(
  release: Release,
  executables: readonly Executable[],
  noticesOf: (one: Executable) => string,
): string[] {
  const name = (target: Target): string => `${release.publisher.npmScope}/${target}`;
  const common = {
    version: release.version,
    license: release.licence,
    author: `${release.publisher.name} <${release.publisher.mail}>`,
    homepage: release.publisher.homepage,
  };
  const platforms = executables.map((executable) => {
    const { target, path } = executable;
    const { os, cpu, libc } = NPM_TARGETS[target];
    const file = commandFile(target);
    const manifest = {
      name: name(target),
      ...common,
      description: `The executable of printwright for ${target}.`,
      os: [os],
      cpu: [cpu],
      ...(libc !== undefined && { libc: [libc] }),
      files: [file, "licences.txt"],
      preferUnplugged: true,
    };
    return writePackage(release, manifest, [
      { path: file, mode: 0o755, content: readFileSync(path) },
      { path: "licences.txt", content: readFileSync(noticesOf(executable)) },
    ]);
  });
  const manifest = {
    name: "printwright",
    ...common,
    description: release.summary,
    keywords: ["3d-printing", "resin", "sla", "sls", "slicer", "supports"],
    bin: { printwright: "launcher.js" },
    files: ["launcher.js"],
    engines: { node: NODE },
    optionalDependencies: Object.fromEntries(executables.map(({ target }) => [name(target), release.version])),
  };
  const main = writePackage(release, manifest, [
    { path: "launcher.js", mode: 0o755, content: readFileSync(join(import.meta.dirname, "npm-launcher.js")) },
    { path: "README.md", content: readmeOf(release) },
  ]);
  return [...platforms, main];
}

/** Writes a package as `npm pack` does, under the same file name. */
function writePackage(
  { folder, version, date }: Release,
  manifest: { name: string },
  files: readonly TarEntry[],
): string {
  const entries: TarEntry[] = [
    { path: "package.json", content: `${JSON.stringify(manifest, null, 2)}\n` },
    { path: "LICENSE", content: readFileSync(join(root, "LICENSE")) },
    ...files,
  ];
  const path = join(folder, `${manifest.name.replace("@", "").replace("/", "-")}-${version}.tgz`);
  writeFileSync(
    path,
    tarGzOf(
      entries.map((entry) => ({ ...entry, path: `package/${entry.path}` })),
      date,
    ),
  );
  return path;
}

const readmeOf = ({ summary, publisher }: Release): string => `# Printwright

${summary}

\`\`\`sh
npx printwright --port 44388 --open
npx printwright slice part.stl --printer PRUSA-SL1S --orient --support
npx printwright --help
\`\`\`

The package starts one executable file, which it has for Linux, macOS and Windows. ${publisher.homepage} has its documents.
`;
