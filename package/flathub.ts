import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Download } from "./downloads.ts";
import { HEADLINE, type Release, type Target, root } from "./release.ts";

/** Flatpak's names of the architectures. */
const ARCHITECTURES: Partial<Record<Target, string>> = { "linux-x64": "x86_64", "linux-arm64": "aarch64" };

export const FLATHUB_TARGETS = Object.keys(ARCHITECTURES) as Target[];

const RUNTIME_VERSION = "25.08";

/** Writes the manifest of Flathub with the entry of the menu, the icon and the description for software centres. Returns their paths. */
export function writeFlathub(release: Release, downloads: readonly Download[]): string[] {
  const { appId } = release.publisher;
  const folder = join(release.folder, "flathub");
  mkdirSync(folder, { recursive: true });
  const files: Readonly<Record<string, string>> = {
    [`${appId}.yml`]: `${Bun.YAML.stringify(manifestOf(appId, downloads), null, 2)}\n`,
    [`${appId}.desktop`]: desktopEntry(appId),
    [`${appId}.metainfo.xml`]: metainfoOf(release),
    [`${appId}.svg`]: `${pageIcon()}\n`,
  };
  return Object.entries(files).map(([name, text]) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  });
}

function manifestOf(appId: string, downloads: readonly Download[]): object {
  const install = (file: string, folder: string): string => `install -Dm644 ${appId}.${file} -t /app/share/${folder}`;
  const local = ["desktop", "metainfo.xml", "svg"].map((file) => ({ type: "file", path: `${appId}.${file}` }));
  return {
    id: appId,
    runtime: "org.freedesktop.Platform",
    "runtime-version": RUNTIME_VERSION,
    sdk: "org.freedesktop.Sdk",
    command: "printwright",
    // The page is served to the browser outside of the sandbox; jobs go to printers of the network and onto sticks.
    "finish-args": ["--share=network", "--filesystem=/media", "--filesystem=/run/media"],
    modules: [
      {
        name: "printwright",
        buildsystem: "simple",
        // The program is appended to the executable, which stripping would cut off.
        "build-options": { strip: false, "no-debuginfo": true },
        "build-commands": [
          "install -Dm755 printwright -t /app/bin",
          "install -Dm644 LICENSE licences.txt -t /app/share/licenses/printwright",
          install("desktop", "applications"),
          install("metainfo.xml", "metainfo"),
          install("svg", "icons/hicolor/scalable/apps"),
        ],
        sources: [
          ...downloads.map(({ target, url, sha256 }) => ({
            type: "archive",
            url,
            sha256,
            "only-arches": [ARCHITECTURES[target]],
          })),
          ...local,
        ],
      },
    ],
  };
}

/** The server runs in a terminal window: closing that ends it, as closing the page does not. */
const desktopEntry = (appId: string): string => `[Desktop Entry]
Type=Application
Name=Printwright
GenericName=3D print preparation
Comment=${HEADLINE}
Exec=printwright --port 0 --open
Icon=${appId}
Terminal=true
Categories=Graphics;3DGraphics;
Keywords=3D;printing;resin;SLA;SLS;slicer;supports;
`;

function metainfoOf({ version, summary, licence, date, publisher }: Release): string {
  const { appId, homepage, name } = publisher;
  return `<?xml version="1.0" encoding="UTF-8"?>
<component type="desktop-application">
  <id>${appId}</id>
  <metadata_license>CC0-1.0</metadata_license>
  <project_license>${licence}</project_license>
  <name>Printwright</name>
  <summary>${HEADLINE}</summary>
  <developer id="${appId.replace(/\.[^.]*$/, "").toLowerCase()}">
    <name>${escapedXml(name)}</name>
  </developer>
  <description>
    <p>${escapedXml(summary)} It imports, repairs, orients, supports, packs, checks and slices models, and sends the jobs to printers.</p>
    <p>The program opens its page in the browser of this machine.</p>
  </description>
  <launchable type="desktop-id">${appId}.desktop</launchable>
  <url type="homepage">${homepage}</url>
  <provides>
    <binary>printwright</binary>
  </provides>
  <content_rating type="oars-1.1"/>
  <releases>
    <release version="${version}" date="${date.toISOString().slice(0, 10)}"/>
  </releases>
</component>
`;
}

const escapedXml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** The icon of the page, which its document has as a data URL. */
function pageIcon(): string {
  const icon = /data:image\/svg\+xml,([^"]+)/.exec(readFileSync(join(root, "src/page/index.html"), "utf8"))?.[1];
  if (icon === undefined) throw new Error("src/page/index.html no longer has its icon as a data URL");
  // Software centres take the size of the picture from these.
  return decodeURIComponent(icon).replace("<svg ", "<svg width='128' height='128' ");
}
