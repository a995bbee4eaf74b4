import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { bunComponents } from "../../package/bun-components.ts";
import { type Component, componentsOf } from "../../package/components.ts";
import { isPermissive, licenceProblem } from "../../package/licences.ts";
import { noticesOf, sbomOf } from "../../package/sbom.ts";
import { compiledExecutable } from "../fixture/printwright.ts";
import { standIn, trialRelease } from "../fixture/package-release.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "printwright-licences-"));
after(() => rmSync(folder, { recursive: true }));

const sources: readonly string[] = JSON.parse(readFileSync(`${compiledExecutable()}.sources.json`, "utf8"));
const components = componentsOf({ sources });

test("an expression is permissive if one of its alternatives is so in all parts", () => {
  const cases: readonly (readonly [expression: string, expected: boolean])[] = [
    ["MIT", true],
    ["GPL-3.0-only", false],
    ["MIT OR GPL-3.0-only", true],
    ["GPL-3.0-only OR MIT", true],
    ["MIT AND GPL-3.0-only", false],
    ["(MIT OR GPL-2.0-only) AND Apache-2.0", true],
    ["GPL-2.0-only OR (MIT AND MPL-2.0)", false],
    ["MIT WITH Some-exception", false],
    ["(MIT", false],
    ["MIT MIT", false],
    ["SEE LICENSE IN README", false],
    ["", false],
  ];
  for (const [expression, expected] of cases) assert.equal(isPermissive(expression), expected, expression);
});

test("a licence that is missing, copyleft or unknown is a problem that names the library", () => {
  assert.match(licenceProblem({ name: "some-lib", licence: "" }) ?? "", /^some-lib names no licence/);
  assert.match(licenceProblem({ name: "some-lib", licence: "AGPL-3.0-only" }) ?? "", /^some-lib .*AGPL-3\.0-only/);
  assert.equal(licenceProblem({ name: "some-lib", licence: "ISC" }), undefined);
  assert.equal(licenceProblem({ name: "occt-import-js", licence: "LGPL-2.1" }), undefined);
});

/** A node_modules with the real packages and one more. */
function modulesWith(name: string, manifest: object, files: Readonly<Record<string, string>>): string {
  const modules = mkdtempSync(join(folder, "modules-"));
  for (const entry of readdirSync(join(root, "node_modules")))
    symlinkSync(join(root, "node_modules", entry), join(modules, entry));
  mkdirSync(join(modules, name));
  const all = { ...files, "package.json": JSON.stringify({ name, version: "1.0.0", ...manifest }) };
  for (const [file, text] of Object.entries(all)) writeFileSync(join(modules, name, file), text);
  return modules;
}

const withLibrary = (manifest: object, files: Readonly<Record<string, string>> = {}) => {
  const modules = modulesWith("added-lib", manifest, files);
  return componentsOf({ sources: ["added-lib/index.js"] }, modules).find(({ name }) => name === "added-lib");
};

test("a package of the build gets in with a permissive licence and its text alone", () => {
  const text = { LICENSE: "the text" };
  assert.equal(withLibrary({ license: "MIT" }, text)?.text, "the text");
  assert.equal(withLibrary({ licenses: [{ type: "MIT" }] }, text)?.licence, "MIT");
  assert.match(withLibrary({ license: "ISC", author: "A. Uthor <a@b.c>" })?.text ?? "", /^Copyright \(c\) A\. Uthor\n/);
  assert.throws(() => withLibrary({ license: "ISC" }), /added-lib has no file with the text of its licence/);
  assert.throws(() => withLibrary({}, text), /^Error: added-lib names no licence/);
  assert.throws(() => withLibrary({ license: "GPL-3.0" }, text), /^Error: added-lib has the licence "GPL-3.0"/);
});

test("what is inside Bun is read from its list, and a licence in new words is an error", () => {
  const [bun, ...inside] = bunComponents();
  assert.equal(bun?.name, "Bun");
  assert.ok(
    ["JavaScriptCore", "boringssl", "tinycc", "libicu", "sqlite"].every((one) =>
      inside.some(({ name }) => name === one),
    ),
  );
  assert.throws(
    () => bunComponents("| [`new-lib`](https://x.org) | a new licence |\n"),
    /new-lib inside under "a new licence"/,
  );
  assert.throws(() => bunComponents("nothing"), /no longer has the tables/);
});

test("LICENSE names every package inside the executable", () => {
  const licence = readFileSync(join(root, "LICENSE"), "utf8");
  const packages = components.filter(({ isPackage }) => isPackage);
  assert.ok(packages.length > 20);
  assert.deepEqual(
    packages.filter(({ name }) => !licence.includes(name)).map(({ name, licence }) => `${name}  ${licence}`),
    [],
    "add these to the list in LICENSE",
  );
});

test("packages, WebAssembly, fonts and the runtime are listed", () => {
  const names = new Set(components.map(({ name }) => name));
  const expected = ["hono", "three", "occt-import-js", "Open CASCADE Technology", "libwebp", "dejavu-fonts-ttf", "Bun"];
  for (const name of [...expected, "assemblyscript"]) assert.ok(names.has(name), name);
  assert.ok(!names.has("typescript"));
});

test("the document of CycloneDX refers only to what it lists, and is the same for the same executable", () => {
  const release = trialRelease(folder);
  const make = (): any => sbomOf(release, { ...standIn("linux-x64"), sha256: "ab".repeat(32) }, components);
  const sbom = make();
  assert.deepEqual(make(), sbom);
  assert.match(sbom.serialNumber, /^urn:uuid:[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  assert.equal(sbom.metadata.timestamp, "2026-02-03T04:05:06.000Z");
  const refs = [sbom.metadata.component, ...sbom.components].map((one) => one["bom-ref"]);
  assert.equal(new Set(refs).size, refs.length);
  assert.deepEqual(sbom.dependencies.map(({ ref }: { ref: string }) => ref).sort(), refs.toSorted());
  const reached = new Set(sbom.dependencies.flatMap(({ dependsOn }: { dependsOn: string[] }) => dependsOn));
  assert.deepEqual(reached, new Set(sbom.components.map((one: any) => one["bom-ref"])));
  const scoped = sbom.components.find(({ name }: Component) => name === "@preact/signals");
  assert.equal(scoped.purl, `pkg:npm/%40preact/signals@${scoped.version}`);
});

test("the licences for people have each text once, under all its works", () => {
  const text = noticesOf([
    { name: "one", version: "1", licence: "MIT", text: "The words." },
    { name: "two", licence: "MIT", text: "The words.", within: "one" },
    { name: "three", licence: "ISC" },
  ]);
  assert.equal(text.split("The words.").length, 2);
  assert.match(text, /\none 1\ntwo \(inside one\)\n-+\n\nThe words\.\n/);
  assert.match(text, /\n {2}three: ISC\n/);
});
