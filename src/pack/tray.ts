import { PAGE_BYTES, kernelInstance, kernelMemory } from "../wasm/kernel.ts";
import type { Progress } from "../core/progress.ts";
import type { GridSize } from "../geometry/distance-transform.ts";
import type { OrientedShape } from "./oriented-shape.ts";
import { WASM } from "./tray.wasm.ts";

/** Number of levels: two looks test a run of up to 2^LEVELS − 1 cells. */
const LEVELS = 8;

/**
 * The cells of a chamber that no part may cover, as bits along x. In level k the bit of cell x is set if any of the cells x to x + 2^k − 1
 * is blocked: two lookups show whether a run of cells is free (the sparse table of M. Bender, M. Farach-Colton, 2000). The bits are in the
 * memory of a kernel in AssemblyScript, which tests 56 places of a row at a time: JavaScript has no fast integers of 64 bits.
 */
export interface Tray extends GridSize {
  /** 32-bit words of a row. */
  readonly words: number;
  /** Words of a level: row (y, z) begins at (z · rows + y) · words. */
  readonly levelWords: number;
  readonly memory: WebAssembly.Memory;
  /** Byte offsets of the levels, the heights of the columns and the present shape in the kernel's memory. */
  readonly offsets: Readonly<Record<"bits" | "tops" | "shape", number>>;
  readonly kernel: TrayKernel;
  /** The shape that the kernel tests. */
  readonly present: { looks: KernelShape | undefined };
}

/** The exports of `tray.as.ts`. */
interface TrayKernel extends Readonly<Record<keyof PresentShape, WebAssembly.Global<"i32">>> {
  findInLayer(x: number, y: number, z: number, mustRise: boolean): number;
  rises(x: number, y: number, z: number): number;
  isFree(x: number, y: number, z: number): number;
}

/** Globals of the kernel. */
interface PresentShape {
  readonly lastX: number;
  readonly lastY: number;
  readonly looks: number;
  readonly lookCount: number;
  readonly bottoms: number;
  readonly bottomCount: number;
}

export function newTray({ columns, rows, layers }: GridSize): Tray {
  const words = (columns >> 5) + 2;
  const levelWords = words * rows * layers;
  const sizes = { bits: 4 * LEVELS * levelWords, tops: 4 * columns * rows, shape: 0 };
  const { memory, offsets } = kernelMemory(sizes, "The chamber has too many cells: use a larger model_spacing_mm.");
  const { bits, tops } = offsets;
  const kernel = kernelInstance<TrayKernel>({ name: "tray", wasm: WASM }, memory, {
    columns,
    rows,
    rowBytes: 4 * words,
    bits,
    tops,
  });
  return { columns, rows, layers, words, levelWords, memory, offsets, kernel, present: { looks: undefined } };
}

/** Writable arrays of a tray. Do not keep them: the memory moves when it grows. */
export interface TrayCells extends GridSize {
  readonly words: number;
  readonly bits: Int32Array;
  /** Height above the highest blocked cell of each column (x, y) at y · columns + x. */
  readonly tops: Int32Array;
}

export const cellsOf = ({ columns, rows, layers, words, levelWords, memory, offsets }: Tray): TrayCells => ({
  columns,
  rows,
  layers,
  words,
  bits: new Int32Array(memory.buffer, offsets.bits, LEVELS * levelWords),
  tops: new Int32Array(memory.buffer, offsets.tops, columns * rows),
});

/** Blocks a cell. Levels above the first are stale until {@link updateRows}. */
export function blockCell({ bits, words, rows, columns, tops }: TrayCells, x: number, y: number, z: number): void {
  bits[(z * rows + y) * words + (x >> 5)] |= 1 << (x & 31);
  const column = y * columns + x;
  if (tops[column] <= z) tops[column] = z + 1;
}

/** Brings the higher levels of the rows from `y0`, `z0` up to `y1`, `z1` (exclusive) up to date. */
export function updateRows(tray: Tray, y0: number, y1: number, z0: number, z1: number): void {
  const { words, rows, levelWords } = tray;
  const { bits } = cellsOf(tray);
  for (let level = 1; level < LEVELS; level++) {
    const step = 1 << (level - 1);
    const skip = step >> 5;
    const shift = step & 31;
    for (let z = z0; z < z1; z++) {
      for (let y = y0; y < y1; y++) {
        const from = (level - 1) * levelWords + (z * rows + y) * words;
        const to = from + levelWords;
        for (let w = 0; w < words; w++) {
          const low = w + skip < words ? bits[from + w + skip] : 0;
          const high = w + skip + 1 < words ? bits[from + w + skip + 1] : 0;
          bits[to + w] = bits[from + w] | (shift === 0 ? low : (low >>> shift) | (high << (32 - shift)));
        }
      }
    }
  }
}

/** An oriented shape as the kernel reads it: the values of its looks, then those of its bottoms (`tray.as.ts`). */
export interface KernelShape {
  readonly shape: OrientedShape;
  readonly values: Int32Array;
}

export function kernelShapeOf({ columns, rows, words, levelWords }: Tray, shape: OrientedShape): KernelShape {
  const { runs, bottoms } = shape;
  const values = new Int32Array(runs.length / 2 + (2 * bottoms.length) / 3);
  let to = 0;
  for (let at = 0; at < runs.length; at += 4) {
    const [x, y, z, length] = [runs[at], runs[at + 1], runs[at + 2], runs[at + 3]];
    const level = 31 - Math.clz32(length);
    // Chambers have far fewer than the 2^32 bits (512 MiB) that this number can address.
    const first = 32 * (level * levelWords + (z * rows + y) * words) + x;
    values[to++] = first;
    values[to++] = first + length - (1 << level);
  }
  for (let at = 0; at < bottoms.length; at += 3) {
    values[to++] = 4 * (bottoms[at + 1] * columns + bottoms[at]);
    values[to++] = bottoms[at + 2];
  }
  return { shape, values };
}

/** The cell at which the box of covered cells begins. */
export interface CellPosition {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** Makes a shape the one that {@link findPlace} and the kernel test. */
export function presentShape({ kernel, memory, offsets, present, columns, rows }: Tray, looks: KernelShape): void {
  if (present.looks === looks) return;
  present.looks = looks;
  const { shape, values } = looks;
  const missing = offsets.shape + values.byteLength - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE_BYTES));
  new Int32Array(memory.buffer, offsets.shape, values.length).set(values);
  const lookCount = shape.runs.length / 4;
  const globals: PresentShape = {
    lastX: columns - shape.columns,
    lastY: rows - shape.rows,
    looks: offsets.shape,
    lookCount,
    bottoms: offsets.shape + 8 * lookCount,
    bottomCount: shape.bottoms.length / 3,
  };
  for (const [name, value] of Object.entries(globals)) kernel[name as keyof PresentShape].value = value;
}

/** Which places of a shape may be taken. */
export interface Exits {
  /** Whether only places from which the way straight up is free are accepted. Called again after each place that is refused. */
  readonly mustRise: () => boolean;
  readonly mayTake: (place: CellPosition) => boolean;
}

/**
 * The first free place of a shape that is accepted, in the order of z, y, x, from the place `from` on and below the layer `end`;
 * undefined if there is none.
 */
export function findPlace(
  tray: Tray,
  looks: KernelShape,
  from: CellPosition,
  end: number,
  exits: Exits,
  progress: Progress,
): CellPosition | undefined {
  presentShape(tray, looks);
  const { kernel, columns } = tray;
  const zEnd = Math.min(end, tray.layers - looks.shape.layers + 1);
  let { x, y } = from;
  for (let z = from.z; z < zEnd; z++) {
    progress.report(0);
    for (;;) {
      const found = kernel.findInLayer(x, y, z, exits.mustRise());
      if (found < 0) break;
      const place = { x: found % columns, y: Math.floor(found / columns), z };
      if (exits.mayTake(place)) return place;
      [x, y] = [place.x + 1, place.y];
    }
    [x, y] = [0, 0];
  }
  return undefined;
}
