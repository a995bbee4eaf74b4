import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { test } from "node:test";
import { zipSync } from "fflate";
import { ApiError } from "../../src/core/api-error.ts";
import { noProgress } from "../../src/core/progress.ts";
import { amfReader } from "../../src/format/amf/amf.ts";
import type { ModelFile } from "../../src/format/model-reader.ts";
import { boxOf } from "../../src/geometry/box.ts";
import { canonicalMesh } from "../../src/mesh/canonical-mesh.ts";
import type { Surface } from "../../src/mesh/mesh.ts";
import { amfConstellation, amfFile, amfInstance, amfObject, amfText, zippedAmf } from "../fixture/amf-file.ts";
import { box, tetrahedron, torus } from "../fixture/shapes.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";

const file = temporaryFiles();
const read = (content: string | Uint8Array): Promise<ModelFile> =>
  amfReader.read(file("model.amf", content), { chordalToleranceMm: 0.01, angleToleranceDeg: 5 }, noProgress);
const refuses = (content: string | Uint8Array, message: RegExp): Promise<void> =>
  assert.rejects(read(content), (thrown: unknown) => {
    assert.ok(thrown instanceof ApiError, String(thrown));
    assert.match(thrown.message, message);
    return true;
  });
const hashOf = (surface: Surface): string => canonicalMesh(surface, 1, noProgress).hash;
const boundsOf = ({ vertices }: Surface): number[] => {
  const { min, max } = boxOf(Float64Array.from(vertices));
  return [...min, ...max].map((value) => Math.round(value * 1e6) / 1e6 + 0);
};

const CUBE = box([1, 2, 3]);
const CUBE_XML = amfObject("cube", [{ surface: CUBE }], "brick");

test("AMF is read with the shape that was written, plain and zipped", async () => {
  for (const surface of [CUBE, torus(10, 3)]) {
    for (const content of [amfFile(surface), zippedAmf(amfFile(surface))]) {
      const { parts, unitMm } = await read(content);
      assert.equal(unitMm, 1);
      assert.deepEqual(
        parts.map((part) => [part.index, part.name, hashOf(part.surface)]),
        [[0, undefined, hashOf(surface)]],
      );
    }
  }
});

test("each unit of AMF has its length, and millimetres are the default", async () => {
  const lengths = { millimeter: 1, inch: 25.4, feet: 304.8, meter: 1000, micron: 0.001 };
  for (const [unit, unitMm] of Object.entries(lengths)) {
    assert.equal((await read(amfText(CUBE_XML, unit))).unitMm, unitMm);
  }
  assert.equal((await read(amfText(CUBE_XML).replace(' unit="millimeter"', ""))).unitMm, 1);
  await refuses(amfText(CUBE_XML, "toString"), /unit "toString" is unknown/);
});

test("each volume is a part with its name; supports and bodies of settings are left out", async () => {
  const apart = { ...CUBE, vertices: CUBE.vertices.map((value) => value + 20) };
  const volumes = [
    { surface: CUBE, name: "red" },
    { surface: tetrahedron(3), attributes: 'type="support"' },
    { surface: tetrahedron(4), metadata: { "slic3r.modifier": "1" } },
    { surface: tetrahedron(5), metadata: { "slic3r.volume_type": "SupportBlocker" } },
    { surface: apart },
  ];
  const { parts } = await read(amfText(amfObject("0", volumes, "two &amp; two")));
  assert.deepEqual(
    parts.map(({ index, name, surface }) => [index, name, hashOf(surface), surface.vertices.length]),
    [
      [0, "red", hashOf(CUBE), 24],
      [1, "two & two", hashOf(apart), 24],
    ],
  );
});

test("instances are turned about x, then y, then z, and moved, also inside constellations that are placed in turn", async () => {
  const inner = amfConstellation("row", amfInstance("cube", { rx: 90, rz: 90, deltax: 10 }), amfInstance("cube"));
  const outer = amfConstellation("all", amfInstance("row", { deltaz: 100 }), amfInstance("row", { ry: 90 }));
  const { parts } = await read(amfText(inner + outer + CUBE_XML));
  assert.deepEqual(
    parts.map(({ name }) => name),
    Array(4).fill("brick"),
  );
  const cube = boundsOf(CUBE);
  // (x, y, z) becomes (x, -z, y) by the first turn, and (z, x, y) by both.
  const turned = [cube[2] + 10, cube[0], cube[1], cube[5] + 10, cube[3], cube[4]];
  assert.deepEqual(
    boundsOf(parts[0].surface),
    turned.map((value, i) => value + (i % 3 === 2 ? 100 : 0)),
  );
  // A quarter turn about y makes (z, y, -x) of it.
  assert.deepEqual(boundsOf(parts[3].surface), [cube[2], cube[1], -cube[3], cube[5], cube[4], -cube[0]]);
  for (const { surface } of parts) {
    assert.ok(Math.abs(canonicalMesh(surface, 1, noProgress).volumeMm3 - 6) < 1e-5);
  }
});

test("turns are in radians in files of the Slic3r family, and in degrees in all others", async () => {
  const turned = (quarter: number): string =>
    CUBE_XML + amfConstellation("1", amfInstance("cube", { rx: quarter, rz: quarter }));
  const about = (program: string): string => `<metadata type="cad">${program}</metadata>`;
  const boxOf = async (content: string): Promise<number[]> => {
    const { parts } = await read(amfText(content));
    return boundsOf(parts[0].surface).map((value) => Math.round(value * 1e6) / 1e6);
  };
  const degrees = await boxOf(turned(90));
  assert.deepEqual(await boxOf(about("Slic3r 2.5.0") + turned(Math.PI / 2)), degrees);
  assert.deepEqual(await boxOf(about("Materialise Magics") + turned(90)), degrees);
  // A remark of an object does not name the program.
  assert.deepEqual(await boxOf(turned(90).replace("<mesh>", `${about("Slic3r")}<mesh>`)), degrees);
});

test("the scale and mirrors that slicers write are applied, and objects that they switch off are left out", async () => {
  const instances = [
    amfInstance("cube", { scale: 2, scalez: 3 }),
    amfInstance("cube", { mirrorx: -1 }),
    amfInstance("cube", { printable: 0 }),
  ];
  const { parts } = await read(amfText(CUBE_XML + amfConstellation("1", ...instances)));
  const volumes = parts.map(({ surface }) => canonicalMesh(surface, 1, noProgress).volumeMm3);
  assert.deepEqual(volumes.map(Math.round), [6 * 24, 6]);
});

test("curved triangles are read as flat ones, with a warning", async () => {
  const normal = "<normal><nx>0</nx><ny>0</ny><nz>1</nz></normal>";
  const edge = "<edge><v1>0</v1><dx1>1</dx1><v2>1</v2></edge>";
  for (const curved of [
    CUBE_XML.replace("</coordinates>", `</coordinates>${normal}`),
    CUBE_XML.replace("</vertices>", `${edge}</vertices>`),
  ]) {
    const { parts, warnings } = await read(amfText(curved));
    assert.equal(hashOf(parts[0].surface), hashOf(CUBE));
    assert.match(warnings!.join(), /curved triangles.* Export/);
  }
  assert.equal((await read(amfText(CUBE_XML))).warnings, undefined);
});

test("objects outside constellations are read in addition to those of constellations", async () => {
  const { parts } = await read(
    amfText(amfObject("b", [{ surface: tetrahedron(2) }]) + CUBE_XML + amfConstellation("1", amfInstance("cube"))),
  );
  assert.deepEqual(
    parts.map(({ name }) => name),
    [undefined, "brick"],
  );
});

const NESTED = (levels: number): string =>
  CUBE_XML +
  Array.from({ length: levels }, (_, i) => amfConstellation(`${i}`, amfInstance(i === 0 ? "cube" : `${i - 1}`))).join(
    "",
  );
const DOUBLED = (id: string): string =>
  amfConstellation("0", amfInstance(id), amfInstance(id)) +
  Array.from({ length: 40 }, (_, i) => amfConstellation(`${i + 1}`, amfInstance(`${i}`), amfInstance(`${i}`))).join("");

const WRONG: Readonly<Record<string, readonly [string | Uint8Array, RegExp]>> = {
  "another document": ["<svg/>", /no AMF file/],
  "no object": [amfText(""), /no triangles to print/],
  "an object without triangles": [amfText('<object id="1"/>'), /no triangles to print/],
  "an object without an id": [amfText(CUBE_XML.replace(' id="cube"', "")), /has no id/],
  "an id twice": [amfText(CUBE_XML + CUBE_XML), /"cube" is there twice/],
  "a corner past the vertices": [
    amfText(CUBE_XML.replace(/<volume(.*?)<v1>\d+/, "<volume$1<v1>8")),
    /corner is "8", of 8/,
  ],
  "a corner that is missing": [
    amfText(CUBE_XML.replace(/<volume(.*?)<v1>\d+<\/v1>/, "<volume$1")),
    /corner is missing/,
  ],
  "a coordinate that is missing": [amfText(CUBE_XML.replace(/<x>.*?<\/x>/, "")), /value "x" is missing/],
  "a coordinate that is no number": [amfText(CUBE_XML.replace(/<x>.*?</, "<x>nan<")), /value "x" is "nan"/],
  "an infinite coordinate": [amfText(CUBE_XML.replace(/<x>.*?</, "<x>1e999<")), /value "x" is "1e999"/],
  "an instance of what is missing": [amfText(CUBE_XML + amfConstellation("1", amfInstance("2"))), /"2".*is missing/],
  "a constellation of itself": [amfText(CUBE_XML + amfConstellation("1", amfInstance("1"))), /instance of itself/],
  "constellations in a circle below another": [
    amfText(
      CUBE_XML +
        amfConstellation("1", amfInstance("2")) +
        amfConstellation("2", amfInstance("3")) +
        amfConstellation("3", amfInstance("2")),
    ),
    /instance of itself/,
  ],
  "constellations 65 deep": [amfText(NESTED(65)), /nested deeper than 64/],
  "objects doubled forty times": [amfText(CUBE_XML + DOUBLED("cube")), /more than 10000 parts/],
  "nothing doubled forty times": [amfText(`${CUBE_XML}<object id="no"/>${DOUBLED("no")}`), /over 200000 instances/],
  "a DOCTYPE": [amfText(CUBE_XML).replace("<amf", "<!DOCTYPE amf><amf"), /DOCTYPE.*; export it without/],
  "a cut document": [amfText(CUBE_XML).slice(0, -30), /well-formed.*; export it again/],
  "bytes that are not UTF-8": [
    Buffer.from(amfText(CUBE_XML).replace("brick", "W\xfcrfel"), "latin1"),
    /UTF-8 text; export it in UTF-8/,
  ],
  "an archive without a document": [zipSync({ "a.txt": new Uint8Array(3) }), /holds 0 AMF documents/],
  "an archive of two": [zipSync({ "a.amf": new Uint8Array(3), "b.amf": new Uint8Array(3) }), /holds 2 AMF documents/],
  nothing: ["", /well-formed/],
};

for (const [what, [content, message]] of Object.entries(WRONG)) {
  test(`refused with its cause: ${what}`, () => refuses(content, message));
}

test("constellations 64 deep are read", async () => {
  assert.equal((await read(amfText(NESTED(64)))).parts.length, 1);
});
