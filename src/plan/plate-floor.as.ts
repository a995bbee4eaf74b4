// AssemblyScript, part of `plate-kernel.as.ts`. The floor, its cells, and the records of shapes.

/** Sides of the floor in mm; its rounded corners: |x| ≤ `innerX`, |y| ≤ `innerY`, grown by `cornerRadius` (0: none). */
export let minX: f64;
export let minY: f64;
export let maxX: f64;
export let maxY: f64;
export let innerX: f64;
export let innerY: f64;
export let cornerRadius: f64;

/** Side of a cell and least distance of parts, mm. */
export let cellMm: f64;
export let gapMm: f64;

/** Numbers of cells along x (columns) and y (rows); bytes of a column of bits, and of a level of columns. */
export let columns: i32;
export let rows: i32;
export let columnBytes: i32;
export let levelBytes: i32;

/** A shape is a part at one turn. Byte offsets in its record; `plate-kernel.ts` has the same. */
export const SHAPE_BYTES: i32 = 128;
/** f64: minX, minY, maxX, maxY of the part relative to its position, mm. */
export const BOX: usize = 0;
/** f64, in mm: added to the cost of each of its places. Infinity: it is not placed. */
export const BIAS: usize = 32;
/** f64: cost of its best place without the bias. */
export const COST: usize = 40;
/** Address and number of its edges (four f64 each: x and y of both ends, the solid side to the left). */
export const EDGES: usize = 48;
export const EDGE_COUNT: usize = 52;
/** Address and number of its looks (two i32 each: bit offsets from the first bit of the column of a place). */
export const LOOKS: usize = 56;
export const LOOK_COUNT: usize = 60;
/** Address and number of the cells around it (i32 each: bit offset from the contact bit of a place). */
export const RING: usize = 64;
export const RING_COUNT: usize = 68;
/** Covered columns and rows. */
export const WIDTH: usize = 72;
export const DEPTH: usize = 76;
/** The last column and row of places within the floor; −1 where it is too large. */
export const LAST_X: usize = 80;
export const LAST_Y: usize = 84;
/** The place from which the search goes on. */
export const NEXT_X: usize = 88;
export const NEXT_Y: usize = 92;
/** How many parts of this shape are not placed yet. */
export const COPIES: usize = 96;
/** i32: 1 where the best place is known: its column and row, and the first and last row that was rated. */
export const IS_RATED: usize = 100;
export const BEST_X: usize = 104;
export const BEST_Y: usize = 108;
export const FIRST_RATED: usize = 112;
export const LAST_RATED: usize = 116;
/** Index of the first shape of its part, and the number of shapes of that part. */
export const FIRST_SHAPE: usize = 120;
export const TURNS: usize = 124;

export const LOOK_BYTES: u32 = 8;
export const RING_BYTES: u32 = 4;
export const EDGE_BYTES: u32 = 32;

// @ts-ignore: decorator
@inline
export function endOfEdges(shape: usize): usize {
  return load<u32>(shape, EDGES) + load<u32>(shape, EDGE_COUNT) * EDGE_BYTES;
}
