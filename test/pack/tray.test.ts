import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import type { OrientedShape } from "../../src/pack/oriented-shape.ts";
import {
  type CellPosition,
  type Tray,
  blockCell,
  cellsOf,
  findPlace,
  kernelShapeOf,
  newTray,
  presentShape,
  updateRows,
} from "../../src/pack/tray.ts";
import { slowRuns } from "../fixture/long.ts";
import { randomFrom } from "../fixture/random.ts";

type Cell = readonly [x: number, y: number, z: number];

/** A shape of random runs, with the data that a tray uses: its runs and the lowest cells of its columns. */
function randomShape(random: () => number, [columns, rows, layers]: Cell): { shape: OrientedShape; cells: Cell[] } {
  const runs: number[] = [];
  const cells: Cell[] = [];
  const lowest = new Map<string, Cell>();
  for (let z = 0; z < layers; z++) {
    for (let y = 0; y < rows; y++) {
      const isCorner = y + z === 0 || (y === rows - 1 && z === layers - 1);
      if (!isCorner && random() < 0.3) continue;
      const from = isCorner && z === 0 ? 0 : Math.floor(random() * columns);
      const length = isCorner ? columns - from : 1 + Math.floor(random() * (columns - from));
      runs.push(from, y, z, length);
      for (let x = from; x < from + length; x++) {
        cells.push([x, y, z]);
        if (!lowest.has(`${x} ${y}`)) lowest.set(`${x} ${y}`, [x, y, z]);
      }
    }
  }
  const shape = {
    columns,
    rows,
    layers,
    runs: Int32Array.from(runs),
    bottoms: Int32Array.from([...lowest.values()].flat()),
    toCentre: [0, 0, 0] as const,
    centroid: 0,
    areas: new Int32Array(layers),
  };
  return { shape, cells };
}

/** A tray with random blocked boxes, and a function that says whether a cell is blocked. */
function randomTray(random: () => number, size: Cell): { tray: Tray; isBlocked: (cell: Cell) => boolean } {
  const [columns, rows, layers] = size;
  const tray = newTray({ columns, rows, layers });
  const blocked = new Set<number>();
  const index = ([x, y, z]: Cell): number => (z * rows + y) * columns + x;
  for (let k = 0; k < 25; k++) {
    const from = size.map((count) => Math.floor(random() * count));
    const to = from.map((start, axis) => Math.min(size[axis], start + 1 + Math.floor(random() ** 3 * size[axis])));
    const cells = cellsOf(tray);
    for (let z = from[2]; z < to[2]; z++) {
      for (let y = from[1]; y < to[1]; y++) {
        for (let x = from[0]; x < to[0]; x++) {
          blockCell(cells, x, y, z);
          blocked.add(index([x, y, z]));
        }
      }
    }
    updateRows(tray, from[1], to[1], from[2], to[2]);
  }
  return { tray, isBlocked: (cell) => blocked.has(index(cell)) };
}

test("the first free place, and the first one with nothing above it, are those of a search of every cell", () => {
  const random = randomFrom(14);
  let [found, risen] = [0, 0];
  for (let scene = 0; scene < slowRuns(60); scene++) {
    const size: Cell = [[9, 56, 57, 70, 150, 290][scene % 6], 9, 12];
    const { tray, isBlocked } = randomTray(random, size);
    const box: Cell = [
      1 + Math.floor(random() ** 2 * size[0]),
      1 + Math.floor(random() * 5),
      1 + Math.floor(random() * 5),
    ];
    // The kernel accepts runs of at most 255 cells.
    const { shape, cells } = randomShape(random, [Math.min(box[0], 255), box[1], box[2]]);
    const looks = kernelShapeOf(tray, shape);
    const covered = ({ x, y, z }: CellPosition): Cell[] => cells.map(([i, j, k]) => [x + i, y + j, z + k]);
    const isFree = (place: CellPosition): boolean => !covered(place).some(isBlocked);
    const rises = (place: CellPosition): boolean =>
      covered(place).every(([x, y, z]) =>
        Array.from({ length: size[2] - z }, (_, k) => z + k).every((k) => !isBlocked([x, y, k])),
      );
    const places: CellPosition[] = [];
    for (let z = 0; z + shape.layers <= size[2]; z++) {
      for (let y = 0; y + shape.rows <= size[1]; y++) {
        for (let x = 0; x + shape.columns <= size[0]; x++) places.push({ x, y, z });
      }
    }
    const from = places[Math.floor(random() ** 2 * places.length)];
    const ahead = places.slice(places.indexOf(from));
    const find = (
      mustRise: boolean,
      mayTake: (place: CellPosition) => boolean = () => true,
    ): CellPosition | undefined =>
      findPlace(tray, looks, from, Infinity, { mustRise: () => mustRise, mayTake }, noProgress);
    const free = ahead.filter(isFree);
    assert.deepEqual(find(false), free[0]);
    assert.deepEqual(
      find(false, ({ x, y, z }) => (x + y + z) % 3 === 0),
      free.find(({ x, y, z }) => (x + y + z) % 3 === 0),
    );
    const rising = free.filter(rises);
    assert.deepEqual(find(true), rising[0]);
    presentShape(tray, looks);
    const some = places[Math.floor(random() * places.length)];
    assert.equal(Boolean(tray.kernel.isFree(some.x, some.y, some.z)), isFree(some));
    if (free.includes(some)) assert.equal(Boolean(tray.kernel.rises(some.x, some.y, some.z)), rises(some));
    if (free.length > 0 && free[0] !== from) found++;
    if (rising.length > 0 && rising[0] !== free[0]) risen++;
  }
  assert.ok(found > slowRuns(12) && risen > slowRuns(8), `${found} and ${risen} scenes have such places`);
});
