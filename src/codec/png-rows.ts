import { kernelInstance, kernelMemory } from "../wasm/kernel.ts";
import { WASM } from "./png-rows.wasm.ts";

/** Filters the rows of one picture after another from the top, for a PNG file. */
export interface RowFilter {
  /**
   * The next `rows` rows, filtered: each with the filter, Sub or Up, that leaves the smaller differences (section 12.7). `rgba` has these rows,
   * and before them the last filtered row, if there is one. The next call overwrites the result.
   */
  filter(rgba: Uint8ClampedArray, rows: number): Uint8Array;
  /** The Adler-32 checksum of all filtered rows. */
  checksum(): number;
}

/** The exports of `png-rows.as.ts`. */
interface RowKernel {
  readonly checksum: WebAssembly.Global<"i32">;
  filterRows(count: number, isTop: boolean): void;
}

/** A filter for rows of `width` pixels, at most `mostRows` at a time. Its loops are a kernel in AssemblyScript. */
export function newRowFilter(width: number, mostRows: number): RowFilter {
  const rowBytes = 3 * width + 1;
  const sizes = { pixels: 4 * width * (mostRows + 1), filtered: rowBytes * mostRows };
  const { memory, offsets } = kernelMemory(sizes, "The picture is too wide.");
  const kernel = kernelInstance<RowKernel>({ name: "png-rows", wasm: WASM }, memory, {
    width,
    checksum: 1,
    ...offsets,
  });
  let isTop = true;
  return {
    filter(rgba, rows) {
      new Uint8Array(memory.buffer, offsets.pixels).set(rgba);
      kernel.filterRows(rows, isTop);
      isTop = false;
      return new Uint8Array(memory.buffer, offsets.filtered, rowBytes * rows);
    },
    checksum: () => kernel.checksum.value,
  };
}
