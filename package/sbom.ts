import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Component, componentsOf } from "./components.ts";
import { type Executable, type Release, root, sha256 } from "./release.ts";

/** Writes the list of everything inside an executable as CycloneDX 1.6, and the licences as a text for people. Returns both paths. */
export function writeSbom(release: Release, executable: Executable): string[] {
  const { version, folder } = release;
  const components = componentsOf(executable);
  const stem = join(folder, `printwright-${version}-${executable.target}`);
  const [sbom, notices] = [`${stem}.cdx.json`, `${stem}.licences.txt`];
  writeFileSync(sbom, `${JSON.stringify(sbomOf(release, executable, components), null, 2)}\n`);
  writeFileSync(notices, noticesOf(components));
  return [sbom, notices];
}

/** A CycloneDX 1.6 document (https://cyclonedx.org/docs/1.6/json/). Equal executables have equal documents. */
export function sbomOf(
  { version, licence, date, publisher }: Release,
  { target, sha256: hash }: Executable,
  components: readonly Component[],
): object {
  const program = `printwright@${version}`;
  const inside = (name: string | undefined) => components.filter(({ within }) => within === name).map(refOf);
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: `urn:uuid:${uuidOf(hash)}`,
    version: 1,
    metadata: {
      timestamp: date.toISOString(),
      component: {
        type: "application",
        "bom-ref": program,
        name: "printwright",
        version,
        purl: `pkg:generic/printwright@${version}?platform=${target}`,
        supplier: { name: publisher.name, url: [publisher.homepage] },
        licenses: [{ license: { id: licence } }],
        hashes: [{ alg: "SHA-256", content: hash }],
      },
    },
    components: components.map((component) => ({
      type: "library",
      "bom-ref": refOf(component),
      name: component.name,
      ...(component.version !== undefined && { version: component.version }),
      ...(component.isPackage && { purl: `pkg:npm/${component.name.replace("@", "%40")}@${component.version}` }),
      licenses: [{ expression: component.licence }],
      ...(component.url !== undefined && { externalReferences: [{ type: "website", url: component.url }] }),
    })),
    dependencies: [
      { ref: program, dependsOn: inside(undefined) },
      ...components.map((component) => ({
        ref: refOf(component),
        dependsOn: component.within === undefined ? inside(component.name) : [],
      })),
    ],
  };
}

const refOf = ({ name, version, within }: Component): string =>
  [...(within === undefined ? [] : [within]), version === undefined ? name : `${name}@${version}`].join("/");

/** A version 8 UUID (RFC 9562) of the first 16 bytes of a hash. */
function uuidOf(hash: string): string {
  const [bytes, variant] = [hash.slice(0, 32), (8 + (Number.parseInt(hash.charAt(16), 16) & 3)).toString(16)];
  return [
    bytes.slice(0, 8),
    bytes.slice(8, 12),
    `8${bytes.slice(13, 16)}`,
    `${variant}${bytes.slice(17, 20)}`,
    bytes.slice(20),
  ].join("-");
}

const RULE = "-".repeat(78);

/** The licence of this program, and those of the components with their texts, equal texts once. */
export function noticesOf(components: readonly Component[]): string {
  const overview = components.map((component) => `  ${titleOf(component)}: ${component.licence}`);
  const texts = Map.groupBy(
    components.filter(({ text }) => text !== undefined),
    ({ text = "" }) => sha256(text),
  );
  const sections = [...texts.values()].map(
    (group) => `${RULE}\n${group.map(titleOf).join("\n")}\n${RULE}\n\n${group[0]?.text?.trim()}\n`,
  );
  return `Printwright\n\n${readFileSync(join(root, "LICENSE"), "utf8").trim()}\n\nEverything of others inside the executable:\n\n${overview.join("\n")}\n\n${sections.join("\n")}`;
}

const titleOf = ({ name, version, within }: Component): string =>
  `${name}${version === undefined ? "" : ` ${version}`}${within === undefined ? "" : ` (inside ${within})`}`;
