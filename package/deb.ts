import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { gzipSync } from "node:zlib";
import { systemNeeds } from "./elf.ts";
import { manPages } from "./man-pages.ts";
import { type Executable, HEADLINE, type Release, type Target, root } from "./release.ts";

/** Debian's names of the architectures for which there are packages. */
const ARCHITECTURES: Partial<Record<Target, string>> = { "linux-x64": "amd64", "linux-arm64": "arm64" };

export const DEB_TARGETS = Object.keys(ARCHITECTURES) as Target[];

interface PackagedFile {
  /** Path below the root of the system. */
  readonly path: string;
  readonly content: Uint8Array | string;
  readonly mode?: number;
}

/** dpkg of Debian 11 reads xz, but not zstd; level 6 is that of dpkg-deb. `-Zgzip -z1` for trials. */
const COMPRESSION: readonly string[] = ["-Zxz", "-z6"];

/**
 * Writes the Debian package of an executable, with its units for systemd, manual pages and licences, and returns its path.
 * `notices`: path of the licences of everything inside. Throws where dpkg-deb is missing or fails.
 */
export async function writeDeb(
  release: Release,
  executable: Executable,
  notices: string,
  compression: readonly string[] = COMPRESSION,
): Promise<string> {
  const architecture = ARCHITECTURES[executable.target];
  if (architecture === undefined) throw new Error(`there is no Debian package for ${executable.target}`);
  const version = debianVersion(release);
  const files = await packagedFiles(release, executable, notices);
  const staging = mkdtempSync(join(tmpdir(), "printwright-deb-"));
  try {
    const conffiles = files.flatMap(({ path }) => (path.startsWith("etc/") ? [`/${path}\n`] : []));
    const script = (name: string): PackagedFile => ({
      path: `DEBIAN/${name}`,
      content: partOfPackage(name),
      mode: 0o755,
    });
    const control: PackagedFile[] = [
      { path: "DEBIAN/control", content: controlOf(release, executable, architecture, files) },
      { path: "DEBIAN/conffiles", content: conffiles.join("") },
      { path: "DEBIAN/md5sums", content: files.map(md5Line).join("") },
      ...["postinst", "prerm", "postrm"].map(script),
    ];
    chmodSync(staging, 0o755);
    for (const file of [...files, ...control]) write(staging, file);
    const path = join(release.folder, `printwright_${version}_${architecture}.deb`);
    const words = ["--root-owner-group", ...compression, "--build", staging, path];
    const env = { ...process.env, SOURCE_DATE_EPOCH: String(release.date.getTime() / 1000) };
    const { status, stderr, error } = spawnSync("dpkg-deb", words, { encoding: "utf8", env });
    if (error) throw new Error(`dpkg-deb did not start (${error.message}): install the package dpkg`);
    if (status !== 0) throw new Error(`dpkg-deb failed: ${stderr}`);
    return path;
  } finally {
    rmSync(staging, { recursive: true });
  }
}

/** A version in which a pre-release sorts before its release, with the revision of the package. */
const debianVersion = ({ version }: Release): string => `${version.replace("-", "~")}-1`;

const partOfPackage = (name: string): string => readFileSync(join(import.meta.dirname, "deb", name), "utf8");

function write(folder: string, { path, content, mode = 0o644 }: PackagedFile): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true, mode: 0o755 });
  writeFileSync(file, content, { mode });
}

const md5Line = ({ path, content }: PackagedFile): string =>
  `${createHash("md5").update(content).digest("hex")}  ${path}\n`;

const gz = (content: string): Uint8Array => gzipSync(content, { level: 9 });

/** The files of the package, in the order of their paths. */
async function packagedFiles(release: Release, executable: Executable, notices: string): Promise<PackagedFile[]> {
  const doc = "usr/share/doc/printwright";
  const unit = (name: string): PackagedFile => ({
    path: `lib/systemd/system/${name}`,
    content: partOfPackage(name) + partOfPackage("hardening.conf"),
  });
  const files: PackagedFile[] = [
    { path: "usr/bin/printwright", content: readFileSync(executable.path), mode: 0o755 },
    { path: "usr/share/lintian/overrides/printwright", content: partOfPackage("lintian-overrides") },
    unit("printwright.service"),
    unit("printwright-worker.service"),
    { path: "etc/printwright/server.env", content: partOfPackage("server.env") },
    // It may have the password of a database.
    { path: "etc/printwright/worker.env", content: partOfPackage("worker.env"), mode: 0o600 },
    { path: `${doc}/copyright`, content: copyrightOf(release) },
    { path: `${doc}/changelog.Debian.gz`, content: gz(changelogOf(release)) },
    { path: `${doc}/licences.txt.gz`, content: gz(readFileSync(notices, "utf8")) },
    ...(await manPages(release)).map(({ file, text }) => ({
      path: `usr/share/man/man1/${file}.gz`,
      content: gz(text),
    })),
  ];
  return files.sort((one, other) => (one.path < other.path ? -1 : 1));
}

function controlOf(
  release: Release,
  executable: Executable,
  architecture: string,
  files: readonly PackagedFile[],
): string {
  const kibibytes = files.reduce((sum, { content }) => sum + Math.ceil(content.length / 1024), 0);
  return `Package: printwright
Version: ${debianVersion(release)}
Architecture: ${architecture}
Maintainer: ${release.publisher.name} <${release.publisher.mail}>
Installed-Size: ${kibibytes}
Depends: libc6 (>= ${systemNeeds(executable.path).glibc})
Section: graphics
Priority: optional
Homepage: ${release.publisher.homepage}
Description: ${HEADLINE.replace("P", "p")}
 Imports, repairs, orients, supports, packs, checks and slices models for resin
 and powder 3D printers, and sends the jobs to printers: by a page in the
 browser, by commands of the shell, and by an HTTP interface for programs.
 .
 The package has services of systemd for a server and for a worker of a queue.
 Neither is started by the installation.
`;
}

function changelogOf(release: Release): string {
  const { publisher, date, version } = release;
  return `printwright (${debianVersion(release)}) unstable; urgency=medium

  * Release ${version}.

 -- ${publisher.name} <${publisher.mail}>  ${date.toUTCString().replace("GMT", "+0000")}
`;
}

function copyrightOf({ publisher }: Release): string {
  const [own = ""] = readFileSync(join(root, "LICENSE"), "utf8").split(/\n-{10,}\n/);
  const [title = "", copyright = "", ...paragraphs] = own.trim().split("\n\n");
  const text = paragraphs.join("\n\n").replace(/^$/gm, ".").replace(/^/gm, " ");
  return `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Printwright
Source: ${publisher.homepage}
Comment: The licences of the libraries inside the executable, with their texts,
 are in licences.txt.gz in this folder.

Files: *
Copyright: ${copyright.replace(/^Copyright \(c\) /, "")}
License: ${title.replace(" License", "")}
${text}
`;
}
