import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../../src/core/api-error.ts";
import { noProgress } from "../../src/core/progress.ts";
import type { ModelFile, ModelReader } from "../../src/format/model-reader.ts";
import { offReader } from "../../src/format/off.ts";
import { plyReader } from "../../src/format/ply/ply.ts";
import { canonicalMesh } from "../../src/mesh/canonical-mesh.ts";
import type { Surface } from "../../src/mesh/mesh.ts";
import { offText } from "../fixture/off-file.ts";
import { asciiPly, binaryPly } from "../fixture/ply-file.ts";
import { box, torus } from "../fixture/shapes.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";

// PLY and OFF.

const file = temporaryFiles();
const OPTIONS = { chordalToleranceMm: 0.01, angleToleranceDeg: 5 };
const read = (reader: ModelReader, content: string | Uint8Array): Promise<ModelFile> =>
  reader.read(file("model", content), OPTIONS, noProgress);
const hashOf = (surface: Surface): string => canonicalMesh(surface, 1, noProgress).hash;
const refused =
  (message: RegExp) =>
  (thrown: unknown): boolean => {
    assert.ok(thrown instanceof ApiError && thrown.code === "OPERATION_FAILED", String(thrown));
    assert.match(thrown.message, message);
    return true;
  };

const KINDS: readonly (readonly [string, ModelReader, (surface: Surface) => string | Uint8Array])[] = [
  ["PLY as text", plyReader, asciiPly],
  ["little-endian PLY", plyReader, (surface) => binaryPly(surface, true)],
  ["big-endian PLY", plyReader, (surface) => binaryPly(surface, false)],
  ["OFF", offReader, (surface) => offText(surface)],
  ["OFF with its counts in the first line", offReader, (surface) => offText(surface, false)],
  ["OFF without its first word", offReader, (surface) => offText(surface).replace("OFF\n", "# cube\n")],
  [
    "OFF with comments before its first word",
    offReader,
    (surface) => `# made by\n\n  # C:\\parts\\\n${offText(surface)}`,
  ],
  ["OFF with a comment behind its first word", offReader, (surface) => offText(surface).replace("OFF", "OFF#cube")],
  ["OFF in lower case", offReader, (surface) => offText(surface).replace("OFF", "off")],
  ["OFF with CR LF", offReader, (surface) => offText(surface).replaceAll("\n", "\r\n")],
];

for (const [what, reader, write] of KINDS) {
  test(`${what} is read with the shape that was written, and without a unit`, async () => {
    for (const surface of [box([10, 20, 30]), torus(10, 3)]) {
      const { parts, unitMm } = await read(reader, write(surface));
      assert.equal(unitMm, undefined);
      assert.equal(parts.length, 1);
      assert.equal(hashOf(parts[0].surface), hashOf(surface));
    }
  });

  test(`${what} that is cut off at any point is refused`, async () => {
    const whole = Buffer.from(write(torus(10, 3, 12, 6)));
    const least = what.startsWith("OFF") ? 12 : 3;
    for (let percent = 0; percent < 100; percent++) {
      const cut = whole.subarray(0, Math.min(whole.length - least, Math.floor((whole.length * percent) / 100)));
      await assert.rejects(read(reader, cut), refused(/export the model again/), `${percent} %`);
    }
  });
}

const HEAD = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n";
const POINTS = "0 0 0\n1 0 0\n1 1 0\n0 1 0\n";

test("polygons become triangles; strips of PLY turn every second triangle over and begin again at -1", async () => {
  const quad = await read(
    plyReader,
    `${HEAD}element face 1\nproperty list uchar int vertex_index\nend_header\n${POINTS}4 0 1 2 3\n`,
  );
  assert.equal(quad.parts[0].surface.triangles.length, 6);
  const strips = `${HEAD}element tristrips 1\nproperty list int int vertex_indices\nend_header\n${POINTS}8 0 1 3 2 -1 0 1 2\n`;
  const [{ surface }] = (await read(plyReader, strips)).parts;
  assert.deepEqual([...surface.triangles], [0, 1, 3, 3, 1, 2, 0, 1, 2]);
  const off = await read(offReader, `OFF 4 2 0\n${POINTS}4 0 1 2 3\n2 0 1\n`);
  assert.equal(off.parts[0].surface.triangles.length, 6);
});

const FACES = "element face 1\nproperty list uchar int vertex_indices\nend_header\n";
const WRONG: readonly (readonly [ModelReader, string, RegExp])[] = [
  [plyReader, "solid part\n", /no PLY file/],
  [plyReader, "ply\nformat ascii 1.0\nelement vertex 3\n", /header has no end/],
  [plyReader, `ply\nelement vertex 0\n${FACES}`, /how numbers are stored/],
  [plyReader, "ply\nformat ascii 1.0\nelement vertex many\nend_header\n", /line 3/],
  [plyReader, "ply\nformat ascii 1.0\nelement vertex 3\nproperty float3 x\nend_header\n", /line 4/],
  [
    plyReader,
    "ply\nformat ascii 1.0\nelement vertex 1000000\nproperty float x\nend_header\n0\n",
    /more than it can hold/,
  ],
  [plyReader, "ply\nformat ascii 1.0\nelement other 9\nend_header\n", /without properties/],
  [plyReader, `${HEAD.replace("float y", "float Y")}${FACES}${POINTS}3 0 1 2\n`, /vertices have no property "y"/],
  [plyReader, `${HEAD}${FACES}${POINTS}3 0 1 4\n`, /names vertex 4 .*has 4/],
  [plyReader, `${HEAD}${FACES}${POINTS}3 0 1 -1\n`, /names vertex -1/],
  [plyReader, `${HEAD}${FACES}0 0 0\n1 0 nan\n1 1 0\n0 1 0\n3 0 1 2\n`, /line 11: "nan"/],
  [plyReader, `${HEAD}end_header\n${POINTS}`, /cloud of points/],
  [plyReader, `${HEAD}end_header\n0 0 nan\n${POINTS}`, /cloud of points/],
  [plyReader, `${HEAD}property list uchar int vertex_indices\nend_header\n${POINTS}`, /no faces/],
  [offReader, "solid part\n", /begin like an OFF file/],
  [offReader, "4OFF 4 1 0\n", /four-dimensional/],
  [offReader, "OFF BINARY\n", /binary/],
  [offReader, "OFF\nmany\n", /number of vertices/],
  [offReader, `OFF 4 1 0\n${POINTS}3 0 1 4\n`, /names "4", and the file has 4 vertices/],
  [offReader, `OFF 4 1 0\n${POINTS}3 0 1\n`, /names a missing corner/],
  [offReader, `OFF 4 0 0\n${POINTS}`, /no faces/],
];

for (const [reader, content, message] of WRONG) {
  test(`refused with its cause: ${JSON.stringify(content.slice(0, 60))}`, async () => {
    await assert.rejects(read(reader, content), refused(message));
  });
}
