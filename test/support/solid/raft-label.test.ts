import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../../src/core/progress.ts";
import { coordinateRange, signedArea } from "../../../src/geometry/polygon.ts";
import { describeDefects, meshReport } from "../../../src/mesh/mesh-report.ts";
import { freeCells, labelRaft, textBlock } from "../../../src/support/solid/raft-label.ts";
import { randomFrom } from "../../fixture/random.ts";
import { sectionsOf } from "../../fixture/sections.ts";
import { meshOf } from "../../fixture/slices.ts";
import { SETTINGS } from "../settings.ts";

const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1] as const;
const plate = Float64Array.of(-60, -10, 60, -10, 60, 10, -60, 10);
const request = {
  feet: [],
  settings: { ...SETTINGS, raftLabelEnabled: true },
  footprint: new Float64Array(0),
  neededAreaMm2: 0,
};

test("a text block encloses its letters, with a box for each character that the font lacks", async () => {
  for (const text of ["Ag", "Ångström", "деталь 7", " x ", "漢字", "e\u0301"]) {
    const { letters, width, height } = (await textBlock(text))!;
    const near = (range: readonly number[], size: number): boolean =>
      Math.abs(range[0]) + Math.abs(range[1] - size) < 1e-9;
    assert.ok(near(coordinateRange(letters, 0), width) && near(coordinateRange(letters, 1), height), text);
  }
  assert.ok(Math.abs((await textBlock("H"))!.height - 1) < 1e-9);
  assert.deepEqual(await textBlock("漢字"), await textBlock("□□"));
  assert.deepEqual(await textBlock("e\u0301"), await textBlock("é"));
  for (const text of ["", "  "]) assert.equal(await textBlock(text), undefined);
});

test("letters are closed bodies, and none traps resin", async () => {
  for (const text of ["I1", "O", "B8", "eaq", "part-12.stl", "Öå@Ж", "%©"]) {
    const {
      letters: [letters, ...others],
    } = await labelRaft([plate], 0.8, request, text);
    assert.equal(others.length, 0);
    const mesh = meshOf(letters);
    const { misorientedEdges, openEdges } = meshReport(mesh, noProgress);
    assert.deepEqual([openEdges, misorientedEdges], [0, 0], text);
    assert.ok(Math.abs(mesh.box.min[2] - 0.6) < 1e-6 && Math.abs(mesh.box.max[2] - 1.2) < 1e-6);
    assert.ok(sectionsOf(mesh, IDENTITY, [0.3])[0].areaMm2 > 1);
    // A body with a hole all the way through has a handle: V − E + F is 2 for each body without handles.
    const { bodies } = meshReport(mesh, noProgress);
    assert.equal(mesh.vertices.length / 3 - mesh.triangles.length / 6, 2 * bodies, text);
    assert.deepEqual(describeDefects(meshReport(mesh, noProgress)), [], text);
  }
});

test("cells are free inside the polygons, outside their holes and feet", () => {
  const random = randomFrom(2);
  const hole = Float64Array.of(-5, -5, -5, 5, 5, 5, 5, -5);
  assert.ok(signedArea(hole) < 0);
  const feet = Array.from({ length: 10 }, () => ({
    x: 100 * random() - 50,
    y: 16 * random() - 8,
    radius: 0.5 + 2 * random(),
  }));
  const cells = freeCells([plate, hole], feet);
  for (let i = 0; i < 2000; i++) {
    const [column, row] = [Math.floor(cells.columns * random()), Math.floor(cells.rows * random())];
    const [x, y] = [cells.leftMm + 0.5 * (column + 0.5), cells.frontMm + 0.5 * (row + 0.5)];
    const inHole = Math.abs(x) < 5 && Math.abs(y) < 5;
    const inFoot = feet.some((foot) => Math.hypot(foot.x - x, foot.y - y) < foot.radius);
    assert.equal(cells.isFree(column, row, 1, 1), !inHole && !inFoot, `${x}, ${y}`);
  }
});
