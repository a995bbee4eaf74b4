import { ensureCapacity } from "../../core/typed-arrays.ts";
import { EdgeCells } from "./edge-cells.ts";
import { type KeptWidths, keptWidth } from "./kept-widths.ts";
import type { OutlineLoops } from "../outline-loops.ts";
import { type Segments, pushSegment } from "../outline-segments.ts";

/** Cosine of the angle between edges on both sides of a wall: any triangle has two sides that meet at 60° or less. */
const MOST_COS = -0.45;

/** Length of the first pieces in widths of thin walls: few edges of most parts are so near to edges that face them, and are divided further. */
const COARSE = 4;

/** Numbers of a piece: x and y of its middle, x and y of its direction, half of its length, its model. */
const STRIDE = 6;

/** Pieces of edges in cells of twice their greatest length: those that face each other at less than that length are in neighbours. */
class Pieces {
  count = 0;
  values = new Float64Array();
  readonly cells = new EdgeCells();
  #lengthMm = 1;

  begin(lengthMm: number, capacity: number): void {
    this.count = 0;
    this.#lengthMm = lengthMm;
    this.cells.begin(2 * lengthMm, capacity);
    if (this.values.length < STRIDE * capacity) this.values = new Float64Array(STRIDE * capacity);
  }

  /** Adds an edge by its middle, direction and half length, in pieces. */
  add(x: number, y: number, dx: number, dy: number, half: number, model: number): void {
    const pieces = Math.ceil((2 * half) / this.#lengthMm);
    for (let k = 0; k < pieces; k++) {
      const at = STRIDE * this.count;
      const along = half * ((2 * k + 1) / pieces - 1);
      const { values } = this;
      values[at] = x + along * dx;
      values[at + 1] = y + along * dy;
      values[at + 2] = dx;
      values[at + 3] = dy;
      values[at + 4] = half / pieces;
      values[at + 5] = model;
      this.cells.add(this.count++, values[at], values[at + 1], dx, dy);
    }
  }
}

/**
 * Finds walls that are thinner than a width, between edges that face each other, and draws them as strips along their middles. Memory is reused from
 * layer to layer.
 */
export class ThinWalls {
  readonly #coarse = new Pieces();
  readonly #fine = new Pieces();
  /** Cells with pieces that may face others. */
  #near = new Int32Array();

  /** Adds a strip for each thin place, of the model of the edges plus `modelStep`. */
  addStrips(
    loops: OutlineLoops,
    kept: KeptWidths,
    modelStep: number,
    pixelMm: readonly [number, number],
    to: Segments,
  ): void {
    this.#load(loops, COARSE * kept.thickMm);
    this.#divide(kept.thickMm);
    const { cells, values } = this.#fine;
    for (let cell = 0; cell < cells.cellCount; cell++) {
      const near = cells.facing(cell);
      if (near === undefined) continue;
      for (let piece = cells.firstOf(cell); piece >= 0; piece = cells.after(piece)) {
        for (let k = 0; k < near.length && near[k] >= 0; k++) {
          for (let b = cells.firstOf(near[k]); b >= 0; b = cells.after(b)) {
            if (b > piece && isAcross(values, STRIDE * piece, STRIDE * b))
              addStrip(values, STRIDE * piece, STRIDE * b, kept, modelStep, pixelMm, to);
          }
        }
      }
    }
  }

  #load({ loopCount, starts, models, xsMm, ysMm }: OutlineLoops, lengthMm: number): void {
    const corners = starts[loopCount];
    let totalMm = 0;
    for (let pass = 0; pass < 2; pass++) {
      if (pass === 1) this.#coarse.begin(lengthMm, corners + Math.ceil(totalMm / lengthMm));
      for (let loop = 0; loop < loopCount; loop++) {
        const start = starts[loop];
        const end = starts[loop + 1];
        for (let i = start; i < end; i++) {
          const j = i + 1 < end ? i + 1 : start;
          const x = xsMm[j] - xsMm[i];
          const y = ysMm[j] - ysMm[i];
          const length = Math.sqrt(x * x + y * y);
          totalMm += length;
          if (pass === 0) continue;
          this.#coarse.add(
            (xsMm[i] + xsMm[j]) / 2,
            (ysMm[i] + ysMm[j]) / 2,
            x / length,
            y / length,
            length / 2,
            models[loop],
          );
        }
      }
    }
  }

  /** Divides the pieces that may face others. */
  #divide(lengthMm: number): void {
    const { cells, values } = this.#coarse;
    this.#near = ensureCapacity(this.#near, cells.cellCount);
    const near = this.#near;
    let nearCount = 0;
    for (let cell = 0; cell < cells.cellCount; cell++) if (cells.facing(cell) !== undefined) near[nearCount++] = cell;
    let count = 0;
    for (let pass = 0; pass < 2; pass++) {
      if (pass === 1) this.#fine.begin(lengthMm, count);
      for (let k = 0; k < nearCount; k++) {
        const cell = near[k];
        for (let piece = cells.firstOf(cell); piece >= 0; piece = cells.after(piece)) {
          const at = STRIDE * piece;
          if (pass === 0) count += Math.ceil((2 * values[at + 4]) / lengthMm);
          else
            this.#fine.add(values[at], values[at + 1], values[at + 2], values[at + 3], values[at + 4], values[at + 5]);
        }
      }
    }
  }
}

/** Whether two pieces of a model are on both sides of a wall: each is on the side of the solid of the other one. */
function isAcross(values: Float64Array, a: number, b: number): boolean {
  const ax = values[a + 2];
  const ay = values[a + 3];
  const bx = values[b + 2];
  const by = values[b + 3];
  if (ax * bx + ay * by > MOST_COS || values[a + 5] !== values[b + 5]) return false;
  const x = values[b] - values[a];
  const y = values[b + 1] - values[a + 1];
  return x * ay - y * ax > 0 && y * bx - x * by > 0;
}

/** Adds the strip between two pieces, where the second one is across the first one. */
function addStrip(
  values: Float64Array,
  a: number,
  b: number,
  kept: KeptWidths,
  modelStep: number,
  [widthMm, depthMm]: readonly [number, number],
  to: Segments,
): void {
  const [x, y, dx, dy, half] = values.subarray(a, a + 5);
  // The other piece along the first one, and from it into the solid.
  const along = (values[b] - x) * dx + (values[b + 1] - y) * dy;
  const depth = (values[b] - x) * dy - (values[b + 1] - y) * dx;
  const cos = values[b + 2] * dx + values[b + 3] * dy;
  const slope = (values[b + 2] * dy - values[b + 3] * dx) / cos;
  const reach = -values[b + 4] * cos;
  const ends = [Math.max(-half, along - reach), Math.min(half, along + reach)];
  const walls = ends.map((end) => Math.max(0, depth + slope * (end - along)));
  if (ends[0] >= ends[1] || Math.min(...walls) >= kept.thickMm || Math.max(...walls) === 0) return;
  const halves = walls.map((wallMm) => keptWidth(kept, wallMm) / 2);
  const corners = [
    [ends[0], walls[0] / 2 - halves[0]],
    [ends[1], walls[1] / 2 - halves[1]],
    [ends[1], walls[1] / 2 + halves[1]],
    [ends[0], walls[0] / 2 + halves[0]],
  ].map(([at, into]) => [(x + at * dx + into * dy) / widthMm, (y + at * dy - into * dx) / depthMm]);
  const model = values[a + 5] + modelStep;
  corners.forEach(([fromX, fromY], k) => {
    const [toX, toY] = corners[(k + 1) % 4];
    pushSegment(to, fromX, fromY, toX, toY, model);
  });
}
