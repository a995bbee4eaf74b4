import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Component } from "./components.ts";
import { root } from "./release.ts";

/** The list of what Bun links and embeds, which its makers publish with its types. */
const LIST = join(root, "node_modules/bun-types/docs/project/license.mdx");

/** SPDX expressions of the wordings in the list. */
const WORDINGS: Readonly<Record<string, string>> = {
  MIT: "MIT",
  "MIT licensed": "MIT",
  "MIT (bundled xxhash is BSD 2-Clause)": "MIT AND BSD-2-Clause",
  "MIT (portions derived from Chromium proto-quic, BSD 3-Clause)": "MIT AND BSD-3-Clause",
  "BSD 2-Clause": "BSD-2-Clause",
  "BSD 3-Clause": "BSD-3-Clause",
  "BSD 3-Clause / IJG / zlib": "BSD-3-Clause AND IJG AND Zlib",
  "BSD 2-Clause (portions derived from libpng, PNG Reference Library License v2)": "BSD-2-Clause AND libpng-2.0",
  "Apache 2.0": "Apache-2.0",
  "Apache 2.0 licensed": "Apache-2.0",
  "LGPL v2.1": "LGPL-2.1-only",
  zlib: "Zlib",
  "ICU license": "Unicode-3.0",
  "public domain": "LicenseRef-public-domain",
  "dual-licensed under the Perl License or the MIT License": "Artistic-1.0-Perl OR MIT",
  "dual-licensed under the BSD License or GPLv2 license": "BSD-3-Clause OR GPL-2.0-only",
  "dual-licensed under CC0 1.0 or the BSD 2-Clause License": "CC0-1.0 OR BSD-2-Clause",
};

/** Libraries with "several licenses" in the list: those of the files that it refers to. */
const SEVERAL: Readonly<Record<string, string>> = {
  boringssl: "Apache-2.0 AND ISC AND MIT AND BSD-3-Clause",
  libarchive: "BSD-2-Clause AND BSD-3-Clause AND LicenseRef-public-domain",
};

/** Bun and everything that its makers name as inside it. Throws for a licence in words that are not known here. */
export function bunComponents(list = readFileSync(LIST, "utf8")): Component[] {
  // | [`name`](address) | licence |, where the licence may be a link.
  const rows = list.matchAll(/^\| .*?\[`?(?<name>[^\]`]+)`?\]\((?<url>[^)]+)\).*?\| (?<words>.+?) +\|$/gm);
  const linked = [...rows].map(({ groups }) => {
    const { name = "", url = "", words = "" } = groups ?? {};
    const wording = words.replace(/^\[(.*)\]\(.*\)$/, "$1");
    const licence = wording === "several licenses" ? SEVERAL[name] : WORDINGS[wording];
    if (licence === undefined)
      throw new Error(`Bun has ${name} inside under "${wording}": name its SPDX licence in package/bun-components.ts`);
    return { name, licence, url, within: "Bun" };
  });
  if (linked.length === 0) throw new Error(`${LIST} no longer has the tables of what is inside Bun`);
  return [
    {
      name: "Bun",
      version: Bun.version,
      licence: "MIT",
      url: "https://bun.com",
      text: list.replace(/^---\n.*?\n---\n/s, "").trim(),
    },
    {
      name: "JavaScriptCore",
      version: process.versions.webkit,
      licence: "LGPL-2.0-or-later AND BSD-2-Clause",
      url: "https://github.com/oven-sh/WebKit",
      within: "Bun",
    },
    ...linked,
  ];
}
