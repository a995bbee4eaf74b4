// AssemblyScript, part of the kernel `over-cure.as.ts`: a band of rows of several layers as lists of items of several kinds
// for each layer. An item has a start, an end and a value, 255 for spans.

/** Rows of the band. */
export let rows: i32;
/** Layers in memory. List `kind` · `layers` + i is that of layer i; the kinds are 0, its coverage, and these. */
export let layers: i32;
/** Spans at supports, whose light is kept, of islands, of all with any coverage or at supports, and of those with half of the full coverage. */
export const SUPPORTED: i32 = 1;
export const ISLANDS: i32 = 2;
export const HELD: i32 = 3;
export const SOLID: i32 = 4;
/** For each list the address of its row table, 0 if the list is empty (4 bytes); a table has the first item of each row, and the end (4 bytes each). */
export let tables: usize;
/** The first column of each item and the column after its last one (2 bytes each), and its value (1 byte). */
export let starts: usize;
export let ends: usize;
export let values: usize;
