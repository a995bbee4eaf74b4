import { boundingRectangle } from "../geometry/box.ts";
import type { Polygons } from "../geometry/polygon.ts";
import type { Floor } from "../layout/floor.ts";
import { rotatePolygons } from "../layout/indexed-polygon.ts";
import { type KernelMemory, kernelInstance, kernelMemory } from "../wasm/kernel.ts";
import type { PlatePlace, TurnedOutline } from "./fill-request.ts";
import { WASM } from "./plate-kernel.wasm.ts";

/** Two looks test a run of up to 2^LEVELS − 1 cells; longer ones are divided. */
const LEVELS = 7;
/** Empty bytes at the end of each column of bits, so that loads of 64 bits never reach the next one. */
const COLUMN_END_BYTES = 24;
/** Columns of contact bits on either side of the floor, as in `plate-kernel.as.ts`. */
const MARGIN_COLUMNS = 4;
/** Parts on a plate at most, as in a scene. */
const MAX_PLACED = 10_000;
const PLACED_BYTES = 24;

/** Byte offsets in the record of a shape, as in `plate-floor.as.ts`. */
const SHAPE_BYTES = 128;
const BOX = 0;
const BIAS = 32;
const EDGES = 48;
const EDGE_COUNT = 52;
const WIDTH = 72;
const DEPTH = 76;
const LAST_X = 80;
const LAST_Y = 84;
const COPIES = 96;
const FIRST_SHAPE = 120;
const TURNS = 124;
/** Bytes of an edge, and the most for a cell in or around a shape. */
const EDGE_BYTES = 32;
const CELL_BYTES = 6;

/** Lengths are whole numbers of cells if they differ by less from it. */
const ROUNDING = 1e-6;

/** The floor of a plate with parts that may be placed on it. */
export interface PlateKernel {
  /** Forgets the placed parts. `copies`: how many of each part there are. `contactMm`: what touching on all sides is worth. */
  clear(copies: readonly number[], contactMm: number): void;
  /** Adds mm to the costs of the places of a part; Infinity: it is not placed. */
  setBias(part: number, biasMm: number): void;
  /** Places the part whose best place costs least; undefined if none has a place. */
  placeNext(): PlatePlace | undefined;
}

/** The exports of `plate-kernel.as.ts`. */
interface Exports {
  clear(): void;
  prepare(shape: number, target: number): number;
  choose(): number;
  placeBest(shape: number): number;
  readonly settledX: WebAssembly.Global<"f64">;
  readonly settledY: WebAssembly.Global<"f64">;
  readonly contactMm: WebAssembly.Global<"f64">;
}

/** A part at one turn. */
interface Shape {
  readonly part: number;
  readonly turnDeg: number;
  readonly rings: Polygons;
  readonly box: readonly [minX: number, minY: number, maxX: number, maxY: number];
  readonly edgeCount: number;
}

/**
 * A plate as cells, and parts that may be placed on it. A cell is blocked where its centre is nearer than the gap to a placed part; a part
 * may be where the centre of no cell in it is blocked. Of these places, a part takes the first along x, and there the one with the most
 * blocked cells around it; it is then moved by exact distances of edges until it keeps the gap. Bits along y in levels (a sparse table,
 * M. Bender and M. Farach-Colton, 2000) test 56 places at a time.
 */
export function newPlateKernel(
  floor: Floor,
  gapMm: number,
  cellMm: number,
  parts: readonly TurnedOutline[],
): PlateKernel {
  const { bounds, footprint } = floor;
  const [roomX, roomY] = [bounds.maxX - bounds.minX, bounds.maxY - bounds.minY];
  const shapes = parts.flatMap((part, i) => part.turnsDeg.map((turnDeg) => shapeOf(part, i, turnDeg)));
  const cellsAlong = (mm: number): number => Math.max(1, Math.ceil(mm / cellMm - ROUNDING));
  const sizes = shapes.map(({ box: [minX, minY, maxX, maxY] }) => ({
    width: cellsAlong(maxX - minX),
    depth: cellsAlong(maxY - minY),
    lastX: lastCell(roomX - maxX + minX, cellMm),
    lastY: lastCell(roomY - maxY + minY, cellMm),
  }));
  const [columns, rows] = [cellsAlong(roomX) + 1, cellsAlong(roomY) + 1];
  const columnBytes = (rows >> 3) + 1 + COLUMN_END_BYTES;
  const levelBytes = columns * columnBytes;
  const cells = sizes.map(({ width, depth }) => (width + 2) * (depth + 2));
  const fields = sizes.map(({ width, depth }) => 8 * (width + 2) * Math.ceil((depth + 2) / 64));
  const widest = sizes.reduce((most, { width }) => Math.max(most, width), 1);
  const kernel = kernelMemory(
    {
      bits: (LEVELS * columns + widest) * columnBytes,
      placed: PLACED_BYTES * MAX_PLACED,
      shapes: SHAPE_BYTES * shapes.length,
      contactBits: (columns + 2 * MARGIN_COLUMNS) * (columnBytes + 1),
      field: fields.reduce((most, bytes) => Math.max(most, bytes), 1),
      data: shapes.reduce(
        (sum, { edgeCount }, i) => sum + EDGE_BYTES * (edgeCount + 1) + CELL_BYTES * cells[i] + CELL_BYTES,
        0,
      ),
    },
    "The parts are too many for one plate: plan fewer at a time, or with a larger spacing.",
  );
  const exports = kernelInstance<Exports>({ name: "plate", wasm: WASM }, kernel.memory, {
    bits: kernel.offsets.bits,
    contactBits: kernel.offsets.contactBits,
    placed: kernel.offsets.placed,
    field: kernel.offsets.field,
    shapes: kernel.offsets.shapes,
    shapeCount: shapes.length,
    levels: LEVELS,
    columns,
    rows,
    columnBytes,
    levelBytes,
    cellMm,
    gapMm,
    ...bounds,
    innerX: footprint.a,
    innerY: footprint.b,
    cornerRadius: footprint.r,
  });
  const view = new DataView(kernel.memory.buffer);
  const recordOf = (shape: number): number => kernel.offsets.shapes + SHAPE_BYTES * shape;
  const firstShapes: number[] = [];
  let end = kernel.offsets.data;
  for (const [i, { part, box, edgeCount }] of shapes.entries()) {
    const record = recordOf(i);
    firstShapes[part] ??= i;
    for (const [k, value] of box.entries()) view.setFloat64(record + BOX + 8 * k, value, true);
    const { width, depth, lastX, lastY } = sizes[i];
    const fields = [
      [WIDTH, width],
      [DEPTH, depth],
      [LAST_X, lastX],
      [LAST_Y, lastY],
      [EDGE_COUNT, edgeCount],
      [EDGES, 8 * Math.ceil(end / 8)],
      [FIRST_SHAPE, firstShapes[part]],
      [TURNS, parts[part].turnsDeg.length],
    ] as const;
    for (const [offset, value] of fields) view.setInt32(record + offset, value, true);
    end = exports.prepare(record, writeEdges(kernel, shapes[i].rings, end));
  }
  const shapesOf = (part: number): number[] => parts[part].turnsDeg.map((_, turn) => firstShapes[part] + turn);
  return {
    clear(copies, contactMm) {
      for (const [part, count] of copies.entries()) {
        for (const shape of shapesOf(part)) view.setInt32(recordOf(shape) + COPIES, count, true);
      }
      exports.contactMm.value = contactMm;
      exports.clear();
    },
    setBias(part, biasMm) {
      for (const shape of shapesOf(part)) view.setFloat64(recordOf(shape) + BIAS, biasMm, true);
    },
    placeNext() {
      for (;;) {
        const shape = exports.choose();
        if (shape < 0) return undefined;
        if (!exports.placeBest(shape)) continue;
        const { part, turnDeg } = shapes[shape];
        return { part, turnDeg, x: exports.settledX.value, y: exports.settledY.value };
      }
    },
  };
}

function shapeOf({ outline }: TurnedOutline, part: number, turnDeg: number): Shape {
  const rings = rotatePolygons(outline, turnDeg);
  const { minX, minY, maxX, maxY } = boundingRectangle(rings);
  return {
    part,
    turnDeg,
    rings,
    box: [minX, minY, maxX, maxY],
    edgeCount: rings.reduce((sum, ring) => sum + ring.length / 2, 0),
  };
}

/** The last cell at which a part begins that leaves this much room; the kernel moves it back onto the floor. −1: it is too large. */
const lastCell = (roomMm: number, cellMm: number): number =>
  roomMm < -ROUNDING ? -1 : Math.max(0, Math.ceil(roomMm / cellMm - ROUNDING));

/** Writes the edges of rings to the next multiple of 8 bytes; returns the address after them. */
function writeEdges({ memory }: KernelMemory<never>, rings: Polygons, from: number): number {
  let at = 8 * Math.ceil(from / 8);
  for (const ring of rings) {
    const edges = new Float64Array(memory.buffer, at, 2 * ring.length);
    for (let i = 0; i < ring.length; i += 2) {
      const next = i + 2 === ring.length ? 0 : i + 2;
      edges[2 * i] = ring[i];
      edges[2 * i + 1] = ring[i + 1];
      edges[2 * i + 2] = ring[next];
      edges[2 * i + 3] = ring[next + 1];
    }
    at += edges.byteLength;
  }
  return at;
}
