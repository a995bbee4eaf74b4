import assert from "node:assert/strict";
import { readFileSync, truncateSync } from "node:fs";
import { test } from "node:test";
import { longTest } from "../fixture/long.ts";
import { fc } from "../fixture/property.ts";
import { STLLoader } from "three/examples/jsm/loaders/STLLoader.js";
import { CancelledError, cancelTask, newTaskState, noProgress, taskProgress } from "../../src/core/progress.ts";
import { stlReader } from "../../src/format/stl.ts";
import { type Surface, triangleCount, vertexCount } from "../../src/mesh/mesh.ts";
import { READ_OPTIONS, cornersOf, damaged, readModel, withFileOf } from "../fixture/read-model.ts";
import { box, tetrahedron, torus, uvSphere } from "../fixture/shapes.ts";
import { asciiStl, binaryStl } from "../fixture/stl-file.ts";
import { randomFrom } from "../fixture/random.ts";

const read = (content: string | Uint8Array) => readModel(stlReader, content);
const refused = (message: RegExp) => ({ code: "OPERATION_FAILED", message });
const corpus = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`../fixture/corpus/${name}`, import.meta.url)));

const FUNCTIONAL_PART = "../../../assets/demo/functional-part.stl";

/** Facets and distinct places of the meshes that come with the project. */
const CORPUS = {
  "thingi-65004.stl": [1_466, 731],
  "thingi-472042.stl": [3_632, 1_814],
  "thingi-520644.stl": [7_834, 3_919],
  [FUNCTIONAL_PART]: [36_074, 18_035],
  "gen-65004-holes12.stl": [1_454, 731],
  "gen-472042-flip30.stl": [3_632, 1_814],
  "mf-Offset1-x0.04.stl": [4_418, 2_253],
  "mf-hull-body-x0.35.stl": [5_460, 2_736],
} as const;

const single = fc.float({ noDefaultInfinity: true, noNaN: true });
const soup: fc.Arbitrary<Surface> = fc.array(single, { minLength: 9, maxLength: 270 }).map((values) => {
  const facets = Math.floor(values.length / 9);
  return {
    vertices: Float32Array.from(values.slice(0, 9 * facets)),
    triangles: Uint32Array.from({ length: 3 * facets }, (_, i) => i),
  };
});

/** Ways to write a single-precision number that reads back as the same number. */
const NUMBERS: Readonly<Record<string, (value: number) => string>> = {
  shortest: String,
  "nine digits with exponent": (value) => value.toExponential(9),
  "upper-case exponent": (value) => value.toExponential(9).toUpperCase(),
  "two-digit exponent and plus": (value) =>
    value
      .toExponential(9)
      .replace(/^(?=\d)/, "+")
      .replace(/e([+-])(\d)$/, "e$10$2"),
  "no digit before the point": (value) => {
    const [, sign, first, rest, exponent] = /^(-?)(\d)\.(\d+)e(.*)$/.exec(value.toExponential(20))!;
    return `${sign}.${first}${rest}e${Number(exponent) + 1}`;
  },
  "no digit behind the point": (value) => (Number.isInteger(value) && !/e/.test(`${value}`) ? `${value}.` : `${value}`),
  "twenty-one digits": (value) => value.toPrecision(21),
};

const spelling = fc.record({
  name: fc.constantFrom("a part", "", "Größe 3", "facet normal", "C:\\models\\"),
  newline: fc.constantFrom("\n", "\r\n", "\r"),
  indent: fc.constantFrom("", "  ", "\t", " \t "),
  upperCase: fc.boolean(),
  number: fc.constantFrom(...Object.values(NUMBERS)),
});

test("every set of facets is read from a binary file facet by facet, with one vertex per position", async () => {
  await fc.assert(
    fc.asyncProperty(soup, fc.constantFrom("head", "solid head"), async (surface, head) => {
      const { surface: found } = await read(binaryStl(surface, head));
      assert.deepEqual(cornersOf(found), cornersOf(surface));
      assert.equal(vertexCount(found), countPlaces(surface));
    }),
  );
});

longTest("every set of facets is read from an ASCII file in any notation", async () => {
  await fc.assert(
    fc.asyncProperty(soup, spelling, async (surface, how) => {
      const { name, surface: found } = await read(asciiStl(surface, how));
      assert.deepEqual(cornersOf(found), cornersOf(surface));
      assert.equal(vertexCount(found), countPlaces(surface));
      assert.equal(name, how.name === "" ? undefined : how.name);
    }),
    { numRuns: 300 },
  );
});

function countPlaces(surface: Surface): number {
  const corners = cornersOf(surface);
  const keys = Array.from({ length: corners.length / 3 }, (_, i) => corners.slice(3 * i, 3 * i + 3).join());
  return new Set(keys).size;
}

test("the real meshes have the facets and vertices that an independent reader finds", async () => {
  for (const [name, [facets, vertices]] of Object.entries(CORPUS)) {
    const bytes = corpus(name);
    const { name: partName, index, surface } = await read(bytes);
    assert.deepEqual([triangleCount(surface), vertexCount(surface)], [facets, vertices], name);
    assert.deepEqual([index, partName], [0, undefined]);
    const other = new STLLoader().parse(bytes.buffer as ArrayBuffer).getAttribute("position").array;
    assert.deepEqual(
      cornersOf(surface),
      Float32Array.from(other, (value) => value + 0),
      name,
    );
  }
});

longTest("a file of several blocks reads alike in binary, in ASCII, and by an independent reader", async () => {
  const { surface } = await read(corpus(FUNCTIONAL_PART));
  const text = asciiStl(surface, { newline: "\r\n" });
  const found = await read(text);
  assert.deepEqual(found.surface, surface);
  const other = new STLLoader().parse(text).getAttribute("position").array;
  assert.deepEqual(
    cornersOf(found.surface),
    Float32Array.from(other, (value) => value + 0),
  );
});

test("the reader gives neither a unit nor a name that the file lacks", async () => {
  const file = await withFileOf(binaryStl(box([1, 2, 3])), (path) => stlReader.read(path, READ_OPTIONS, noProgress));
  assert.equal(file.unitMm, undefined);
  assert.equal("name" in file.parts[0], false);
});

test("bytes after the announced facets are ignored", async () => {
  const bytes = binaryStl(box([1, 2, 3]));
  const { surface } = await read(Uint8Array.of(...bytes, ...new Uint8Array(1000).fill(7)));
  assert.deepEqual(cornersOf(surface), cornersOf(box([1, 2, 3])));
});

test("a binary file that begins with the word solid is read as binary, also with bytes after its end", async () => {
  const bytes = binaryStl(box([1, 2, 3]), "solid of a program that does not care".padEnd(80));
  for (const content of [bytes, Uint8Array.of(...bytes, 0)]) {
    const { name, surface } = await read(content);
    assert.deepEqual([name, triangleCount(surface)], [undefined, 12]);
  }
});

test("several solids are one part with the first name", async () => {
  const solids = [
    asciiStl(box([1, 1, 1]), { name: "" }),
    asciiStl(tetrahedron(1), { name: "second one" }),
    asciiStl(box([2, 2, 2])),
  ];
  const { name, surface } = await read(solids.join(""));
  assert.deepEqual([name, triangleCount(surface)], ["second one", 28]);
});

test("an ASCII file may lack its endsolid or last line end, begin with a byte order mark or blanks, and end with junk", async () => {
  const text = asciiStl(tetrahedron(1), { name: "t" });
  const endless = text.slice(0, text.indexOf("endsolid"));
  const variants = [
    endless,
    endless.trimEnd(),
    text.trimEnd(),
    `\uFEFF${text}`,
    `\n\n  ${text}`,
    `${text}# made by a program\nno more here 1 2 3`,
    text + String.fromCharCode(0, 1, 2, 255).repeat(50),
    text.replaceAll(/facet normal.*/g, "facet normal nan -nan(ind) inf"),
    text.replaceAll("\n", "\n\n"),
    text.replaceAll(/ {2}facet normal 0.*\n *outer loop\n/g, "facet normal 0 0 1 outer loop "),
  ];
  for (const variant of variants) {
    const { name, surface } = await read(variant);
    assert.deepEqual([name, triangleCount(surface)], ["t", 4], JSON.stringify(variant.slice(0, 40)));
  }
});

test("a line that crosses blocks and one longer than a block are read", async () => {
  const text = asciiStl(tetrahedron(1), { indent: " ".repeat(150_000), name: "n".repeat(3_000_000) });
  const { name, surface } = await read(text);
  assert.equal(name, "n".repeat(256));
  assert.deepEqual(cornersOf(surface), cornersOf(tetrahedron(1)));
});

test("an empty file is refused with the cause and the way out", async () => {
  const cases: [string | Uint8Array, RegExp][] = [
    ["", /it is empty; export/],
    ["hello", /not an STL file, or was cut short; export/],
    ["solid", /not an STL file, or was cut short; export/],
    [binaryStl(box([1, 1, 1])).slice(0, 83), /not an STL file, or was cut short/],
    [binaryStl({ vertices: new Float32Array(0), triangles: new Uint32Array(0) }), /it has no facets; export/],
    ["solid nothing\nendsolid nothing\n", /it has no facets; export/],
    ["some text that is longer than a binary head, ".repeat(6), /announces \d+ facets, but it ends after 3;/],
  ];
  for (const [content, message] of cases) await assert.rejects(read(content), refused(message));
});

test("a header that announces too many facets is refused before memory is allocated", async () => {
  const bytes = binaryStl(box([1, 1, 1]));
  new DataView(bytes.buffer).setUint32(80, 4_294_967_295, true);
  await assert.rejects(read(bytes), refused(/announces 4294967295 facets, but it ends after 12; .*export/));
  const cut = binaryStl(box([1, 1, 1])).slice(0, -1);
  await assert.rejects(read(cut), refused(/announces 12 facets, but it ends after 11;/));
});

test("a coordinate that is not finite is refused with its facet", async () => {
  const { vertices, triangles } = box([1, 1, 1]);
  for (const value of [NaN, Infinity, -Infinity]) {
    const broken = { vertices: Float64Array.from(vertices, (old, i) => (i === 22 ? value : old)), triangles };
    const facet = Math.floor(triangles.indexOf(7) / 3);
    const message = new RegExp(`facet ${facet + 1} of 12 has a coordinate.*export`);
    await assert.rejects(read(binaryStl(broken)), refused(message));
    const line = 2 + 7 * facet + 2 + (triangles.indexOf(7) % 3);
    await assert.rejects(
      read(asciiStl(broken)),
      refused(new RegExp(`line ${line}: .*"${value}" is not a finite number; export`)),
    );
  }
});

test("a binary file that holds more facets than it announces is read with a warning", async () => {
  const announcing = (facets: number, bytesBehind: number) => {
    const bytes = Buffer.concat([binaryStl(box([1, 1, 1])), new Uint8Array(bytesBehind)]);
    bytes.writeUInt32LE(facets, 80);
    return withFileOf(bytes, (path) => stlReader.read(path, READ_OPTIONS, noProgress));
  };
  assert.match((await announcing(10, 0)).warnings!.join(), /longer by 2 facets.* export the model again/);
  for (const bytesBehind of [0, 1, 49]) assert.equal((await announcing(12, bytesBehind)).warnings, undefined);
});

test("words after the end of a loop or facet are skipped, except words that may belong to a facet", async () => {
  const text = asciiStl(tetrahedron(1));
  const chatty = text.replaceAll(/(endloop|endfacet)/g, "$1 of 7 parts").replace("of 7 parts", "");
  assert.deepEqual(cornersOf((await read(chatty)).surface), cornersOf((await read(text)).surface));
  const [name, ...lines] = text.split("\n");
  const joined = `${name}\n${lines.join(" ").replace(/endfacet\s+facet/, "endfacet facxt")}`;
  await assert.rejects(read(joined), refused(/facxt.* does not belong there/));
});

test("an ASCII facet without three points is refused with its line", async () => {
  const lines = asciiStl(tetrahedron(1)).trimEnd().split("\n");
  const edited = (at: number, remove: number, ...insert: string[]): string =>
    lines.toSpliced(at, remove, ...insert).join("\r\n");
  const cases: [string, RegExp][] = [
    [edited(4, 1), /line 7: a facet has 2 corners instead of 3; export/],
    [edited(4, 0, "vertex 1 2 3"), /line 7: a facet has more than 3 corners/],
    [edited(10, 1, "vertex 1 2"), /line 11: a number is missing/],
    [edited(10, 1, "vertex 1 2 1,5"), /line 11: .*1,5.* is not a finite number/],
    [edited(10, 1, "vertex 1 2 3e99"), /line 11: .*3e99.* is not a finite number/],
    [edited(10, 1, "vertex 1 2 0x10"), /line 11: .*0x10.* is not a finite number/],
    [edited(10, 1, "vertices 1 2 3"), /line 11: .*vertices.* does not belong there/],
    [edited(7, 1), /line 8: .*facet.* does not belong there/],
    [edited(8, 1), /line 9: .*outer.* does not belong there/],
    [lines.slice(0, 13).join("\n"), /line \d+: the file ends in the middle of a facet/],
  ];
  for (const [content, message] of cases) await assert.rejects(read(content), refused(message));
});

test("a file that becomes shorter while it is read is refused", async () => {
  const surface = uvSphere(10, 200, 150);
  for (const content of [binaryStl(surface), asciiStl(surface)]) {
    await withFileOf(content, async (path) => {
      let reports = 0;
      const shrinking = {
        ...noProgress,
        report: () => {
          if (reports++ === 0) truncateSync(path, 1000);
        },
      };
      const message = /became shorter while it was read; wait/;
      await assert.rejects(stlReader.read(path, READ_OPTIONS, shrinking), refused(message));
    });
  }
});

test("progress is reported for each block, and a cancelled task stops", async () => {
  const surface = uvSphere(10, 200, 150);
  for (const content of [binaryStl(surface), asciiStl(surface)]) {
    const shares: number[] = [];
    await readModel(stlReader, content, { ...noProgress, report: (share) => void shares.push(share) });
    assert.ok(shares.length > 2);
    assert.deepEqual(
      shares,
      shares.toSorted((a, b) => a - b),
    );
    assert.equal(shares.at(-1), 1);
    const state = newTaskState();
    cancelTask(state);
    await assert.rejects(readModel(stlReader, content, taskProgress(state)), CancelledError);
  }
});

test("a missing file and a folder are refused", async () => {
  const open = (path: string) => stlReader.read(path, READ_OPTIONS, noProgress);
  await assert.rejects(open("/no/such.stl"), refused(/folder does not exist; of its path "\/" exists/));
  await assert.rejects(open("/"), refused(/it is a folder/));
});

test("a damaged file is refused or gives finite facets", async () => {
  const random = randomFrom(1);
  const sources = [
    binaryStl(torus(5, 2, 7, 5)),
    binaryStl(torus(5, 2, 7, 5), "solid"),
    ...["\n", "\r\n", "\r"].map((newline) => new TextEncoder().encode(asciiStl(torus(5, 2, 5, 4), { newline }))),
  ];
  let refusals = 0;
  for (let i = 0; i < 400; i++) {
    const bytes = damaged(sources[i % sources.length], random);
    const outcome = await read(bytes).catch((thrown: unknown) => thrown as Error);
    if (outcome instanceof Error) {
      assert.equal((outcome as { code?: unknown }).code, "OPERATION_FAILED", outcome.message);
      refusals++;
    } else assertSound(outcome.surface);
  }
  assert.ok(refusals > 100 && refusals < 380, `${refusals} refused`);
});

test("random bytes are refused", async () => {
  const random = randomFrom(2);
  for (let i = 0; i < 100; i++) {
    const bytes = Uint8Array.from({ length: Math.floor(random() * 3000) }, () => Math.floor(random() * 256));
    await assert.rejects(read(bytes), refused(/;/));
  }
});

function assertSound(surface: Surface): void {
  assert.ok(surface.triangles.length > 0 && surface.triangles.length % 3 === 0);
  assert.ok(surface.triangles.every((vertex) => vertex < vertexCount(surface)));
  assert.ok(surface.vertices.every(Number.isFinite));
}
