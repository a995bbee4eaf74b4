import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { longTest } from "../fixture/long.ts";
import { fc } from "../fixture/property.ts";
import type { Mesh } from "three";
import { OBJLoader } from "three/examples/jsm/loaders/OBJLoader.js";
import {
  CancelledError,
  type Progress,
  cancelTask,
  newTaskState,
  noProgress,
  taskProgress,
} from "../../src/core/progress.ts";
import { objReader } from "../../src/format/obj.ts";
import { type Surface, triangleCount, vertexCount } from "../../src/mesh/mesh.ts";
import { objText } from "../fixture/obj-file.ts";
import { READ_OPTIONS, cornersOf, damaged, readModel, withFileOf } from "../fixture/read-model.ts";
import { box, tetrahedron, torus, uvSphere } from "../fixture/shapes.ts";
import { randomFrom } from "../fixture/random.ts";

const read = (content: string | Uint8Array) => readModel(objReader, content);
const refused = (message: RegExp) => ({ code: "OPERATION_FAILED", message });
const BLOCK_BYTES = 2 ** 20;
const TRIANGLE = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";

const single = fc.float({ noDefaultInfinity: true, noNaN: true });
const mesh: fc.Arbitrary<Surface> = fc.array(single, { minLength: 9, maxLength: 90 }).chain((values) => {
  const vertices = Float32Array.from(values.slice(0, values.length - (values.length % 3)));
  const corner = fc.nat(vertices.length / 3 - 1);
  return fc
    .array(fc.tuple(corner, corner, corner), { minLength: 1, maxLength: 40 })
    .map((facets) => ({ vertices, triangles: Uint32Array.from(facets.flat()) }));
});

/** Ways to write the corner of a face that refers to vertex `index` of `count`. */
const CORNERS: readonly ((index: number, count: number) => string)[] = [
  (index) => `${index + 1}`,
  (index) => `${index + 1}/1`,
  (index) => `${index + 1}//1`,
  (index) => `${index + 1}/1/1`,
  (index) => `${index + 1}/`,
  (index, count) => `${index - count}`,
  (index, count) => `${index - count}/-1/-1`,
];

const spelling = fc.record({
  corner: fc.constantFrom(...CORNERS),
  newline: fc.constantFrom("\n", "\r\n", "\r"),
  blank: fc.constantFrom(" ", "\t", "  ", " \\NEWLINE "),
  behindPlace: fc.constantFrom("", "1.0", "0.5 0.5 0.25", "# red"),
  lastLineEnd: fc.boolean(),
});

longTest("every mesh is read corner by corner, in any notation", async () => {
  await fc.assert(
    fc.asyncProperty(mesh, spelling, async (surface, { corner, newline, blank, behindPlace, lastLineEnd }) => {
      const count = vertexCount(surface);
      const row = (...words: string[]): string => words.join(blank.replace("NEWLINE", newline));
      const places = Array.from({ length: count }, (_, i) =>
        row("v", ...Array.from(surface.vertices.slice(3 * i, 3 * i + 3), String), behindPlace),
      );
      const faces = Array.from({ length: triangleCount(surface) }, (_, i) =>
        row("f", ...Array.from(surface.triangles.slice(3 * i, 3 * i + 3), (index) => corner(index, count))),
      );
      const lines = ["# made for a test", "vt 0 0", "vn 0 0 1", ...places, "", "usemtl red", "s off", ...faces];
      const { surface: found } = await read(lines.join(newline) + (lastLineEnd ? newline : ""));
      assert.deepEqual(found.triangles, surface.triangles);
      assert.deepEqual(cornersOf(found), cornersOf(surface));
    }),
    { numRuns: 300 },
  );
});

test("the real mesh has the faces that an independent reader finds", async () => {
  const bytes = readFileSync(new URL("../fixture/corpus/mf-openscad-nonmanifold-crash.obj", import.meta.url));
  const { surface, name } = await read(bytes);
  assert.deepEqual([triangleCount(surface), vertexCount(surface), name], [1442, 717, undefined]);
  assert.deepEqual(cornersOf(surface), cornersByThree(bytes.toString()));
});

longTest("a file of several blocks is read completely, as by an independent reader", async () => {
  const text = objText(uvSphere(10, 250, 120), torus(20, 5, 120, 60));
  assert.ok(text.length > 2 ** 21);
  assert.deepEqual(cornersOf((await read(text)).surface), cornersByThree(text));
});

function cornersByThree(text: string): Float32Array {
  const objects = new OBJLoader().parse(text).children as Mesh[];
  const corners = objects.flatMap(({ geometry }) => [...geometry.getAttribute("position").array]);
  return Float32Array.from(corners, (value) => value + 0);
}

test("a line that a backslash continues is read completely, wherever a block of the file ends", async () => {
  for (const newline of ["\n", "\r\n", "\r"]) {
    const face = ["f 1 \\", " 2 \\", "3", "f 3 2 1", ""].join(newline);
    for (let behind = 0; behind <= face.length; behind++) {
      const head = ["v 0 0 0", "v 1 0 0", "v 0 1 0", "#"].join(newline);
      const text = head.padEnd(BLOCK_BYTES - behind - newline.length, ".") + newline + face + "v 1 2";
      await assert.rejects(read(text), refused(/line 9: a number is missing/));
      const { surface } = await read(`${text} 3`);
      assert.deepEqual(surface.triangles, Uint32Array.of(0, 1, 2, 2, 1, 0));
    }
  }
});

test("a comment that ends with a backslash does not hide the next line", async () => {
  const whole = "# C:\\parts\\\nv 0 0 0 # C:\\\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  const { surface } = await read(whole);
  assert.deepEqual([...surface.vertices], [0, 0, 0, 1, 0, 0, 0, 1, 0]);
});

test("objects and groups make one part with the first object's name, without a unit", async () => {
  const text = `g group\n${objText(box([1, 1, 1]), tetrahedron(2)).replace("object 0", "a big box  ")}`;
  const file = await withFileOf(text, (path) => objReader.read(path, READ_OPTIONS, noProgress));
  assert.deepEqual([file.unitMm, file.parts.length, file.parts[0].index], [undefined, 1, 0]);
  assert.deepEqual([file.parts[0].name, triangleCount(file.parts[0].surface)], ["a big box", 16]);
  assert.equal((await read(`${TRIANGLE}f 1 2 3`)).name, undefined);
});

test("a face may come before its vertices, also a polygon", async () => {
  const square = "v 0 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\nv 1 1 0\n";
  const { surface } = await read(`f 1 2 3\nf 1 2 3 5 4\n${square}`);
  assert.equal(triangleCount(surface), 4);
  assert.deepEqual(surface.triangles.slice(0, 3), Uint32Array.of(0, 1, 2));
});

test("a negative index counts back from the last vertex so far", async () => {
  const { surface } = await read(`${TRIANGLE}f -3 -2 -1\nv 5 5 5\nf -1 -2 -3\n`);
  assert.deepEqual([...surface.triangles], [0, 1, 2, 3, 2, 1]);
});

test("lines, points, curves and unknown elements are ignored", async () => {
  const others =
    "mtllib a.mtl\nl 1 2\np 1\nvp 0.5\ncstype bezier\ncurv 0 1 1 2 3\nend\nfo 1 2\nvertex 1 2 3\n\u0000\u0001 what\n";
  const { surface } = await read(`\uFEFF${others}${TRIANGLE}${others}f 1 2 3 # comment\n${others}`);
  assert.deepEqual(cornersOf(surface), Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0));
});

test("free-form surfaces are reported, because they are missing", async () => {
  const surface = "cstype bezier\ndeg 1 1\nsurf 0 1 0 1 1 2 3 3\nparm u 0 1\nparm v 0 1\nend\n";
  const readFile = (text: string) => withFileOf(text, (path) => objReader.read(path, READ_OPTIONS, noProgress));
  const { parts, warnings } = await readFile(`${TRIANGLE}f 1 2 3\n${surface}`);
  assert.deepEqual([triangleCount(parts[0].surface), warnings?.length], [1, 1]);
  assert.match(warnings![0], /free-form surfaces.* missing.* Export/);
  assert.equal((await readFile(`${TRIANGLE}f 1 2 3\nvn 0 0 1\nvt 0 0\n`)).warnings, undefined);
  await assert.rejects(read(TRIANGLE + surface), refused(/free-form surfaces, but no faces; export/));
});

test("points, lines and curves are reported, because they have no facets", async () => {
  const strokes = "p 1\nl 1 2\nl 2 3\ncurv 0 1 1 2 3\n";
  const path = (text: string) => withFileOf(text, (name) => objReader.read(name, READ_OPTIONS, noProgress));
  const { warnings } = await path(`${TRIANGLE}f 1 2 3\n${strokes}`);
  assert.deepEqual(warnings, ["The file has points and lines and curves, which have no facets and are not imported."]);
});

test("the refusal of text in UTF-16 says so", async () => {
  const text = Buffer.from(`\uFEFF${TRIANGLE}f 1 2 3\n`, "utf16le");
  for (const bytes of [text, Buffer.from(text).swap16()]) {
    await assert.rejects(read(bytes), refused(/UTF-16; save it as UTF-8/));
  }
});

test("a concave polygon between two triangles is covered without overlap", async () => {
  const { surface } = await read("v 0 0 5\nv 4 0 5\nv 4 4 5\nv 2 1 5\nv 0 4 5\nf 1 2 3 4 5\n");
  const { vertices, triangles } = surface;
  let area = 0;
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = triangles.subarray(i, i + 3);
    const [[ax, ay], [bx, by], [cx, cy]] = [a, b, c].map((v) => vertices.slice(3 * v, 3 * v + 2));
    const twice = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay);
    assert.ok(twice > 0);
    area += twice / 2;
  }
  assert.equal(area, 10);
});

test("an invalid line is refused with its number, the cause and the way out", async () => {
  const cases: [string, RegExp][] = [
    [`${TRIANGLE}f 1 2 0\n`, /line 4: "0" in a face names no vertex; export/],
    [`${TRIANGLE}f 1 2 -4\n`, /line 4: "-4" in a face names no vertex/],
    [`${TRIANGLE}f 1 2 x/3\n`, /line 4: "x\/3" in a face names no vertex/],
    [`${TRIANGLE}f 1 2 3.5\n`, /line 4: "3.5" in a face names no vertex/],
    [`${TRIANGLE}f 1 2 /3\n`, /line 4: "\/3" in a face names no vertex/],
    [`${TRIANGLE}f 1 2 3\r\nf 1 \\\r\n 2 4\r\n`, /line 6: a face uses vertex 4, but the file has 3; export/],
    [`${TRIANGLE}f 1 2 4294967297\n`, /line 4: a face uses vertex 4294967297, but the file has 3/],
    [`${TRIANGLE}f 1 2\n`, /line 4: a face has 2 corners instead of at least 3/],
    [`${TRIANGLE}f\n`, /line 4: a face has 0 corners/],
    ["# comment\r\rv 1 2\r", /line 3: a number is missing/],
    ["v 1 2 nan\n", /line 1: "nan" is not a finite number; export/],
    ["v 1 Infinity 2\n", /line 1: "Infinity" is not a finite number/],
    ["v 1 1e39 2\n", /line 1: "1e39" is not a finite number/],
    ["v 1 2,5 2\n", /line 1: "2,5" is not a finite number/],
  ];
  for (const [content, message] of cases) await assert.rejects(read(content), refused(message), content);
});

test("a file without faces is refused", async () => {
  for (const content of ["", "\n", TRIANGLE, "hello there", new Uint8Array(5000), binaryNoise(1, 5000)]) {
    await assert.rejects(read(content), refused(/it has no faces, or is not an OBJ file; export/));
  }
});

function binaryNoise(seed: number, length: number): Uint8Array {
  const random = randomFrom(seed);
  return Uint8Array.from({ length }, () => Math.floor(random() * 256));
}

test("progress is reported, and a cancelled task stops", async () => {
  const shares: number[] = [];
  const text = objText(uvSphere(10, 200, 150)).replaceAll(/^(f \d+ \d+ )(\d+)$/gm, "$1$2 $2");
  await readModel(objReader, text, recording(shares));
  assert.ok(shares.length > 3);
  assert.deepEqual(
    shares,
    shares.toSorted((a, b) => a - b),
  );
  const state = newTaskState();
  cancelTask(state);
  await assert.rejects(readModel(objReader, text, taskProgress(state)), CancelledError);
});

const recording = (shares: number[], from = 0, to = 1): Progress => ({
  report: (share) => void shares.push(from + (to - from) * share),
  part: (a, b) => recording(shares, from + (to - from) * a, from + (to - from) * b),
  silent: () => noProgress,
});

test("a damaged file is refused or gives finite facets", async () => {
  const random = randomFrom(5);
  const source = new TextEncoder().encode(objText(torus(5, 2, 7, 5)).replaceAll(/^(f \d+ \d+ )(\d+)$/gm, "$1$2 1"));
  let refusals = 0;
  for (let i = 0; i < 500; i++) {
    const outcome = await read(damaged(source, random)).catch((thrown: unknown) => thrown as Error);
    if (outcome instanceof Error) {
      assert.equal((outcome as { code?: unknown }).code, "OPERATION_FAILED", outcome.message);
      refusals++;
      continue;
    }
    const { vertices, triangles } = outcome.surface;
    assert.ok(triangles.length > 0 && triangles.length % 3 === 0);
    assert.ok(triangles.every((vertex) => vertex < vertices.length / 3));
    assert.ok(vertices.every(Number.isFinite));
  }
  assert.ok(refusals > 100 && refusals < 490, `${refusals} refused`);
});
