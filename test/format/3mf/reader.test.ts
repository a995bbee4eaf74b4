import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { fc } from "../../fixture/property.ts";
import { zipSync } from "fflate";
import {
  CancelledError,
  type Progress,
  cancelTask,
  newTaskState,
  noProgress,
  readProgress,
  taskProgress,
} from "../../../src/core/progress.ts";
import { type Transform, compose } from "../../../src/geometry/transform.ts";
import { threeMfReader } from "../../../src/format/3mf/reader.ts";
import type { ModelFile } from "../../../src/format/model-reader.ts";
import { canonicalMesh } from "../../../src/mesh/canonical-mesh.ts";
import { type Mesh, concatenateSurfaces } from "../../../src/mesh/mesh.ts";
import { box, tetrahedron, torus } from "../../fixture/shapes.ts";
import { temporaryFiles } from "../../fixture/temporary-files.ts";
import { modelXml, objectXml, threeMfPackage } from "../../fixture/three-mf-file.ts";
import { slowRuns } from "../../fixture/long.ts";

const file = temporaryFiles();
const OPTIONS = { chordalToleranceMm: 0.01, angleToleranceDeg: 5 };
const PRODUCTION = "http://schemas.microsoft.com/3dmanufacturing/production/2015/06";

const read = (path: string, progress: Progress = noProgress): Promise<ModelFile> =>
  threeMfReader.read(path, OPTIONS, progress);
const readBytes = (bytes: Uint8Array): Promise<ModelFile> => read(file("model.3mf", bytes));
const readModel = (resources: string, items: string, unit?: string): Promise<ModelFile> =>
  readBytes(threeMfPackage(modelXml(resources, items, unit)));

const meshOf = ({ parts, unitMm }: ModelFile): Mesh =>
  canonicalMesh(concatenateSurfaces(parts.map(({ surface }) => surface)), unitMm!, noProgress);
const hashOfPart = ({ parts }: ModelFile, index = 0): string => canonicalMesh(parts[index].surface, 1, noProgress).hash;
const hashOf = (surface: Parameters<typeof canonicalMesh>[0]): string => canonicalMesh(surface, 1, noProgress).hash;

const CUBE = box([2, 4, 6]);
const CUBE_XML = objectXml(1, { surface: CUBE, name: "cube" });
const componentsXml = (id: number, components: string, attributes = ""): string =>
  `<object id="${id}" ${attributes}><components>${components}</components></object>`;

const repoFile = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

// Volumes and boxes measured by an independent reader (Python's XML parser, plain sums in double precision).
const SAMPLES = [
  {
    path: "test/fixture/corpus/3mf-cube_gears.3mf",
    parts: 17,
    triangles: 25_692,
    volume: 112_366.33165,
    box: [2.61457, 2.61846, 2.2479, 170.61038, 127.72038, 35.8492],
  },
  {
    path: "test/fixture/corpus/3mf-cube_gears_prod.3mf",
    parts: 17,
    triangles: 25_692,
    volume: 112_366.32825,
    box: [37.61457, 35.61846, 16.92, 205.61038, 160.72038, 50.5213],
  },
  {
    path: "test/fixture/corpus/3mf-heartgears.3mf",
    parts: 1,
    triangles: 30_636,
    volume: 120_179.29753,
    box: [0.00118637, 0.00637054, 0.00279617, 79.5723, 47.6736, 76.435],
  },
  {
    path: "test/fixture/corpus/3mf-multiple_cylinders.3mf",
    parts: 6,
    triangles: 528,
    volume: 37_188.55726,
    box: [0, 0.002, 0, 62, 40.5948, 20],
  },
];

for (const { path, parts, triangles, volume, box } of SAMPLES) {
  test(`${path} has the parts, triangles, volume and box that an independent reader finds`, async () => {
    const model = await read(repoFile(path));
    const mesh = meshOf(model);
    assert.equal(model.unitMm, 1);
    assert.deepEqual(
      model.parts.map(({ index }) => index),
      Array.from({ length: parts }, (_, i) => i),
    );
    assert.equal(mesh.triangles.length / 3, triangles);
    assert.ok(Math.abs(mesh.volumeMm3 / volume - 1) < 1e-6, `volume ${mesh.volumeMm3}`);
    [...mesh.box.min, ...mesh.box.max].forEach((value, i) => assert.ok(Math.abs(value - box[i]) < 1e-4));
  });
}

test("parts have the names of the objects of their items", async () => {
  const { parts } = await read(repoFile("test/fixture/corpus/3mf-cube_gears.3mf"));
  const names = Array.from({ length: 17 }, (_, i) => `${i === 6 ? "cube" : "gear"} ${i + 1}`);
  assert.deepEqual(
    parts.map(({ name }) => name),
    names,
  );
  const unnamed = await readModel(
    objectXml(1, { surface: CUBE }) + objectXml(2, { surface: CUBE, name: "" }),
    `<item objectid="1"/><item objectid="2"/>`,
  );
  assert.deepEqual(
    unnamed.parts.map(({ name }) => name),
    [undefined, undefined],
  );
  const escaped = await readModel(objectXml(1, { surface: CUBE, name: "a &amp; b &#x17E;" }), `<item objectid="1"/>`);
  assert.equal(escaped.parts[0].name, "a & b ž");
});

test("vertices keep every digit and triangles their order", async () => {
  const surface = torus(10 / 3, Math.SQRT1_2);
  const { parts } = await readModel(objectXml(1, { surface }), `<item objectid="1"/>`);
  assert.deepEqual(parts[0].surface.vertices, surface.vertices);
  assert.deepEqual(parts[0].surface.triangles, surface.triangles);
});

test("numbers are read in every notation of the schema, also with blanks around them", async () => {
  const numbers = ["+1", "-.5", "1.", "1e1", "2.5E-1", " 3 ", "\n-0.0\t", "00.1", "1E+2", "7", "8", "9"];
  const vertexXml = (i: number): string => `<vertex x="${numbers[i]}" z="${numbers[i + 2]}" y="${numbers[i + 1]}"/>`;
  const vertices = [0, 3, 6, 9].map(vertexXml).join("");
  const triangles = `<triangle v1="0" v2=" 1 " v3="2"/><triangle v1="03" v2="1" v3="2"></triangle>`;
  const { parts } = await readModel(
    `<object id="1"><mesh><vertices>${vertices}</vertices><triangles>${triangles}</triangles></mesh></object>`,
    `<item objectid="1"/>`,
  );
  assert.deepEqual([...parts[0].surface.vertices], [1, -0.5, 1, 10, 0.25, 3, 0, 0.1, 100, 7, 8, 9]);
  assert.deepEqual([...parts[0].surface.triangles], [0, 1, 2, 3, 1, 2]);
});

test("each unit of the specification has its length, and millimetres are the default", async () => {
  const lengths = { micron: 0.001, millimeter: 1, centimeter: 10, inch: 25.4, foot: 304.8, meter: 1000 };
  for (const [unit, unitMm] of Object.entries(lengths)) {
    const model = await readModel(CUBE_XML, `<item objectid="1"/>`, unit);
    assert.equal(model.unitMm, unitMm);
    assert.deepEqual(model.parts[0].surface.vertices, CUBE.vertices);
  }
  const plain = modelXml(CUBE_XML, `<item objectid="1"/>`).replace(`unit="millimeter"`, "");
  assert.equal((await readBytes(threeMfPackage(plain))).unitMm, 1);
});

test("one object in two items is two parts", async () => {
  const items = `<item objectid="1"/><item objectid="1" transform="1 0 0 0 1 0 0 0 1 10 20 30"/>`;
  const { parts } = await readModel(CUBE_XML, items);
  assert.deepEqual(
    parts.map(({ index, name }) => [index, name]),
    [
      [0, "cube"],
      [1, "cube"],
    ],
  );
  assert.deepEqual(
    [...parts[1].surface.vertices],
    [...CUBE.vertices].map((value, i) => value + [10, 20, 30][i % 3]),
  );
});

test("supports and items that are switched off are left out, but count for the indices", async () => {
  const typed = (id: number, type: string): string => objectXml(id, { surface: CUBE }).replace("model", type);
  const types = ["model", "solidsupport", "support", "surface", "support"];
  const items = `${types.map((_, i) => `<item objectid="${i + 1}"/>`).join("")}
    <item objectid="1" printable="0"/><item objectid="1" printable="1"/><item objectid="9"/>`;
  const assembly = componentsXml(9, `<component objectid="1"/><component objectid="3"/><component objectid="5"/>`);
  const { parts } = await readModel(types.map((type, i) => typed(i + 1, type)).join("") + assembly, items);
  assert.deepEqual(
    parts.map(({ index }) => index),
    [0, 1, 3, 6, 7],
  );
  assert.equal(parts[4].surface.triangles.length, CUBE.triangles.length);
});

const determinant = ([a, b, c, d, e, f, g, h, i]: Transform): number =>
  a * e * i + b * f * g + c * d * h - c * e * g - b * d * i - a * f * h;

const affine: fc.Arbitrary<Transform> = fc
  .array(
    fc.integer({ min: -300, max: 300 }).map((value) => value / 64),
    { minLength: 12, maxLength: 12 },
  )
  .filter((transform) => Math.abs(determinant(transform)) > 0.1);

/** The 4×4 matrix product of row-vector transforms, written out. */
function product(a: Transform, b: Transform): number[] {
  const rowsOf = (m: Transform): number[][] =>
    [0, 1, 2, 3].map((row) => [...m.slice(3 * row, 3 * row + 3), row === 3 ? 1 : 0]);
  const right = rowsOf(b);
  return rowsOf(a).flatMap((row) =>
    [0, 1, 2].map((column) => row.reduce((sum, value, k) => sum + value * right[k][column], 0)),
  );
}

const isNear = (a: ArrayLike<number>, b: ArrayLike<number>): boolean =>
  a.length === b.length && Array.from(a).every((value, i) => Math.abs(value - b[i]) <= 1e-9 * (1 + Math.abs(b[i])));

test("transforms compose as matrices do", () => {
  fc.assert(fc.property(affine, affine, (a, b) => isNear(compose(a, b), product(a, b))));
});

test("nested components are placed by their matrices, and mirrors keep the sign of the volume", async () => {
  await fc.assert(
    fc.asyncProperty(affine, affine, affine, async (inner, outer, item) => {
      const resources =
        CUBE_XML +
        componentsXml(2, `<component objectid="1" transform="${inner.join(" ")}"/>`) +
        componentsXml(3, `<component objectid="2" transform="${outer.join(" ")}"/>`, `name="nest"`);
      const {
        parts: [part],
      } = await readModel(resources, `<item objectid="3" transform="${item.join(" ")}"/>`);
      const whole = product(product(inner, outer), item);
      const expected = Array.from({ length: CUBE.vertices.length }, (_, at) => {
        const [point, column] = [at - (at % 3), at % 3];
        return [0, 1, 2].reduce((sum, k) => sum + CUBE.vertices[point + k] * whole[3 * k + column], whole[9 + column]);
      });
      assert.ok(isNear(part.surface.vertices, expected));
      assert.equal(part.name, "nest");
      assert.ok(signedVolume(part.surface) > 0);
    }),
    { numRuns: slowRuns(60) },
  );
});

function signedVolume({ vertices, triangles }: { vertices: ArrayLike<number>; triangles: ArrayLike<number> }): number {
  let volume6 = 0;
  for (let at = 0; at < triangles.length; at += 3) {
    const [a, b, c] = [0, 1, 2].map((i) => [0, 1, 2].map((k) => vertices[3 * triangles[at + i] + k] - vertices[k]));
    volume6 += determinant([...a, ...b, ...c]);
  }
  return volume6;
}

test("components of one item are one part", async () => {
  const resources =
    CUBE_XML +
    objectXml(2, { surface: tetrahedron(3) }) +
    componentsXml(3, `<component objectid="1" transform="1 0 0 0 1 0 0 0 1 9 0 0"/><component objectid="2"/>`);
  const model = await readModel(resources, `<item objectid="3"/>`);
  assert.equal(model.parts.length, 1);
  const moved = { ...CUBE, vertices: CUBE.vertices.map((value, i) => (i % 3 === 0 ? value + 9 : value)) };
  assert.equal(hashOfPart(model), hashOf(concatenateSurfaces([moved, tetrahedron(3)])));
});

test("items and components may use objects of other model parts", async () => {
  const withPaths = (resources: string, items: string): string =>
    modelXml(resources, items).replace("<model ", `<model requiredextensions="p" xmlns:p="${PRODUCTION}" `);
  const components = `<component objectid="1" p:path="/3D/cube%20part.model"/><component objectid="7"/>`;
  const root = withPaths(
    componentsXml(1, components) + objectXml(7, { surface: tetrahedron(3) }),
    `<item objectid="1"/><item objectid="2" p:path="/3d/CUBE part.model"/>`,
  );
  const twin = objectXml(2, { surface: torus(5, 1), name: "ring" });
  const other = modelXml(CUBE_XML + twin, `<item objectid="1"/><item objectid="1"/>`);
  const model = await readBytes(threeMfPackage(root, { "3D/Cube part.model": new TextEncoder().encode(other) }));
  assert.deepEqual(
    model.parts.map(({ name }) => name),
    [undefined, "ring"],
  );
  assert.equal(hashOfPart(model), hashOf(concatenateSurfaces([CUBE, tetrahedron(3)])));
  assert.equal(hashOfPart(model, 1), hashOf(torus(5, 1)));
});

test("the model part is found regardless of case, slashes and escapes in its name", async () => {
  const model = new TextEncoder().encode(modelXml(CUBE_XML, `<item objectid="1"/>`));
  const spellings = [
    ["_rels/.rels", "/3D/3dmodel.model", "3d/3DModel.model"],
    ["_RELS/.rels", "3D/a.model", "3D/a.model"],
    ["_rels/.rels", "/3D/a%20b.model", "3D/a b.model"],
    ["_rels/.rels", "/3D/100%.model", "3d/100%.model"],
  ];
  for (const [relationships, target, name] of spellings) {
    const xml = `<?xml version="1.0"?>
      <r:Relationships xmlns:r="http://schemas.openxmlformats.org/package/2006/relationships">
        <r:Relationship Id="a" Type="urn:thumbnail" Target="/x.png"/>
        <r:Relationship Id="b" Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel" Target="${target}"/>
      </r:Relationships>`;
    const bytes = zipSync({ [relationships]: new TextEncoder().encode(xml), [name]: model });
    assert.equal((await readBytes(bytes)).parts.length, 1, target);
  }
});

test("namespaces, not prefixes, identify elements, and foreign ones are ignored with their content", async () => {
  const foreign = `<x:object id="5"><x:mesh/></x:object><metadata name="Title">a &lt; b</metadata>
    <basematerials id="8"><base name="PLA" displaycolor="#fff"/></basematerials>
    <wrapper xmlns="urn:other"><object id="1"><mesh><vertices><vertex x="no"/></vertices></mesh></object></wrapper>`;
  const model = modelXml(foreign + CUBE_XML, `<!-- one --><item objectid="1"/>`).replace(
    "<model ",
    `<model xmlns:x="urn:x" `,
  );
  assert.equal(hashOfPart(await readBytes(threeMfPackage(model))), hashOf(CUBE));
  const prefixed = modelXml(CUBE_XML, `<item objectid="1"/>`)
    .replace("xmlns=", "xmlns:c=")
    .replace(/<(\/?)(?=[a-z])/g, "<$1c:");
  assert.match(prefixed, /<c:model .*<c:object .*<c:vertex /s);
  assert.equal(hashOfPart(await readBytes(threeMfPackage(prefixed))), hashOf(CUBE));
});

test("UTF-16 and byte order marks are read", async () => {
  const xml = modelXml(objectXml(1, { surface: CUBE, name: "žlutý kůň 🐎" }), `<item objectid="1"/>`);
  const littleEndian = new Uint8Array(Buffer.from(`\ufeff${xml}`, "utf16le"));
  const bigEndian = littleEndian.map((_, i) => littleEndian[i ^ 1]);
  for (const bytes of [littleEndian, bigEndian, new TextEncoder().encode(`\ufeff${xml}`)]) {
    const { parts } = await readBytes(threeMfPackage("", { "3D/3dmodel.model": bytes }));
    assert.equal(parts[0].name, "žlutý kůň 🐎");
  }
});

test("optional extensions are ignored; production and materials may be required", async () => {
  const namespaces = `xmlns:p="${PRODUCTION}" xmlns:m="http://schemas.microsoft.com/3dmanufacturing/material/2015/02"
    xmlns:b="http://schemas.microsoft.com/3dmanufacturing/slice/2015/07"`;
  const model = modelXml(CUBE_XML, `<item objectid="1"/>`);
  const using = model
    .replace("<model ", `<model requiredextensions=" m  p" ${namespaces} `)
    .replace("</mesh>", `<b:slicestack><b:slice/></b:slicestack></mesh>`);
  const file = await readBytes(threeMfPackage(using));
  assert.equal(hashOfPart(file), hashOf(CUBE));
  assert.equal(file.warnings, undefined);
});

test("reading reports progress and stops when cancelled", async () => {
  const path = repoFile("test/fixture/corpus/3mf-heartgears.3mf");
  const state = newTaskState();
  const seen = new Set<number>();
  const progress = taskProgress(state);
  const spy = (inner: Progress): Progress => ({
    report(share) {
      inner.report(share);
      seen.add(readProgress(state));
    },
    part: (from, to) => spy(inner.part(from, to)),
    silent: () => spy(inner.silent()),
  });
  await read(path, spy(progress));
  assert.ok(seen.size > 5 && Math.max(...seen) > 0.9);
  const cancelled = newTaskState();
  let reports = 0;
  const cancelling = (inner: Progress): Progress => ({
    report(share) {
      if (++reports === 4) cancelTask(cancelled);
      inner.report(share);
    },
    part: (from, to) => cancelling(inner.part(from, to)),
    silent: () => cancelling(inner.silent()),
  });
  await assert.rejects(read(path, cancelling(taskProgress(cancelled))), CancelledError);
  assert.equal(reports, 4);
});
