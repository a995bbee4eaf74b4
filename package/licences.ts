/**
 * Licences that ask of the executable only to pass on their text, as SPDX ids. `LicenseRef-` ids have no SPDX id: `-public-domain` stands for works
 * without copyright, `-Arev` for the licence of the glyphs that DejaVu adds to Bitstream Vera.
 */
const PERMISSIVE: ReadonlySet<string> = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BSL-1.0",
  "Bitstream-Vera",
  "CC0-1.0",
  "IJG",
  "ISC",
  "LicenseRef-Arev",
  "LicenseRef-public-domain",
  "MIT",
  "PostgreSQL",
  "Unicode-3.0",
  "Unlicense",
  "Zlib",
  "libpng-2.0",
]);

/** Libraries under a copyleft licence that may be inside, with the way in which its terms are met. */
export const ACCEPTED_COPYLEFT: Readonly<Record<string, string>> = {
  "occt-import-js": "A separate WebAssembly file, loaded at run time, which users can replace by a build of their own.",
  "Open CASCADE Technology": "Inside that file; its exception allows users of its headers any licence.",
  JavaScriptCore: "Part of Bun, whose makers publish the sources and the way to link Bun anew.",
  tinycc: "Part of Bun, as JavaScriptCore is.",
};

/**
 * Why a component may not be inside the executable, as a sentence that names it; undefined where it may. The licence is an SPDX expression
 * (https://spdx.github.io/spdx-spec/v3.0.1/annexes/spdx-license-expressions/); an empty one stands for none.
 */
export function licenceProblem({ name, licence }: { name: string; licence: string }): string | undefined {
  if (licence === "") return `${name} names no licence: find it out, and name it in package/components.ts`;
  if (isPermissive(licence) || Object.hasOwn(ACCEPTED_COPYLEFT, name)) return undefined;
  return `${name} has the licence "${licence}", which is copyleft or unknown here: replace that library, or say in package/licences.ts how its terms are met`;
}

/** Whether one alternative of an SPDX expression is permissive in all its parts. An id with an exception counts as an id of its own. */
export function isPermissive(expression: string): boolean {
  const words = expression.match(/[()]|[^\s()]+/g) ?? [];
  let at = 0;
  const anyOf = (): boolean => {
    let value = allOf();
    // Both sides are read in any case.
    for (; words[at] === "OR";) value = (at++, allOf()) || value;
    return value;
  };
  const allOf = (): boolean => {
    let value = one();
    for (; words[at] === "AND";) value = (at++, one()) && value;
    return value;
  };
  const one = (): boolean => {
    if (words[at] === "(") {
      at++;
      const value = anyOf();
      return words[at++] === ")" && value;
    }
    const id = words[at++] ?? "";
    if (words[at] !== "WITH") return PERMISSIVE.has(id);
    at += 2;
    return false;
  };
  return anyOf() && at === words.length;
}
