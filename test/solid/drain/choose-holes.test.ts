import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../../src/core/progress.ts";
import { type EmptyRegions, emptyLayer, emptyRegionsOf } from "../../../src/geometry/pockets.ts";
import { type HoleCandidate, chooseHoles, sealedWith } from "../../../src/solid/drain/choose-holes.ts";
import type { BoreRegions, LayeredSpace } from "../../../src/solid/drain/sealed-spaces.ts";
import { expectedPockets } from "../../fixture/expected-pockets.ts";
import { slowRuns } from "../../fixture/long.ts";
import { randomFrom } from "../../fixture/random.ts";
import { type Bitmap, paint, spanLayerOf } from "../../fixture/span-layer.ts";

// Blocks of cells of 1 mm³ with cavities, in air. The oracle removes the cells of holes and floods the rest for each layer.

const STEPS = [
  [1, 0, 0],
  [-1, 0, 0],
  [0, 1, 0],
  [0, -1, 0],
  [0, 0, 1],
  [0, 0, -1],
] as const;

interface Block {
  readonly side: number;
  readonly height: number;
  readonly isSolid: Uint8Array;
}

type Cell = readonly [x: number, y: number, z: number];

const indexOf = ({ side }: Block, [x, y, z]: Cell): number => x + side * (y + side * z);

function blockOf(side: number, height: number, isSolidAt: (cell: Cell) => boolean): Block {
  const isSolid = new Uint8Array(side * side * height);
  const block = { side, height, isSolid };
  for (const cell of cellsOf(block)) {
    const [x, y, z] = cell;
    const isInside = Math.min(x, y, z, side - 1 - x, side - 1 - y, height - 1 - z) > 0;
    isSolid[indexOf(block, cell)] = isInside && isSolidAt(cell) ? 1 : 0;
  }
  return block;
}

function* cellsOf({ side, height }: Pick<Block, "side" | "height">): Generator<Cell> {
  for (let z = 0; z < height; z++) for (let y = 0; y < side; y++) for (let x = 0; x < side; x++) yield [x, y, z];
}

const bitmapsOf = ({ side, height, isSolid }: Block, removed: readonly number[] = []): Bitmap[] => {
  const solid = isSolid.slice();
  for (const cell of removed) solid[cell] = 0;
  return Array.from({ length: height }, (_, z) => ({
    columns: side,
    rows: side,
    pixels: solid.slice(z * side * side, (z + 1) * side * side),
  }));
};

interface BlockHole extends HoleCandidate {
  readonly cells: readonly number[];
}

interface BlockSpace {
  readonly space: LayeredSpace;
  readonly regionAt: (cell: Cell) => number;
}

function spaceOf(block: Block): BlockSpace {
  const { side, height } = block;
  const empty = bitmapsOf(block).map((bitmap, index) => emptyLayer(spanLayerOf(bitmap, index), side));
  const painted = empty.map(({ empty, regions }) => paint(empty, side, (span) => regions.regionOf[span]));
  const layers: EmptyRegions[] = [...emptyRegionsOf(empty, side)];
  const boundariesMm = Float64Array.from({ length: height + 1 }, (_, k) => k);
  return {
    space: { layers, boundariesMm, pixelMm: 1 },
    regionAt: ([x, y, z]) => painted[z][y * side + x],
  };
}

/** The straight hole of a cell's width from a cell of a cavity to the air, if it meets nothing between. */
function holeFrom(block: Block, { regionAt }: BlockSpace, from: Cell, step: Cell): BlockHole | undefined {
  const [dx, dy, dz] = step;
  const way: Cell[] = [from];
  for (;;) {
    const [x, y, z] = way.at(-1)!;
    const next: Cell = [x + dx, y + dy, z + dz];
    way.push(next);
    if (block.isSolid[indexOf(block, next)] === 0) break;
    const isBesideSpace = STEPS.filter(([sx, sy, sz]) => sx * dx + sy * dy + sz * dz === 0).some(
      ([sx, sy, sz]) => block.isSolid[indexOf(block, [next[0] + sx, next[1] + sy, next[2] + sz])] === 0,
    );
    if (isBesideSpace) return undefined;
  }
  if (way.length < 3) return undefined;
  const zs = way.map(([, , z]) => z);
  const first = Math.min(...zs);
  const regions = Array.from({ length: Math.max(...zs) - first + 1 }, (_, i) =>
    way.filter(([, , z]) => z === first + i).flatMap((cell) => (regionAt(cell) < 0 ? [] : [regionAt(cell)])),
  );
  const bore: BoreRegions = { first, regions };
  const cells = way.map((cell) => indexOf(block, cell));
  return { bore, cells, opensCups: true, drainsPools: true, cost: way.length };
}

function randomBlock(side: number, height: number, random: () => number): Block {
  const boxes = Array.from({ length: 2 + Math.floor(3 * random()) }, () => {
    const low = [side, side, height].map((size) => 2 + Math.floor((size - 4) * random()));
    const sizes = [1, 2, 3].map(() => 1 + Math.floor(3 * random()));
    return { low, sizes };
  });
  const isInBox = (cell: Cell): boolean =>
    boxes.some(({ low, sizes }) =>
      cell.every((at, axis) => {
        const size = axis === 2 ? height : side;
        return at >= low[axis] && at < Math.min(low[axis] + sizes[axis], size - 2);
      }),
    );
  return blockOf(side, height, (cell) => !isInBox(cell));
}

/** All straight holes from cavities. */
const allHoles = (block: Block, space: BlockSpace): BlockHole[] =>
  [...cellsOf(block)].flatMap((cell) => {
    const [x, y, z] = cell;
    const isInside = Math.min(x, y, z, block.side - 1 - x, block.side - 1 - y, block.height - 1 - z) > 0;
    if (!isInside || block.isSolid[indexOf(block, cell)] === 1) return [];
    return STEPS.flatMap((step) => holeFrom(block, space, cell, step) ?? []);
  });

/** Candidates that keep a cell apart from each other. */
function randomHoles(block: Block, space: BlockSpace, most: number, random: () => number): BlockHole[] {
  const all = allHoles(block, space);
  const holes: BlockHole[] = [];
  const shuffled = all.map((hole) => ({ hole, at: random() })).toSorted((a, b) => a.at - b.at);
  for (const { hole } of shuffled) {
    const taken = new Set(holes.flatMap(({ cells }) => cells.slice(1, -1)));
    const { side } = block;
    const steps = [0, 1, -1, side, -side, side * side, -side * side];
    const isApart = hole.cells.slice(1, -1).every((cell) => steps.every((step) => !taken.has(cell + step)));
    if (isApart && holes.length < most) holes.push(hole);
  }
  return holes;
}

/** By floods: whether neither a cup nor a pool of more than the limit is left. */
function isDrained(block: Block, holes: readonly BlockHole[], limit: number): boolean {
  const layers = bitmapsOf(
    block,
    holes.flatMap(({ cells }) => cells),
  );
  const { side } = block;
  const air: Bitmap = { columns: side, rows: side, pixels: new Uint8Array(side * side) };
  return [layers, [air, ...layers.toReversed()]].every((order) =>
    expectedPockets(order).every((size) => size <= limit),
  );
}

function* subsets<T>(items: readonly T[], size: number): Generator<T[]> {
  if (size === 0) yield [];
  else
    for (const [i, item] of items.entries())
      for (const rest of subsets(items.slice(i + 1), size - 1)) yield [item, ...rest];
}

const MOST_HOLES = 3;

const areApart = (a: BlockHole, b: BlockHole): boolean => a !== b;

test("the chosen holes are as few as a search through all sets of holes finds", () => {
  let [drained, undrained, withSeveral] = [0, 0, 0];
  for (let seed = 0; seed < slowRuns(100); seed++) {
    const random = randomFrom(seed);
    const limit = seed % 3;
    const block = randomBlock(8, 7, random);
    const space = spaceOf(block);
    const candidates = randomHoles(block, space, 7, random);
    const limits = { maxCupMm3: limit, maxPoolMm3: limit };
    const { chosen, left } = chooseHoles({ space: space.space, candidates, limits, areApart }, noProgress);
    assert.equal(isDrained(block, chosen, limit), left.length === 0, `seed ${seed}: prediction`);
    const sizes = Array.from({ length: MOST_HOLES + 1 }, (_, size) => size);
    const least = sizes.find((size) => [...subsets(candidates, size)].some((set) => isDrained(block, set, limit)));
    if (least === undefined) {
      assert.ok(left.length > 0 || chosen.length > MOST_HOLES, `seed ${seed}: more than is possible`);
      undrained++;
      continue;
    }
    assert.equal(left.length, 0, `seed ${seed}: something is left`);
    assert.equal(chosen.length, least, `seed ${seed}`);
    drained++;
    if (least > 1) withSeveral++;
  }
  assert.ok(
    drained > 5 && undrained > 0 && withSeveral > 2,
    `${drained} drained, ${undrained} not, ${withSeveral} by several`,
  );
});

test("what is sealed is what floods of the same block find, on random blocks with random holes", () => {
  for (let seed = 0; seed < 60; seed++) {
    const random = randomFrom(1000 + seed);
    const block = randomBlock(8, 7, random);
    const space = spaceOf(block);
    const holes = randomHoles(block, space, 3, random);
    const left = sealedWith(space.space, holes, { maxCupMm3: 0, maxPoolMm3: 0 });
    assert.equal(left.length === 0, isDrained(block, holes, 0), `seed ${seed}`);
  }
});

/** A level tube of one cell, the spine, with vertical dead ends above or below it. */
function comb(teeth: number, isUp: boolean): Block {
  const height = 9;
  return blockOf(2 * teeth + 5, height, ([x, y, z]) => {
    const isInRow = y === 3 && x >= 2 && x < 2 * teeth + 2;
    const [spine, tips] = isUp ? [3, 6] : [5, 2];
    const isTooth = isInRow && x % 2 === 0 && (isUp ? z >= spine && z <= tips : z >= tips && z <= spine);
    return !((isInRow && z === spine) || isTooth);
  });
}

test("a comb of dead ends needs a hole for each of its 20 ends and one at its spine", () => {
  for (const isUp of [true, false]) {
    const block = comb(20, isUp);
    const space = spaceOf(block);
    const candidates = allHoles(block, space);
    const { chosen, left } = chooseHoles(
      { space: space.space, candidates, limits: { maxCupMm3: 0, maxPoolMm3: 0 }, areApart },
      noProgress,
    );
    assert.equal(left.length, 0);
    assert.equal(chosen.length, 21);
    assert.ok(isDrained(block, chosen, 0));
  }
});
