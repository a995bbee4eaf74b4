import { type Floor, distanceBeyondFloor } from "./floor.ts";
import type { PlacedPart, RotatedPart } from "./part.ts";
import {
  type GridAlignedPart,
  type PenetrationField,
  depthAt,
  mirroredField,
  penetrationField,
} from "./penetration-field.ts";
import { MIN_SPACING_MM, TOLERANCE_MM } from "./resolve-overlaps.ts";

/** A rotated part, and the pixels of the floor at which the left front corner of its bounding box may be. */
export interface NestOrientation extends GridAlignedPart {
  /** The pixel of an obstacle; 0 for parts that are placed. */
  readonly column: number;
  readonly row: number;
  readonly columns: number;
  readonly rows: number;
  /** Row-major: 1 where the part reaches beyond the floor. */
  readonly blocked: Uint8Array;
}

/** A nesting problem: pieces (parts to place, then obstacles) on the pixels of a floor. */
export interface Nesting {
  readonly floor: Floor;
  readonly pixelMm: number;
  /** Step of the coarse search in pixels: a power of two. */
  readonly stride: number;
  readonly orientations: readonly NestOrientation[];
  /** For each piece: indices of its orientations. Obstacles have one each. */
  readonly pieces: readonly (readonly number[])[];
  /** Number of pieces that may move; those after them are obstacles. */
  readonly movable: number;
  /** The penetration depths of orientation `a` in orientation `b`, computed when first used. */
  readonly fieldOf: (a: number, b: number) => PenetrationField;
}

export interface NestingRequest {
  readonly floor: Floor;
  readonly spacingMm: number;
  /** For each part: its allowed rotations. Copies share the same objects. */
  readonly parts: readonly (readonly RotatedPart[])[];
  readonly obstacles: readonly PlacedPart[];
  readonly pixelMm: number;
}

/** Prepares a nesting problem. `onStep` is called before each longer computation, also later by `fieldOf`. */
export function newNesting(
  { floor, spacingMm, parts, obstacles, pixelMm }: NestingRequest,
  onStep: () => void,
): Nesting {
  const distinct = [...new Set(parts.flat())];
  const orientations = [
    ...distinct.map((part): NestOrientation => {
      onStep();
      return { part, offsetX: 0, offsetY: 0, column: 0, row: 0, ...feasiblePixels(part, floor, pixelMm) };
    }),
    ...obstacles.map((placed) => obstacleOrientation(placed, floor, pixelMm)),
  ];
  const fields = Array.from<PenetrationField | undefined>({ length: orientations.length ** 2 });
  const spacing = Math.max(spacingMm, MIN_SPACING_MM);
  return {
    floor,
    pixelMm,
    stride: searchStride(distinct, pixelMm),
    orientations,
    pieces: [
      ...parts.map((turns) => turns.map((part) => distinct.indexOf(part))),
      ...obstacles.map((_, i) => [distinct.length + i]),
    ],
    movable: parts.length,
    fieldOf: (a, b) => {
      const key = a * orientations.length + b;
      const known = fields[key];
      if (known) return known;
      onStep();
      const opposite = fields[b * orientations.length + a];
      const field = opposite
        ? mirroredField(opposite)
        : penetrationField(orientations[a], orientations[b], spacing, pixelMm);
      fields[key] = field;
      return field;
    },
  };
}

/**
 * Upper limit of the stride, as a share of the mean side of the parts: gaps that a part fits into are seldom narrower.
 */
const STRIDE_SHARE = 1 / 8;

function searchStride(parts: readonly RotatedPart[], pixelMm: number): number {
  const sides = parts.reduce((sum, { box }) => sum + box.maxX - box.minX + box.maxY - box.minY, 0);
  const mostPixels = (STRIDE_SHARE * sides) / (2 * parts.length * pixelMm);
  let stride = 1;
  while (2 * stride <= mostPixels) stride *= 2;
  return stride;
}

function feasiblePixels(
  part: RotatedPart,
  floor: Floor,
  pixelMm: number,
): Pick<NestOrientation, "columns" | "rows" | "blocked"> {
  const { minX, minY, maxX, maxY } = floor.bounds;
  const { box } = part;
  const places = (room: number, size: number): number => Math.max(0, Math.floor((room - size) / pixelMm) + 1);
  const columns = places(maxX - minX, box.maxX - box.minX);
  const rows = places(maxY - minY, box.maxY - box.minY);
  const blocked = new Uint8Array(columns * rows);
  for (let row = 0, i = 0; row < rows; row++) {
    const y = minY + row * pixelMm - box.minY;
    for (let column = 0; column < columns; column++, i++) {
      const x = minX + column * pixelMm - box.minX;
      if (distanceBeyondFloor(floor, part.hull, box, x, y) > TOLERANCE_MM) blocked[i] = 1;
    }
  }
  return { columns, rows, blocked };
}

function obstacleOrientation({ part, x, y }: PlacedPart, { bounds }: Floor, pixelMm: number): NestOrientation {
  const [left, front] = [x + part.box.minX - bounds.minX, y + part.box.minY - bounds.minY];
  const [column, row] = [Math.floor(left / pixelMm), Math.floor(front / pixelMm)];
  const [offsetX, offsetY] = [left - column * pixelMm, front - row * pixelMm];
  return { part, offsetX, offsetY, column, row, columns: 0, rows: 0, blocked: new Uint8Array() };
}

/** The orientation of each piece of a nesting, and the pixel of its left front corner. */
export interface Arrangement {
  readonly turns: Int32Array;
  readonly columns: Int32Array;
  readonly rows: Int32Array;
}

/** The orientation and pixel of one piece. */
export interface PixelPlace {
  readonly turn: number;
  readonly column: number;
  readonly row: number;
}

export const copyArrangement = ({ turns, columns, rows }: Arrangement): Arrangement => ({
  turns: turns.slice(),
  columns: columns.slice(),
  rows: rows.slice(),
});

export function setPlace({ turns, columns, rows }: Arrangement, piece: number, place: PixelPlace): void {
  turns[piece] = place.turn;
  columns[piece] = place.column;
  rows[piece] = place.row;
}

/** The penetration depth of two pieces, in pixels. */
export const depthBetween = (nesting: Nesting, { turns, columns, rows }: Arrangement, a: number, b: number): number =>
  depthAt(nesting.fieldOf(turns[a], turns[b]), columns[a] - columns[b], rows[a] - rows[b]);

export function placedPiece(
  { orientations, floor, pixelMm }: Nesting,
  arrangement: Arrangement,
  piece: number,
): PlacedPart {
  const { part, offsetX, offsetY } = orientations[arrangement.turns[piece]];
  return {
    part,
    x: floor.bounds.minX + arrangement.columns[piece] * pixelMm + offsetX - part.box.minX,
    y: floor.bounds.minY + arrangement.rows[piece] * pixelMm + offsetY - part.box.minY,
  };
}
