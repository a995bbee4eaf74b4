import type { LayerRuns } from "../slice/raster/rasterise-layer.ts";
import { kernelInstance, kernelMemory } from "../wasm/kernel.ts";
import { type LayerExports, type LayerRoom, layerArrayBytes, layerInMemory } from "./layer-in-memory.ts";
import { WASM } from "./shape-kernel.wasm.ts";

type Value<Type extends "i32" | "f64" = "f64"> = WebAssembly.Global<Type>;

/** The exports of `shape-kernel.as.ts` that others use. Their sources describe them. */
export interface ShapeExports extends LayerExports {
  joinRegions(): void;
  readonly solid: Value;
  readonly largest: Value;
  readonly smallest: Value;
  readonly regions: Value<"i32">;
  readonly minX: Value<"i32">;
  readonly minY: Value<"i32">;
  readonly maxX: Value<"i32">;
  readonly maxY: Value<"i32">;
  countLines(): void;
  readonly linesBytes: Value<"i32">;
  writeLines(at: number): void;
  readonly acrossTenths: Value;
  readonly downTenths: Value;
  traceOutlines(): void;
  simplifyOutlines(): void;
  readonly area: Value;
  readonly perimeter: Value;
  readonly boxMinX: Value;
  readonly boxMinY: Value;
  readonly boxMaxX: Value;
  readonly boxMaxY: Value;
  readonly cornerCount: Value<"i32">;
  writeText(at: number): number;
}

/** A kernel with a layer in its memory. */
export interface ShapeKernel {
  readonly exports: ShapeExports;
  /** Room for as many bytes as were asked for, and their address in the memory of the kernel. */
  readonly output: Uint8Array;
  readonly outputAt: number;
}

interface Room extends LayerRoom {
  readonly columns: number;
  readonly output: number;
}

/**
 * Points of outlines for each run, at most: one at each of its ends, and two for each piece of two rows, which have at most twice as many pieces as
 * runs. Memory that no layer uses is only reserved.
 */
const POINTS_PER_RUN = 10;
const POINT_BYTES = 16;
const CORNER_BYTES = 8;

const loadedFor = (room: Room) => {
  const { columns, runs, output } = room;
  const points = POINTS_PER_RUN * runs;
  const sizes = {
    ...layerArrayBytes(room),
    firstRows: 2 * columns,
    places: 4 * (columns + 1),
    parents: 4 * runs,
    areas: 8 * runs,
    points: POINT_BYTES * points,
    corners: CORNER_BYTES * points,
    crossingsAbove: 4 * (columns + 1),
    crossingsHere: 4 * (columns + 1),
    output,
  };
  const { memory, offsets } = kernelMemory(sizes, "A layer has too many outlines: use simpler models.");
  const { output: outputAt, ...globals } = offsets;
  const exports = kernelInstance<ShapeExports>({ name: "shape-kernel", wasm: WASM }, memory, globals);
  const { buffer } = memory;
  return {
    room,
    exports,
    setLayer: layerInMemory(exports, buffer, offsets, room),
    output: new Uint8Array(buffer, outputAt, output),
    outputAt,
  };
};

/** Reused from layer to layer. */
let loaded: ReturnType<typeof loadedFor> | undefined;

/** The kernel of this thread, with a layer in its memory. The next layer overwrites it. */
export function shapeKernel(layer: LayerRuns): ShapeKernel {
  const kernel = kernelFor(layer, 0);
  kernel.setLayer(layer);
  return kernel;
}

/**
 * The bytes that `write` makes of a layer, and the kernel. `prepare` works on the layer and returns how many bytes they are at most; `write` writes
 * them from an address on and returns their number.
 */
export function bytesFromShapes(
  layer: LayerRuns,
  prepare: (exports: ShapeExports) => number,
  write: (exports: ShapeExports, at: number) => number,
): Uint8Array {
  const { exports } = shapeKernel(layer);
  const kernel = kernelFor(layer, prepare(exports));
  if (kernel.exports !== exports) {
    kernel.setLayer(layer);
    prepare(kernel.exports);
  }
  return kernel.output.slice(0, write(kernel.exports, kernel.outputAt));
}

function kernelFor(layer: LayerRuns, output: number) {
  const wanted: Room = { columns: layer.width, rows: layer.height, runs: layer.rowStarts[layer.height], output };
  const room = loaded?.room;
  const kinds = ["columns", "rows", "runs", "output"] as const;
  if (!loaded || !room || kinds.some((kind) => room[kind] < wanted[kind])) {
    // Layers of a job grow: half as much again, so that few of them need new memory.
    const grown = (kind: (typeof kinds)[number]): number =>
      room && room[kind] >= wanted[kind] ? room[kind] : Math.ceil(1.5 * wanted[kind]);
    loaded = loadedFor({
      columns: grown("columns"),
      rows: grown("rows"),
      runs: grown("runs"),
      output: grown("output"),
    });
  }
  return loaded;
}
