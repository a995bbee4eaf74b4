import type { SpanLayer } from "../../geometry/spans.ts";
import { kernelInstance, kernelMemory } from "../../wasm/kernel.ts";
import type { LayerRuns } from "../raster/rasterise-layer.ts";
import type { CuredLayer } from "./cured-layer.ts";
import { type LayerDoses, MOST_LAYERS } from "./cure-doses.ts";
import { WASM } from "./over-cure.wasm.ts";

/** Runs of a row of a layer, as in `LayerRuns`. */
interface Band {
  /** The end of each row in the arrays. */
  readonly rowEnds: Uint32Array;
  readonly starts: Uint16Array;
  readonly ends: Uint16Array;
  readonly values: Uint8Array;
}

/** The lists of a layer, in the order of `over-cure.as.ts`. */
const KINDS = ["runs", "supported", "islands", "held", "solid"] as const;
const WHITE = 255;

type Value = WebAssembly.Global<"i32">;

/** The exports of `over-cure.as.ts`. */
interface Exports extends Readonly<
  Record<"rows" | "layers" | "depth" | "mostAbove" | "hasKept" | "drawnCount" | "deepRoom" | "room", Value>
> {
  beginBand(): void;
  draw(layer: number): void;
}

/** Numbers for which the memory of a kernel has room. */
interface Room {
  readonly rows: number;
  readonly lists: number;
  readonly items: number;
}

/** Pieces of runs of a layer, at most: each ends where an item starts or ends. */
const piecesOf = ({ items }: Room): number => 2 * items;

const loadedFor = (room: Room) => {
  const { rows, lists, items } = room;
  const pieces = piecesOf(room);
  const sizes = {
    tables: 4 * lists,
    cursors: 8 * lists,
    tableRows: 4 * (rows + 1) * lists,
    starts: 2 * items,
    ends: 2 * items,
    values: items,
    sets: 4 * 4 * (items + 1),
    reach: 8 * (MOST_LAYERS + 1),
    steps: 8 * (MOST_LAYERS + 1),
    above: 8 * (MOST_LAYERS + 1),
    leasts: 4 * (MOST_LAYERS + 2),
    doseOf: 8 * 256,
    drawnRows: 4 * rows,
    drawnStarts: 2 * pieces,
    drawnEnds: 2 * pieces,
    drawnValues: pieces,
    deepRows: 2 * 4 * (rows + 1),
    deepStarts: 2 * 2 * pieces,
    deepEnds: 2 * 2 * pieces,
    deepValues: 2 * pieces,
  };
  const { memory, offsets } = kernelMemory(sizes, "Layers have too many outlines: use simpler models.");
  const { buffer } = memory;
  const { tableRows, ...globals } = offsets;
  const exports = kernelInstance<Exports>({ name: "over-cure", wasm: WASM }, memory, globals);
  exports.deepRoom.value = pieces;
  exports.room.value = items + 1;
  return {
    room,
    exports,
    tableRows,
    tables: new Uint32Array(buffer, offsets.tables, lists),
    rowsOfTables: new Uint32Array(buffer, tableRows, (rows + 1) * lists),
    starts: new Uint16Array(buffer, offsets.starts, items),
    ends: new Uint16Array(buffer, offsets.ends, items),
    values: new Uint8Array(buffer, offsets.values, items),
    reach: new Float64Array(buffer, offsets.reach, MOST_LAYERS + 1),
    steps: new Float64Array(buffer, offsets.steps, MOST_LAYERS + 1),
    above: new Float64Array(buffer, offsets.above, MOST_LAYERS + 1),
    doseOf: new Float64Array(buffer, offsets.doseOf, 256),
    drawnRows: new Uint32Array(buffer, offsets.drawnRows, rows),
    drawnStarts: new Uint16Array(buffer, offsets.drawnStarts, pieces),
    drawnEnds: new Uint16Array(buffer, offsets.drawnEnds, pieces),
    drawnValues: new Uint8Array(buffer, offsets.drawnValues, pieces),
  };
};

/** Reused from band to band. */
let loaded: ReturnType<typeof loadedFor> | undefined;

/** Room for more than a band needs, because the next one may need more. */
const GROWTH = 1.5;

function kernelFor(wanted: Room): ReturnType<typeof loadedFor> {
  const room = loaded?.room;
  const kinds = ["rows", "lists", "items"] as const;
  if (loaded && room && kinds.every((kind) => room[kind] >= wanted[kind])) return loaded;
  const grown = (kind: keyof Room): number => Math.max(room?.[kind] ?? 0, Math.ceil(GROWTH * wanted[kind]));
  loaded = loadedFor({ rows: Math.max(room?.rows ?? 0, wanted.rows), lists: grown("lists"), items: grown("items") });
  return loaded;
}

/**
 * Puts the rows from `from` to before `end` of layers into the memory of the kernel of this thread, and returns how to draw them. Layers must be
 * drawn from the lowest up, without gaps. What was drawn is overwritten by the next layer.
 */
export function loadBand(
  layers: readonly CuredLayer[],
  [from, end]: readonly [from: number, end: number],
  doseOfCoverage: Float64Array,
): (layer: number, doses: LayerDoses) => Band {
  const lists = KINDS.flatMap((kind) => layers.map((layer): LayerRuns | SpanLayer | undefined => layer[kind]));
  const itemsIn = (list: LayerRuns | SpanLayer): number => list.rowStarts[end] - list.rowStarts[from];
  const items = lists.reduce((sum, list) => sum + (list ? itemsIn(list) : 0), 0);
  const kernel = kernelFor({ rows: end - from, lists: lists.length, items });
  const { exports, tables, rowsOfTables, tableRows, starts, ends, values } = kernel;
  let at = 0;
  lists.forEach((list, i) => {
    tables[i] = 0;
    if (!list || itemsIn(list) === 0) return;
    const { rowStarts } = list;
    const table = i * (end - from + 1);
    tables[i] = tableRows + 4 * table;
    const [first, last] = [rowStarts[from], rowStarts[end]];
    for (let row = from; row <= end; row++) rowsOfTables[table + row - from] = at + rowStarts[row] - first;
    starts.set(list.starts.subarray(first, last), at);
    ends.set(list.ends.subarray(first, last), at);
    if ("values" in list) values.set(list.values.subarray(first, last), at);
    else values.fill(WHITE, at, at + last - first);
    at += last - first;
  });
  kernel.doseOf.set(doseOfCoverage);
  exports.rows.value = end - from;
  exports.layers.value = layers.length;
  exports.hasKept.value = Number(tables.subarray(layers.length, 3 * layers.length).some((table) => table > 0));
  exports.beginBand();
  return (layer, { depth, reach, steps, above }) => {
    exports.depth.value = depth;
    exports.mostAbove.value = above.length - 1;
    kernel.reach.set(reach);
    kernel.steps.set(steps);
    kernel.above.set(above);
    exports.draw(layer);
    const count = exports.drawnCount.value;
    return {
      rowEnds: kernel.drawnRows.subarray(0, end - from),
      starts: kernel.drawnStarts.subarray(0, count),
      ends: kernel.drawnEnds.subarray(0, count),
      values: kernel.drawnValues.subarray(0, count),
    };
  };
}
