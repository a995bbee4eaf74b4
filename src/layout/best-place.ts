import type { Random } from "../core/random.ts";
import type { Arrangement, NestOrientation, Nesting, PixelPlace } from "./nesting.ts";
import { depthAt } from "./penetration-field.ts";

interface CostedPlace extends PixelPlace {
  /** Weighted sum of the penetration depths in all other pieces. */
  readonly cost: number;
}

/** Number of coarse minima per orientation that are refined. */
const MAX_MINIMA = 4;

/** Refinement moves a piece at most this many strides. */
const MAX_STRIDES = 3;

/** A piece of an arrangement, and the weights of its overlaps with each other piece. */
interface PieceView {
  readonly nesting: Nesting;
  readonly arrangement: Arrangement;
  readonly piece: number;
  readonly weights: Float64Array;
}

/**
 * The place of least cost that was found for a piece, over all its orientations and the pixels of the floor up to
 * `frontMm` from its front edge: local minima on a coarse grid, refined by descent. Undefined where the piece does not
 * fit there.
 *
 * @param weights Weight of the overlap with each other piece.
 */
export function bestPosition(
  nesting: Nesting,
  arrangement: Arrangement,
  piece: number,
  frontMm: number,
  weights: Float64Array,
  random: Random,
): CostedPlace | undefined {
  const view: PieceView = { nesting, arrangement, piece, weights };
  let best: CostedPlace | undefined;
  for (const turn of nesting.pieces[piece]) {
    const rows = rowsWithin(nesting, turn, frontMm);
    if (nesting.orientations[turn].columns === 0 || rows <= 0) continue;
    for (const start of coarseMinima(view, turn, rows, random)) {
      const place = descend(view, start, rows);
      if (place.cost < (best?.cost ?? Infinity)) best = place;
    }
  }
  return best;
}

/** Whether a piece is within the floor and reaches at most `frontMm` from its front edge. */
export function isFeasible(
  nesting: Nesting,
  { turns, columns, rows }: Arrangement,
  piece: number,
  frontMm: number,
): boolean {
  const [turn, column, row] = [turns[piece], columns[piece], rows[piece]];
  return isFreePixel(nesting.orientations[turn], column, row, rowsWithin(nesting, turn, frontMm));
}

function rowsWithin({ orientations, pixelMm }: Nesting, turn: number, frontMm: number): number {
  const { part, rows } = orientations[turn];
  return Math.min(rows, Math.floor((frontMm - (part.box.maxY - part.box.minY)) / pixelMm) + 1);
}

const isFreePixel = ({ columns, blocked }: NestOrientation, column: number, row: number, rows: number): boolean =>
  column >= 0 && row >= 0 && column < columns && row < rows && blocked[row * columns + column] === 0;

/**
 * The least local minima (no lower one among the four neighbours) of the cost on a grid of pixels a stride apart, best
 * first.
 */
function coarseMinima(view: PieceView, turn: number, rows: number, random: Random): CostedPlace[] {
  const { nesting, arrangement, piece, weights } = view;
  const orientation = nesting.orientations[turn];
  const { stride } = nesting;
  const [width, height] = [Math.ceil(orientation.columns / stride), Math.ceil(rows / stride)];
  const map = blockedMap(orientation, width, height, stride);
  for (let other = 0; other < nesting.pieces.length; other++) {
    if (other !== piece) addDepths(map, width, height, nesting, turn, arrangement, other, weights[other]);
  }
  const minima: CostedPlace[] = [];
  // Among equal minima, the search starts after a random pixel.
  const first = Math.floor(random() * map.length);
  for (let i = 0; i < map.length; i++) {
    const at = first + i < map.length ? first + i : first + i - map.length;
    const cost = map[at];
    if (cost === Infinity || (minima.length === MAX_MINIMA && cost >= minima[MAX_MINIMA - 1].cost)) continue;
    const column = at % width;
    if (column > 0 && map[at - 1] < cost) continue;
    if (column < width - 1 && map[at + 1] < cost) continue;
    if (map[at - width] < cost || map[at + width] < cost) continue;
    if (minima.length === MAX_MINIMA) minima.pop();
    const rank = minima.findIndex((one) => one.cost > cost);
    const one = { turn, column: column * stride, row: Math.floor(at / width) * stride, cost };
    minima.splice(rank < 0 ? minima.length : rank, 0, one);
  }
  return minima;
}

function blockedMap(
  { columns, blocked }: NestOrientation,
  width: number,
  height: number,
  stride: number,
): Float32Array {
  const map = new Float32Array(width * height);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      if (blocked[stride * (row * columns + column)] === 1) map[row * width + column] = Infinity;
    }
  }
  return map;
}

function addDepths(
  map: Float32Array,
  width: number,
  height: number,
  nesting: Nesting,
  turn: number,
  arrangement: Arrangement,
  other: number,
  weight: number,
): void {
  const { stride } = nesting;
  const field = nesting.fieldOf(turn, arrangement.turns[other]);
  const { depths, starts, ends } = field;
  const left = arrangement.columns[other] + field.column;
  const front = arrangement.rows[other] + field.row;
  const lastRow = Math.min(height, Math.ceil((front + field.rows) / stride));
  for (let row = Math.max(0, Math.ceil(front / stride)); row < lastRow; row++) {
    const line = row * stride - front;
    const from = Math.max(0, Math.ceil((left + starts[line]) / stride));
    const to = Math.min(width, Math.ceil((left + ends[line]) / stride));
    let source = line * field.columns + from * stride - left;
    for (let i = row * width + from; i < row * width + to; i++, source += stride) map[i] += weight * depths[source];
  }
}

/** Descends from a place by steps to its eight neighbours, with steps that are halved where none is better. */
function descend(view: PieceView, start: CostedPlace, rows: number): CostedPlace {
  const { nesting, arrangement, piece } = view;
  const { stride } = nesting;
  const reach = stride * MAX_STRIDES;
  const near: number[] = [];
  for (let other = 0; other < nesting.pieces.length; other++) {
    if (other === piece) continue;
    const field = nesting.fieldOf(start.turn, arrangement.turns[other]);
    const x = start.column - arrangement.columns[other] - field.column;
    const y = start.row - arrangement.rows[other] - field.row;
    if (x > -reach && y > -reach && x < field.columns + reach && y < field.rows + reach) near.push(other);
  }
  let best = start;
  for (let step = stride / 2; step >= 1 && best.cost > 0;) {
    const { column, row } = best;
    for (const [x, y] of NEIGHBOURS) {
      const [toColumn, toRow] = [column + step * x, row + step * y];
      if (Math.max(Math.abs(toColumn - start.column), Math.abs(toRow - start.row)) > reach) continue;
      const cost = costAt(view, near, start.turn, toColumn, toRow, rows, best.cost);
      if (cost < best.cost) best = { turn: start.turn, column: toColumn, row: toRow, cost };
    }
    if (best.column === column && best.row === row) step /= 2;
  }
  return best;
}

const NEIGHBOURS = [-1, 0, 1]
  .flatMap((y) => [-1, 0, 1].map((x) => [x, y] as const))
  .filter(([x, y]) => x !== 0 || y !== 0);

/** The cost of a place, by the pieces near it; Infinity where it is not below `most`. */
function costAt(
  { nesting, arrangement, weights }: PieceView,
  near: readonly number[],
  turn: number,
  column: number,
  row: number,
  rows: number,
  most: number,
): number {
  if (!isFreePixel(nesting.orientations[turn], column, row, rows)) return Infinity;
  let cost = 0;
  for (const other of near) {
    const field = nesting.fieldOf(turn, arrangement.turns[other]);
    cost += weights[other] * depthAt(field, column - arrangement.columns[other], row - arrangement.rows[other]);
    if (cost >= most) return Infinity;
  }
  return cost;
}
