import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Download } from "./downloads.ts";
import type { Release, Target } from "./release.ts";

/** winget's names of the architectures. */
const ARCHITECTURES: Partial<Record<Target, string>> = { "windows-x64": "x64", "windows-arm64": "arm64" };

export const WINGET_TARGETS = Object.keys(ARCHITECTURES) as Target[];

/** Version of the manifests' schema (https://github.com/microsoft/winget-cli/tree/master/schemas/JSON/manifests). */
const MANIFEST_VERSION = "1.10.0";

/** Writes the three manifests of winget into the folder that they have in its repository of packages. Returns their paths. */
export function writeWinget(release: Release, downloads: readonly Download[]): string[] {
  const { version, publisher, summary, licence, date } = release;
  const id = publisher.wingetId;
  const common = { PackageIdentifier: id, PackageVersion: version };
  const [vendor = "", product = ""] = id.split(".");
  const folder = join(release.folder, "winget", "manifests", vendor.charAt(0).toLowerCase(), vendor, product, version);
  mkdirSync(folder, { recursive: true });
  const write = (suffix: string, type: string, fields: object): string => {
    const path = join(folder, `${id}${suffix}.yaml`);
    const schema = `https://aka.ms/winget-manifest.${type}.${MANIFEST_VERSION}.schema.json`;
    const manifest = { ...common, ...fields, ManifestType: type, ManifestVersion: MANIFEST_VERSION };
    writeFileSync(path, `# yaml-language-server: $schema=${schema}\n${Bun.YAML.stringify(manifest, null, 2)}\n`);
    return path;
  };
  return [
    write("", "version", { DefaultLocale: "en-US" }),
    write(".installer", "installer", {
      InstallerType: "portable",
      Commands: ["printwright"],
      ReleaseDate: date.toISOString().slice(0, 10),
      Installers: downloads.map(({ target, url, sha256 }) => ({
        Architecture: ARCHITECTURES[target],
        InstallerUrl: url,
        InstallerSha256: sha256.toUpperCase(),
      })),
    }),
    write(".locale.en-US", "defaultLocale", {
      PackageLocale: "en-US",
      Publisher: publisher.name,
      PublisherUrl: publisher.homepage,
      PackageName: "Printwright",
      PackageUrl: publisher.homepage,
      License: licence,
      ShortDescription: summary,
      Moniker: "printwright",
      Tags: ["3d-printing", "resin", "sla", "slicer", "sls"],
    }),
  ];
}
