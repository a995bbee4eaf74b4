import assert from "node:assert/strict";
import { test } from "node:test";
import { cellCentre, cellGridOver } from "../../../src/check/thin/cell-grid.ts";
import { FURROW_CELLS, newBallIndex, newCellMarks } from "../../../src/check/thin/cell-marks.ts";
import { type Vec3, length, subtract } from "../../../src/geometry/vector.ts";
import { randomFrom } from "../../fixture/random.ts";
import { box } from "../../fixture/shapes.ts";
import { meshOf } from "../../fixture/slices.ts";

const random = randomFrom(3);
const mesh = meshOf(box([20, 16, 6]));
const { grid: lattice } = cellGridOver(mesh, [0, 0, 0], 0.25);
const { cellMm, columns } = lattice;

type Kind = "covered" | "around" | "thin";
interface Drawn {
  readonly centre: Vec3;
  readonly radiusMm: number;
  readonly kind: Kind;
}

const someBalls = (): Drawn[] =>
  Array.from({ length: 60 }, (_, i) => ({
    centre: cellCentre(lattice, 20 + 30 * random(), 20 + 30 * random(), 20 + 30 * random()),
    radiusMm: (1 + 5 * random()) * cellMm,
    kind: (["covered", "around", "thin"] as const)[i % 3],
  }));

/** The columns of a row that `next` returns. */
function stopsOf(
  next: (column: number, end: number, row: number, layer: number) => number,
  row: number,
  layer: number,
) {
  const found: number[] = [];
  for (let at = next(0, columns, row, layer); at < columns; at = next(at + 1, columns, row, layer)) found.push(at);
  return found;
}

test("cells are marked by the balls that contain their centres", () => {
  const balls = someBalls();
  const marks = newCellMarks(lattice);
  for (const { kind, ...ball } of balls) {
    if (kind === "covered") marks.cover(ball);
    else if (kind === "around") marks.coverAround(ball);
    else marks.markThin(0, 0, 0, ball, false);
  }
  const all = Array.from({ length: columns }, (_, i) => i);
  for (let i = 0; i < 400; i++) {
    const [row, layer] = [15 + Math.floor(40 * random()), 15 + Math.floor(40 * random())];
    const isIn = (column: number, beyond: number, ...kinds: Kind[]): boolean => {
      const middle = cellCentre(lattice, column, row, layer);
      return balls.some(
        ({ centre, radiusMm, kind }) =>
          kinds.includes(kind) && length(subtract(middle, centre)) <= radiusMm + beyond * cellMm,
      );
    };
    const isCovered = (column: number): boolean => isIn(column, 0, "covered", "around");
    const isKnown = (column: number): boolean =>
      isCovered(column) || isIn(column, FURROW_CELLS, "around") || isIn(column, 0, "thin");
    assert.deepEqual(
      stopsOf((...at) => marks.nextUnknown(...at), row, layer),
      all.filter((column) => !isKnown(column)),
    );
    const thin = all.filter((column) => isIn(column, 0, "thin") && !isCovered(column));
    assert.deepEqual(
      stopsOf((...at) => marks.nextThin(...at), row, layer),
      thin,
    );
  }
});

test("a cell can be marked thin without a ball, and dropped layers have no marks any more", () => {
  const marks = newCellMarks(lattice);
  const nowhere = { centre: [0, 0, -9], radiusMm: cellMm } as const;
  marks.markThin(40, 7, 5, nowhere, true);
  assert.deepEqual(
    stopsOf((...at) => marks.nextThin(...at), 7, 5),
    [40],
  );
  assert.equal(marks.nextThin(0, 40, 7, 5), 40);
  assert.deepEqual(
    [5, 6].map((layer) => marks.isClearlyThin(40, 7, layer)),
    [true, false],
  );
  marks.drop(5);
  assert.equal(marks.isClearlyThin(40, 7, 5), false);
  assert.deepEqual(
    stopsOf((...at) => marks.nextThin(...at), 7, 5),
    [],
  );
  marks.cover({ centre: cellCentre(lattice, 40, 7, 5), radiusMm: 3 * cellMm });
  assert.equal(marks.nextUnknown(39, 42, 7, 5), 39);
  assert.equal(marks.nextUnknown(39, 42, 7, 6), 42);
});

const REACH = 1.5;
const random2 = randomFrom(11);
const somePlace = (): Vec3 => [20 * random2() - 10, 20 * random2() - 10, 20 * random2()];

const centres = Array.from({ length: 2000 }, somePlace);

function withCentres() {
  const balls = newBallIndex(REACH);
  centres.forEach(balls.add);
  return balls;
}

function nearestByTrial(place: Vec3, reachMm: number): Vec3 | undefined {
  const distances = centres.map((centre) => length(subtract(centre, place)));
  const least = Math.min(...distances);
  return least <= reachMm ? centres[distances.indexOf(least)] : undefined;
}

test("the nearest centre within reach is found at any place", () => {
  const balls = withCentres();
  let found = 0;
  for (let i = 0; i < 2000; i++) {
    const [place, reachMm] = [somePlace(), REACH * random2()];
    const expected = nearestByTrial(place, reachMm);
    assert.deepEqual(balls.nearest(place, reachMm), expected);
    if (expected) found++;
  }
  assert.ok(found > 200 && found < 1800, String(found));
});

test("only centres that no query at this height or above can reach are discarded", () => {
  const balls = withCentres();
  balls.drop(10);
  for (let i = 0; i < 1000; i++) {
    const [x, y] = somePlace();
    const place: Vec3 = [x, y, 10 + random2()];
    assert.deepEqual(balls.nearest(place, REACH), nearestByTrial(place, REACH));
  }
  const low = centres.filter(([, , z]) => z < 10 - 3 * REACH);
  assert.ok(low.length > 0 && low.every((centre) => !balls.nearest(centre, 1e-9)));
});
