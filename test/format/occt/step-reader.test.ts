import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { ApiError } from "../../../src/core/api-error.ts";
import {
  CancelledError,
  cancelTask,
  newTaskState,
  noProgress,
  readProgress,
  taskProgress,
} from "../../../src/core/progress.ts";
import type { FilePart, ModelFile, ReadOptions } from "../../../src/format/model-reader.ts";
import { stepReader } from "../../../src/format/occt/step-reader.ts";
import { canonicalMesh } from "../../../src/mesh/canonical-mesh.ts";
import { describeDefects, meshReport } from "../../../src/mesh/mesh-report.ts";
import type { Mesh } from "../../../src/mesh/mesh.ts";
import { longTest, slowRuns } from "../../fixture/long.ts";
import { randomFrom } from "../../fixture/random.ts";
import { temporaryFiles } from "../../fixture/temporary-files.ts";

const file = temporaryFiles();
const BRACKET = fileURLToPath(new URL("../../../assets/demo/bracket.step", import.meta.url));
const SOUND = readFileSync(BRACKET, "latin1");
const FINE: ReadOptions = { chordalToleranceMm: 0.01, angleToleranceDeg: 5 };
const ROUGH: ReadOptions = { chordalToleranceMm: 0.5, angleToleranceDeg: 20 };

const read = (path = BRACKET, options = FINE): Promise<ModelFile> => stepReader.read(path, options, noProgress);
const readText = (text: string | Uint8Array): Promise<ModelFile> => read(file("model.step", text), ROUGH);
const meshOf = ({ surface }: FilePart, unitMm = 1): Mesh => canonicalMesh(surface, unitMm, noProgress);

const refused =
  (message: RegExp) =>
  (thrown: unknown): boolean => {
    assert.ok(thrown instanceof ApiError && thrown.code === "OPERATION_FAILED", String(thrown));
    assert.match(thrown.message, message);
    return true;
  };

/** The two solids from their dimensions: plates, fillets and holes; discs and a cone. */
const BRACKET_MM3 =
  60 * 40 * 6 +
  6 * 40 * 34 +
  (1 - Math.PI / 4) * (5 ** 2 * 40 - 4 * 8 ** 2 * 6) -
  Math.PI * 6 * (2 * 3.3 ** 2 + 5 ** 2);
const PIN_MM3 = Math.PI * (8 ** 2 * 4 + 4.8 ** 2 * 19.2 + (0.8 * (4.8 ** 2 + 4.8 * 4 + 4 ** 2)) / 3);

longTest("each solid is a closed part with its product's name, the true volume and position", async () => {
  const { parts, unitMm } = await read();
  assert.equal(unitMm, 1);
  assert.deepEqual(
    parts.map(({ index, name }) => [index, name]),
    [
      [0, "bracket"],
      [1, "pin"],
    ],
  );
  const [bracket, pin] = parts.map((part) => meshOf(part));
  for (const mesh of [bracket, pin]) assert.deepEqual(describeDefects(meshReport(mesh, noProgress)), []);
  assert.ok(Math.abs(bracket.volumeMm3 / BRACKET_MM3 - 1) < 1e-3, `${bracket.volumeMm3} of ${BRACKET_MM3} mm³`);
  assert.ok(Math.abs(pin.volumeMm3 / PIN_MM3 - 1) < 3e-3, `${pin.volumeMm3} of ${PIN_MM3} mm³`);
  const places = [bracket.box.min, bracket.box.max, pin.box.min, pin.box.max].flat();
  [0, 0, 0, 60, 40, 40, 72, 12, 0, 88, 28, 24].forEach((value, i) => assert.ok(Math.abs(places[i] - value) < 0.02));
});

longTest("finer tolerances give more triangles and a volume nearer to the true one", async () => {
  const readings = [
    [1, 30],
    [0.2, 15],
    [0.02, 5],
  ].map(async ([chordalToleranceMm, angleToleranceDeg]) => {
    const { parts } = await read(BRACKET, { chordalToleranceMm, angleToleranceDeg });
    const meshes = parts.map((part) => meshOf(part));
    return {
      triangles: meshes.reduce((sum, { triangles }) => sum + triangles.length / 3, 0),
      error: Math.abs(meshes[0].volumeMm3 - BRACKET_MM3) + Math.abs(meshes[1].volumeMm3 - PIN_MM3),
    };
  });
  const results = await Promise.all(readings);
  for (let i = 1; i < results.length; i++) {
    assert.ok(results[i].triangles > results[i - 1].triangles, JSON.stringify(results));
    assert.ok(results[i].error < results[i - 1].error, JSON.stringify(results));
  }
});

longTest("no point of the triangles is further from the true cylinder than the chordal tolerance", async () => {
  for (const chordalToleranceMm of [0.5, 0.1, 0.01]) {
    const { parts } = await read(BRACKET, { chordalToleranceMm, angleToleranceDeg: 45 });
    const { vertices, triangles } = meshOf(parts[1]);
    const radius = (at: number): number => Math.hypot(vertices[at] - 80, vertices[at + 1] - 20);
    let worst = 0;
    for (let i = 0; i < triangles.length; i += 3) {
      const corners = [0, 1, 2].map((k) => 3 * triangles[i + k]);
      if (!corners.every((at) => Math.abs(radius(at) - 8) < 1e-4)) continue;
      for (const [a, b] of [
        [0, 1],
        [1, 2],
        [2, 0],
      ].map(([p, q]) => [corners[p], corners[q]])) {
        const [x, y] = [0, 1].map((k) => (vertices[a + k] + vertices[b + k]) / 2);
        const isOnSide = Math.abs(vertices[a + 2] - vertices[b + 2]) > 1 || vertices[a + 2] > 0;
        if (isOnSide && Math.hypot(x - 80, y - 20) > 4) worst = Math.max(worst, 8 - Math.hypot(x - 80, y - 20));
      }
    }
    assert.ok(worst > 0 && worst <= chordalToleranceMm * 1.01, `${worst} at ${chordalToleranceMm}`);
  }
});

test("a part without a name has none", async () => {
  const { parts } = await readText(SOUND.replaceAll("'pin'", "''"));
  assert.deepEqual(
    parts.map(({ name }) => name),
    ["bracket", undefined],
  );
});

test("files that are not STEP, cut short, or without shapes are refused", async () => {
  await assert.rejects(readText(""), refused(/no STEP file|damaged/));
  await assert.rejects(readText("solid cube\nendsolid\n"), refused(/export the model again/));
  for (const share of [0.1, 0.5, 0.9]) {
    await assert.rejects(readText(SOUND.slice(0, share * SOUND.length)), refused(/export the model again/));
  }
  const head = SOUND.slice(0, SOUND.indexOf("DATA;") + 6);
  await assert.rejects(readText(`${head}ENDSEC;\nEND-ISO-10303-21;\n`), refused(/export the model again/));
  await assert.rejects(read("/does/not/exist.step"), refused(/does not exist/));
});

longTest("files with bytes changed are read or refused with an error, and the next file is not affected", async () => {
  const random = randomFrom(5);
  const first = SOUND.indexOf("DATA;");
  for (let round = 0; round < slowRuns(15); round++) {
    const bytes = new Uint8Array(readFileSync(BRACKET));
    for (let i = 0; i < 5; i++) bytes[first + Math.floor(random() * (bytes.length - first))] = 32 + 90 * random();
    try {
      for (const { surface } of (await readText(bytes)).parts) {
        assert.ok(surface.triangles.every((corner) => corner < surface.vertices.length / 3));
      }
    } catch (thrown) {
      assert.ok(thrown instanceof ApiError && thrown.code === "OPERATION_FAILED", String(thrown));
    }
  }
  assert.equal((await read()).parts.length, 2);
});

test("the kernel writes nothing to the console", async () => {
  const printed: unknown[] = [];
  const { log, error, warn } = console;
  const record = (...line: unknown[]): unknown => printed.push(line);
  Object.assign(console, { log: record, error: record, warn: record });
  try {
    await readText("garbage").catch(() => {});
    await readText(SOUND.replaceAll("CARTESIAN_POINT", "CARTESIAN_PAINT")).catch(() => {});
  } finally {
    Object.assign(console, { log, error, warn });
  }
  assert.deepEqual(printed, []);
});

test("reading reports progress, and stops if cancelled before", async () => {
  const state = newTaskState();
  await stepReader.read(BRACKET, ROUGH, taskProgress(state));
  assert.ok(readProgress(state) > 0.5);
  cancelTask(state);
  await assert.rejects(stepReader.read(BRACKET, ROUGH, taskProgress(state)), CancelledError);
});
