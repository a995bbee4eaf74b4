import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { jtReader } from "../../src/format/jt/jt.ts";
import { boxOf } from "../../src/geometry/box.ts";
import { jtFile } from "../fixture/jt-part-file.ts";
import { cylinder } from "../fixture/shapes.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";

const file = temporaryFiles();

// A conrod of 235 mm with coordinates of 9 bits was displaced by 0.23 mm, and its two shapes by different amounts.
test("rounded coordinates of JT reach both ends of their range, and are the nearest ones to the exact values", async () => {
  const surface = cylinder(9, 58, 24);
  for (const bits of [4, 9, 17]) {
    const path = file("rounded.jt", jtFile({ surface, bits }));
    const { parts } = await jtReader.read(path, { chordalToleranceMm: 1, angleToleranceDeg: 20 }, noProgress);
    const [{ vertices }] = parts.map((part) => part.surface);
    const [read, written] = [vertices, surface.vertices].map((of) => boxOf(of as Float64Array));
    for (const end of ["min", "max"] as const) {
      for (const axis of [0, 1, 2]) assert.ok(Math.abs(read[end][axis] - written[end][axis]) < 1e-5);
    }
    const mean = (of: ArrayLike<number>, axis: number): number =>
      Array.from(of).reduce((sum, value, i) => sum + (i % 3 === axis ? value : 0), 0) / (of.length / 3);
    const step = 58 / (2 ** bits - 1);
    for (const axis of [0, 1, 2]) assert.ok(Math.abs(mean(vertices, axis) - mean(surface.vertices, axis)) < 0.1 * step);
  }
});

test("the reported deviation is that of the mesh and of its rounding", async () => {
  const path = file("told.jt", jtFile({ surface: cylinder(9, 58, 24), bits: 4, chordal: "0.1", scale: 2 }));
  const { warnings } = await jtReader.read(path, { chordalToleranceMm: 1, angleToleranceDeg: 20 }, noProgress);
  // Half the diagonal of a cell of 1.2 × 1.2 × 3.87 mm, plus 0.1 mm; twice as large after placing.
  assert.match(warnings!.join(), /of up to 4\.42 mm/);
});
