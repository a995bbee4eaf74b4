import assert from "node:assert/strict";
import { test } from "node:test";
import { latticeOver, middleOf } from "../../../src/check/thin/lattice.ts";
import { FURROW_CELLS, newMarks } from "../../../src/check/thin/marks.ts";
import { length, subtract, type Vec3 } from "../../../src/core/geometry.ts";
import { randomFrom } from "../../fixture/altered.ts";
import { box } from "../../fixture/shapes.ts";
import { meshOf } from "../../fixture/slices.ts";

const random = randomFrom(3);
const mesh = meshOf(box([20, 16, 6]));
const lattice = latticeOver(mesh, mesh, 0.25);
const { cellMm, columns } = lattice;

type Kind = "covered" | "around" | "thin";
interface Drawn {
  readonly centre: Vec3;
  readonly radiusMm: number;
  readonly kind: Kind;
}

const someBalls = (): Drawn[] =>
  Array.from({ length: 60 }, (_, i) => ({
    centre: middleOf(lattice, 20 + 30 * random(), 20 + 30 * random(), 20 + 30 * random()),
    radiusMm: (1 + 5 * random()) * cellMm,
    kind: (["covered", "around", "thin"] as const)[i % 3],
  }));

/** The cells of a row that `next` stops at. */
function stopsOf(
  next: (column: number, end: number, row: number, layer: number) => number,
  row: number,
  layer: number,
) {
  const found: number[] = [];
  for (let at = next(0, columns, row, layer); at < columns; at = next(at + 1, columns, row, layer)) found.push(at);
  return found;
}

test("cells are known as the balls tell that hold their middles", () => {
  const balls = someBalls();
  const marks = newMarks(lattice);
  for (const { kind, ...ball } of balls) {
    if (kind === "covered") marks.cover(ball);
    else if (kind === "around") marks.coverAround(ball);
    else marks.markThin(0, 0, 0, ball);
  }
  const all = Array.from({ length: columns }, (_, i) => i);
  for (let i = 0; i < 400; i++) {
    const [row, layer] = [15 + Math.floor(40 * random()), 15 + Math.floor(40 * random())];
    const isIn = (column: number, beyond: number, ...kinds: Kind[]): boolean => {
      const middle = middleOf(lattice, column, row, layer);
      return balls.some(
        ({ centre, radiusMm, kind }) =>
          kinds.includes(kind) && length(subtract(middle, centre)) <= radiusMm + beyond * cellMm,
      );
    };
    const isCovered = (column: number): boolean => isIn(column, 0, "covered", "around");
    const isKnown = (column: number): boolean =>
      isCovered(column) || isIn(column, FURROW_CELLS, "around") || isIn(column, 0, "thin");
    assert.deepEqual(
      stopsOf(marks.nextUnknown, row, layer),
      all.filter((column) => !isKnown(column)),
    );
    const thin = all.filter((column) => isIn(column, 0, "thin") && !isCovered(column));
    assert.deepEqual(stopsOf(marks.nextThin, row, layer), thin);
  }
});

test("a cell that is marked thin is so without a ball, and layers that are dropped stay without marks", () => {
  const marks = newMarks(lattice);
  const nowhere = { centre: [0, 0, -9], radiusMm: cellMm } as const;
  marks.markThin(40, 7, 5, nowhere);
  assert.deepEqual(stopsOf(marks.nextThin, 7, 5), [40]);
  assert.equal(marks.nextThin(0, 40, 7, 5), 40);
  marks.drop(5);
  assert.deepEqual(stopsOf(marks.nextThin, 7, 5), []);
  marks.cover({ centre: middleOf(lattice, 40, 7, 5), radiusMm: 3 * cellMm });
  assert.equal(marks.nextUnknown(39, 42, 7, 5), 39);
  assert.equal(marks.nextUnknown(39, 42, 7, 6), 42);
});
