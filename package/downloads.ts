import { copyFileSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { manPages } from "./man-pages.ts";
import { type Executable, type Release, type Target, commandFile, root, sha256 } from "./release.ts";
import { tarGzOf } from "./tar.ts";

/** A file of a release that installers download. */
export interface Download {
  readonly target: Target;
  readonly path: string;
  readonly url: string;
  readonly sha256: string;
  readonly bytes: number;
}

/**
 * Writes the file by which an executable is downloaded: for Windows the executable itself, which winget installs as it is; for others an
 * archive with the executable, its manual and the licences. Its addresses are those of the publisher.
 */
export async function writeDownload(release: Release, executable: Executable, notices: string): Promise<Download> {
  const { version, publisher, folder, date } = release;
  const { target } = executable;
  const isWindows = target.startsWith("windows");
  const stem = `printwright-${version}-${target}`;
  const name = `${stem}${isWindows ? ".exe" : ".tar.gz"}`;
  const path = join(folder, name);
  if (isWindows) copyFileSync(executable.path, path);
  else {
    const pages = await manPages(release);
    const entries = [
      { path: commandFile(target), mode: 0o755, content: readFileSync(executable.path) },
      { path: "LICENSE", content: readFileSync(join(root, "LICENSE")) },
      { path: "licences.txt", content: readFileSync(notices) },
      ...pages.map(({ file, text }) => ({ path: `man/man1/${file}`, content: text })),
    ];
    writeFileSync(
      path,
      tarGzOf(
        entries.map((entry) => ({ ...entry, path: `${stem}/${entry.path}` })),
        date,
      ),
    );
  }
  return {
    target,
    path,
    url: `${publisher.downloads.replaceAll("VERSION", version)}/${name}`,
    sha256: sha256(readFileSync(path)),
    bytes: statSync(path).size,
  };
}
