import assert from "node:assert/strict";
import { test } from "node:test";
import { signedArea } from "../../../src/mesh/boolean/region/region.ts";
import { GLYPHS } from "../../../src/support/raft/label/glyphs.ts";
import { freeCells } from "../../../src/support/raft/label/free-cells.ts";
import { labelOnRaft } from "../../../src/support/raft/label/label-on-raft.ts";
import { textStrokes } from "../../../src/support/raft/label/text-strokes.ts";
import { faultsOf, survey } from "../../../src/mesh/survey.ts";
import { unwatched } from "../../../src/core/watch.ts";
import { randomFrom } from "../../fixture/altered.ts";
import { sectionsOf } from "../../fixture/sections.ts";
import { meshOf } from "../../fixture/slices.ts";
import { SETTINGS } from "../solid/settings.ts";

const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1] as const;
const plate = Float64Array.of(-60, -10, 60, -10, 60, 10, -60, 10);
const ground = { feet: [], settings: { ...SETTINGS, raftLabelEnabled: true }, footprint: new Float64Array(0) };

test("every character has strokes of its own, and others become a box", () => {
  const drawn = Object.entries(GLYPHS).map(([character]) => JSON.stringify(textStrokes(character).strokes));
  assert.equal(new Set(drawn).size, drawn.length);
  for (const character of "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_. ")
    assert.ok(character in GLYPHS);
  assert.deepEqual(textStrokes("ä").strokes, textStrokes("€").strokes);
  assert.equal(textStrokes("ab").width, 10 / 6);
});

test("letters are closed bodies, and none seals resin in", async () => {
  for (const text of ["I1", "O", "B8", "eaq", "part-12.stl"]) {
    const { letters: [letters, ...others] } = await labelOnRaft([plate], 0.8, ground, text);
    assert.equal(others.length, 0);
    const mesh = meshOf(letters);
    const { misorientedEdges, openEdges } = survey(mesh, unwatched);
    assert.deepEqual([openEdges, misorientedEdges], [0, 0], text);
    assert.ok(Math.abs(mesh.box.min[2] - 0.6) < 1e-6 && Math.abs(mesh.box.max[2] - 1.2) < 1e-6);
    assert.ok(sectionsOf(mesh, IDENTITY, [0.3])[0].areaMm2 > 1);
    // A body with an opening all the way through has a handle: V − E + F is 2 for each body that has none.
    const { bodies } = survey(mesh, unwatched);
    assert.equal(mesh.vertices.length / 3 - mesh.triangles.length / 6, 2 * bodies, text);
    assert.deepEqual(faultsOf(survey(mesh, unwatched)), [], text);
  }
});

test("cells are free in the region, outside of its openings and of feet", () => {
  const random = randomFrom(2);
  const opening = Float64Array.of(-5, -5, -5, 5, 5, 5, 5, -5);
  assert.ok(signedArea(opening) < 0);
  const feet = Array.from({ length: 10 }, () => ({
    x: 100 * random() - 50,
    y: 16 * random() - 8,
    radius: 0.5 + 2 * random(),
  }));
  const cells = freeCells([plate, opening], feet);
  for (let i = 0; i < 2000; i++) {
    const [column, row] = [Math.floor(cells.columns * random()), Math.floor(cells.rows * random())];
    const [x, y] = [cells.leftMm + 0.5 * (column + 0.5), cells.frontMm + 0.5 * (row + 0.5)];
    const inOpening = Math.abs(x) < 5 && Math.abs(y) < 5;
    const inFoot = feet.some((foot) => Math.hypot(foot.x - x, foot.y - y) < foot.radius);
    assert.equal(cells.isFree(column, row, 1, 1), !inOpening && !inFoot, `${x}, ${y}`);
  }
});
