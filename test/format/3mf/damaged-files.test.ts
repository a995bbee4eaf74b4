import assert from "node:assert/strict";
import { test } from "node:test";
import { unzipSync, zipSync } from "fflate";
import { ApiError } from "../../../src/core/api-error.ts";
import { noProgress } from "../../../src/core/progress.ts";
import { threeMfReader } from "../../../src/format/3mf/reader.ts";
import type { ModelFile } from "../../../src/format/model-reader.ts";
import { box } from "../../fixture/shapes.ts";
import { temporaryFiles } from "../../fixture/temporary-files.ts";
import { modelXml, objectXml, threeMfPackage } from "../../fixture/three-mf-file.ts";

const file = temporaryFiles();
const utf8 = new TextEncoder();

const readBytes = (bytes: Uint8Array): Promise<ModelFile> =>
  threeMfReader.read(file("model.3mf", bytes), { chordalToleranceMm: 0.01, angleToleranceDeg: 5 }, noProgress);

async function refuses(bytes: Uint8Array, message: RegExp): Promise<void> {
  await assert.rejects(readBytes(bytes), (thrown: unknown) => {
    assert.ok(thrown instanceof ApiError, String(thrown));
    assert.equal(thrown.code, "OPERATION_FAILED");
    assert.match(thrown.message, message);
    return true;
  });
}

const CUBE = objectXml(1, { surface: box([1, 1, 1]) });
const ITEM = `<item objectid="1"/>`;
const SOUND = modelXml(CUBE, ITEM);
const objectOf = (id: number, components: string): string =>
  `<object id="${id}"><components>${components}</components></object>`;
const assembly = (id: number, ...ids: number[]): string =>
  objectOf(id, ids.map((inner) => `<component objectid="${inner}"/>`).join(""));
const requiring = (namespace: string): string =>
  SOUND.replace("<model ", `<model requiredextensions="x" xmlns:x="${namespace}" `);
const withPaths = (model: string): string =>
  model.replace("<model ", `<model xmlns:p="http://schemas.microsoft.com/3dmanufacturing/production/2015/06" `);
const IN_B = `<item objectid="1" p:path="/3D/b.model"/>`;
const LAUGHS = CUBE + Array.from({ length: 9 }, (_, i) => assembly(i + 2, ...Array(10).fill(i + 1))).join("");
const CROSSED = SOUND.replace("</vertices>", "</triangles>").replace("<triangles>", "<vertices>");
const ENTITIES = `<!DOCTYPE model [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>`;
const NESTED = [CUBE, ...Array.from({ length: 64 }, (_, i) => assembly(i + 2, i + 1))].join("");

const MODELS: readonly [rule: string, model: string, message: RegExp][] = [
  ["an empty build", modelXml(CUBE, ""), /no triangles to print/],
  ["no mesh", modelXml(`<object id="1"/>`, ITEM), /no triangles to print/],
  ["a mesh without triangles", SOUND.replace(/<triangles>.*<\/triangles>/, "<triangles/>"), /no triangles to print/],
  [
    "beams of another namespace",
    SOUND.replace(/<triangles>.*<\/triangles>/, "<triangles/><b:beamlattice/>").replace(
      "<model ",
      `<model xmlns:b="urn:b" `,
    ),
    /no triangles to print, and no beams/,
  ],
  ["only items that are switched off", modelXml(CUBE, `<item objectid="1" printable="0"/>`), /no triangles to print/],
  ["an item whose object is missing", modelXml(CUBE, `<item objectid="2"/>`), /object 2.*missing in 3D\/3dmodel/],
  ["a component whose object is missing", modelXml(CUBE + assembly(2, 3), `<item objectid="2"/>`), /object 3.*missing/],
  ["an item without an object id", modelXml(CUBE, "<item/>"), /line 1: an object id is missing/],
  ["an object id that is no number", SOUND.replace(`id="1"`, `id="one"`), /object id is "one"/],
  ["an object twice", modelXml(CUBE + CUBE, ITEM), /object 1 is there twice/],
  ["a corner past the vertices", SOUND.replace(`v1="0"`, `v1="8"`), /corner is "8", of 8 vertices/],
  ["a negative corner", SOUND.replace(`v1="0"`, `v1="-1"`), /corner is "-1"/],
  ["a corner that is no whole number", SOUND.replace(`v1="0"`, `v1="1.5"`), /corner is "1\.5"/],
  ["a corner that is missing", SOUND.replace(`v1="0"`, ""), /corner is missing/],
  ["a coordinate that is missing", SOUND.replace(/ x="[^"]*"/, ""), /coordinate is missing/],
  ["an empty coordinate", SOUND.replace(/ x="[^"]*"/, ` x=""`), /coordinate is ""/],
  ["NaN", SOUND.replace(/ x="[^"]*"/, ` x="NaN"`), /coordinate is "NaN"/],
  ["Infinity", SOUND.replace(/ x="[^"]*"/, ` x="Infinity"`), /coordinate is "Infinity"/],
  ["a number beyond double", SOUND.replace(/ x="[^"]*"/, ` x="1e999"`), /coordinate is "1e999"/],
  ["a hexadecimal number", SOUND.replace(/ x="[^"]*"/, ` x="0x10"`), /coordinate is "0x10"/],
  ["a transform of 11 numbers", modelXml(CUBE, `<item objectid="1" transform="1 0 0 0 1 0 0 0 1 0 0"/>`), /11 numbers/],
  ["a transform of words", modelXml(CUBE, `<item objectid="1" transform="identity"/>`), /coordinate is "identity"/],
  ["an object of an unknown type", SOUND.replace('type="model"', 'type="toString"'), /object 1 is of the unknown type/],
  ["an item of type other", SOUND.replace('type="model"', 'type="other"'), /places object 1,.* type "other"/],
  [
    "an item with a component of type other",
    modelXml(CUBE.replace('type="model"', 'type="other"') + assembly(2, 1), `<item objectid="2"/>`),
    /places object 2,.* type "other"/,
  ],
  ["an unknown unit", modelXml(CUBE, ITEM, "furlong"), /unit "furlong" is unknown/],
  ["a unit named like a method", modelXml(CUBE, ITEM, "toString"), /unit "toString" is unknown/],
  ["an object in itself", modelXml(assembly(1, 1), ITEM), /component of itself/],
  ["objects in a circle", modelXml(assembly(1, 2) + assembly(2, 3) + assembly(3, 1), ITEM), /component of itself/],
  ["components 65 deep, seen from the top", modelXml(NESTED, `<item objectid="65"/>`), /nested deeper than 64/],
  [
    "components 65 deep, seen from below",
    modelXml(NESTED, `<item objectid="9"/><item objectid="65"/>`),
    /deeper than 64/,
  ],
  ["a billion laughs", modelXml(LAUGHS, `<item objectid="10"/>`), /12000000000 triangles, 20000000 are the most/],
  ["slices", requiring("http://schemas.microsoft.com/3dmanufacturing/slice/2015/07"), /slice/],
  ["an extension that is not declared", SOUND.replace("<model ", `<model requiredextensions="zz" `), /not declared/],
  ["a part that is missing", withPaths(modelXml(CUBE, IN_B)), /"\/3D\/b\.model".*is missing/],
  ["another kind of document", "<svg/>", /no 3MF model/],
  ["another namespace", SOUND.replace("3dmanufacturing/core", "3dmanufacturing/other"), /no 3MF model/],
  ["the draft", SOUND.replace(/core\/2015\/02/, "2013/01"), /version 0\.93, a draft of 3MF.*; export/],
  ["XML cut short", SOUND.slice(0, -20), /well-formed/],
  ["tags that cross", CROSSED, /well-formed/],
  ["an attribute twice", SOUND.replace(`id="1"`, `id="1" id="2"`), /well-formed/],
  ["nothing at all", "", /well-formed/],
  ["a DOCTYPE", SOUND.replace("<model ", "<!DOCTYPE model><model "), /DOCTYPE/],
  ["its own entities", SOUND.replace("<model ", `${ENTITIES}<model `), /DOCTYPE/],
  ["an entity that nobody defined", SOUND.replace(`id="1"`, `id="&one;"`), /well-formed/],
  ["elements without end", SOUND.replace("<resources>", "<resources>" + "<a>".repeat(300)), /nested deeper than 256/],
  ["a comment without end", SOUND.replace("<resources>", `<!--${"-a".repeat(5 * 2 ** 20)}`), /too long/],
];

for (const [rule, model, message] of MODELS) {
  test(`refused with its cause: ${rule}`, () => refuses(threeMfPackage(model), message));
}

test("the unchanged files that the refused ones are made from are read", async () => {
  assert.equal((await readBytes(threeMfPackage(SOUND))).parts.length, 1);
  const { parts } = await readBytes(threeMfPackage(modelXml(NESTED, `<item objectid="64"/>`)));
  assert.equal(parts[0].surface.triangles.length, 36);
});

const START_PART = "http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel";
const relationshipsOf = (...relationships: readonly string[]): Uint8Array =>
  utf8.encode(
    `<Relationships>${relationships.map((one, i) => `<Relationship Id="r${i}" Type="${START_PART}" ${one}/>`).join("")}</Relationships>`,
  );
const ROOT = 'Target="/3D/3dmodel.model"';

test("a package has one root model, which is inside the package", async () => {
  const other = { "3D/other.model": utf8.encode(SOUND) };
  const external = 'Target="/3D/3dmodel.model" TargetMode="External"';
  const packageOf = (relationships: Uint8Array, more = {}): Uint8Array =>
    threeMfPackage(SOUND, { "_rels/.rels": relationships, ...other, ...more });
  await refuses(packageOf(relationshipsOf(ROOT, 'Target="/3D/other.model"')), /names 2 root models/);
  await refuses(packageOf(relationshipsOf(external)), /"\/3D\/3dmodel\.model", which is outside/);
  const beside = {
    "3D/_rels/3dmodel.model.rels": relationshipsOf('Target="http://a.b/c.model" TargetMode="External"'),
  };
  await refuses(packageOf(relationshipsOf(ROOT), beside), /3dmodel\.model\.rels: .*is outside/);
  const picture = `<Relationships><Relationship Id="p" Type="http://a.b/thumbnail" Target="http://a.b/c.png" TargetMode="External"/>`;
  const pictures = utf8.encode(`${picture}<Relationship Id="r" Type="${START_PART}" ${ROOT}/></Relationships>`);
  await refuses(packageOf(pictures), /"http:\/\/a\.b\/c\.png", which is outside of the package/);
  const sound = [relationshipsOf(ROOT), relationshipsOf(ROOT, ROOT), relationshipsOf(`${ROOT} TargetMode="Internal"`)];
  for (const relationships of sound) assert.equal((await readBytes(packageOf(relationships))).parts.length, 1);
});

test("a small package that unpacks to far more text than a mesh takes is refused before it is parsed", async () => {
  const bytes = threeMfPackage(SOUND);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  // The last entry of the archive's directory is that of the model; it states its size there (APPNOTE.TXT of PKWARE, section 4.3.12).
  let entryAt = bytes.length - 4;
  while (view.getUint32(entryAt, true) !== 0x0201_4b50) entryAt--;
  view.setUint32(entryAt + 24, 300e6, true);
  await refuses(bytes, /its \d+ bytes unpack to 300000000 bytes of text, 134\d+ are the most/);
});

test("bytes that are not text are refused", async () => {
  const bytes = utf8.encode(SOUND);
  bytes[200] = 0xff;
  const halfCharacter = utf8.encode(`${SOUND}ž`).subarray(0, -1);
  for (const model of [bytes, halfCharacter]) {
    await refuses(threeMfPackage("", { "3D/3dmodel.model": model }), /no UTF-8 text/);
  }
});

test("only the root model may refer to other parts, and these must have its unit", async () => {
  const root = withPaths(modelXml("", IN_B));
  const further = withPaths(modelXml(objectOf(1, `<component objectid="1" p:path="/3D/3dmodel.model"/>`), ""));
  await refuses(threeMfPackage(root, { "3D/b.model": utf8.encode(further) }), /only the root model may refer/);
  await refuses(threeMfPackage(root, { "3D/b.model": utf8.encode(modelXml(CUBE, "", "inch")) }), /another unit/);
});

test("a package without a model is refused", async () => {
  await refuses(zipSync({ "readme.txt": utf8.encode("hello") }), /_rels\/\.rels is missing/);
  await refuses(threeMfPackage(SOUND, { "_rels/.rels": utf8.encode("<Relationships/>") }), /names no 3D model/);
  await refuses(threeMfPackage(SOUND, { "_rels/.rels": utf8.encode("<Relationships>") }), /_rels\/\.rels: .*formed/);
  const { "_rels/.rels": relationships } = unzipSync(threeMfPackage(SOUND));
  await refuses(zipSync({ "_rels/.rels": relationships }), /3dmodel\.model".* is missing/);
  await refuses(utf8.encode(SOUND), /no valid zip archive/);
});
