import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { PACKAGE_ASSETS } from "../src/core/asset.ts";
import { bunComponents } from "./bun-components.ts";
import { licenceProblem } from "./licences.ts";
import { type Executable, root } from "./release.ts";

/** A work of others inside the executable. */
export interface Component {
  readonly name: string;
  readonly version?: string | undefined;
  /** An SPDX expression; empty where the work names none. */
  readonly licence: string;
  /** The text that goes with it. */
  readonly text?: string;
  readonly url?: string | undefined;
  /** Name of the component into which it was compiled. */
  readonly within?: string;
  /** Whether it is a package of the npm registry. */
  readonly isPackage?: boolean;
}

/** A library that was compiled into a file of a package. `text`: the file of its licence in that package. */
interface CompiledIn extends Omit<Component, "text" | "within"> {
  readonly text?: string;
}

/**
 * What was compiled into WebAssembly, or copied into scripts, of packages that do not name it in their package.json. Found by the names
 * of symbols and the comments in these files.
 */
const COMPILED_IN: Readonly<Record<string, readonly CompiledIn[]>> = {
  "@jsquash/webp": [
    {
      name: "libwebp",
      licence: "BSD-3-Clause",
      text: "codec/LICENSE.codec.md",
      url: "https://chromium.googlesource.com/webm/libwebp",
    },
  ],
  "manifold-3d": [{ name: "Clipper2", licence: "BSL-1.0", url: "https://github.com/AngusJohnson/Clipper2" }],
  "occt-import-js": [
    {
      name: "Open CASCADE Technology",
      licence: "LGPL-2.1-only WITH OCCT-exception-1.0",
      text: "dist/license.occt.txt",
      url: "https://dev.opencascade.org",
    },
  ],
  "opentype.js": [{ name: "tiny-inflate", licence: "MIT", url: "https://github.com/foliojs/tiny-inflate" }],
  rhino3dm: [
    { name: "openNURBS", licence: "MIT", url: "https://github.com/mcneel/opennurbs" },
    { name: "Draco", licence: "Apache-2.0", url: "https://github.com/google/draco" },
    { name: "zlib", licence: "Zlib", url: "https://zlib.net" },
  ],
  "xz-decompress": [
    { name: "XZ Embedded", licence: "LicenseRef-public-domain", url: "https://tukaani.org/xz/embedded.html" },
    { name: "walloc", licence: "MIT", url: "https://github.com/wingo/walloc" },
  ],
};

/** Licences of packages whose package.json refers to files instead of naming them. */
const LICENCES_IN_FILES: Readonly<Record<string, string>> = {
  "dejavu-fonts-ttf": "Bitstream-Vera AND LicenseRef-Arev AND LicenseRef-public-domain",
};

/** Compiled into the kernels: the parts of its standard library that they use. */
const COMPILER = "assemblyscript";

const COMPILED_FILE = /\.(wasm|data|node|so)$/;
const LICENCE_FILE = /^(un)?licen[cs]e|^copying|^notice/i;

/**
 * Everything inside the executable that others made. Throws, naming them all, where one may not be inside, or where its licence is not known.
 * `modules`: the folder node_modules of its packages.
 */
export function componentsOf(
  { sources }: Pick<Executable, "sources">,
  modules = join(root, "node_modules"),
): Component[] {
  const assets = Object.values(PACKAGE_ASSETS);
  const packages = [...new Set([...sources, ...assets].map(packageOf)), COMPILER].sort();
  const withBinaries = new Set(assets.filter((asset) => COMPILED_FILE.test(asset)).map(packageOf));
  const components = [
    ...packages.flatMap((path) => packageComponents(join(modules, path), withBinaries.has(path))),
    ...bunComponents(),
  ];
  const problems = components.flatMap((component) => licenceProblem(component) ?? []);
  if (problems.length > 0) throw new Error(problems.join("\n"));
  return components;
}

/** Path in `node_modules` of the package that has a file. */
const packageOf = (file: string): string => /^(.*\/node_modules\/)?(@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? file;

function packageComponents(folder: string, hasBinary: boolean): Component[] {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const { name, version, homepage } = manifest;
  const compiledIn = COMPILED_IN[name];
  if (hasBinary && compiledIn === undefined)
    throw new Error(`${name} has compiled code inside: name in package/components.ts what was compiled into it`);
  const licence = LICENCES_IN_FILES[name] ?? licenceOf(manifest);
  return [
    { name, version, licence, url: homepage, text: licenceText(folder, licence, manifest), isPackage: true },
    ...(compiledIn ?? []).map(({ text, ...one }) => ({
      ...one,
      within: name,
      ...(text !== undefined && { text: readFileSync(join(folder, text), "utf8") }),
    })),
  ];
}

/** The licence that a package.json names, also in the ways of old ones. */
function licenceOf({ license, licenses = [] }: { license?: unknown; licenses?: unknown }): string {
  const named = [license ?? licenses].flat().flatMap((one) => (typeof one === "object" ? Object(one).type : one));
  return named.filter((one) => typeof one === "string").join(" OR ");
}

/** The files of its licence; where there are none, the usual text of that licence with the name of the author. */
function licenceText(folder: string, licence: string, { name, author }: { name: string; author?: unknown }): string {
  const files = readdirSync(folder, { withFileTypes: true }).filter(
    (file) => file.isFile() && LICENCE_FILE.test(file.name),
  );
  if (files.length > 0) return files.map((file) => readFileSync(join(folder, file.name), "utf8").trim()).join("\n\n");
  const holder = typeof author === "string" ? author.replace(/ *[<(].*/, "") : Object(author).name;
  const usual = join(import.meta.dirname, "licences", `${licence}.txt`);
  if (holder !== undefined && existsSync(usual))
    return `Copyright (c) ${holder}\n\n${readFileSync(usual, "utf8").trim()}`;
  throw new Error(
    `${name} has no file with the text of its licence (${licence}), and no author whom the usual text could name`,
  );
}
