import { beyondMm, type Floor } from "../floor.ts";
import type { Standing, TurnedPart } from "../part.ts";
import { LEAST_SPACING_MM, TOLERANCE_MM } from "../settle.ts";
import { type Cornered, type DepthField, depthFieldOf, reversed } from "./depth-field.ts";

/** A part turned one way, and the pixels of the floor that the left front corner of its box may stand on. */
export interface Orientation extends Cornered {
  /** Where what stays stands; 0 for what is placed. */
  readonly column: number;
  readonly row: number;
  readonly columns: number;
  readonly rows: number;
  /** Row by row: 1 where the part reaches beyond the floor. */
  readonly shut: Uint8Array;
}

/** Parts that are to be placed on the pixels of a floor. */
export interface Nesting {
  readonly floor: Floor;
  readonly pixelMm: number;
  /** Every so many pixels are looked at before the best are improved: a power of two. */
  readonly stride: number;
  readonly orientations: readonly Orientation[];
  /** Of each part, its orientations; what stays where it is has a single one. */
  readonly pieces: readonly (readonly number[])[];
  /** Pieces from here on stay. */
  readonly movable: number;
  /** The depths of one orientation beside another. */
  readonly fieldOf: (a: number, b: number) => DepthField;
}

export interface NestingRequest {
  readonly floor: Floor;
  readonly spacingMm: number;
  /** Of each part, the ways it may be turned. Copies share them. */
  readonly parts: readonly (readonly TurnedPart[])[];
  readonly obstacles: readonly Standing[];
  readonly pixelMm: number;
}

/** `onStep` is called before each step of work. */
export function nestingOf(
  { floor, spacingMm, parts, obstacles, pixelMm }: NestingRequest,
  onStep: () => void,
): Nesting {
  const distinct = [...new Set(parts.flat())];
  const indices = new Map(distinct.map((part, i) => [part, i]));
  const orientations = [
    ...distinct.map((part): Orientation => {
      onStep();
      return { part, asideX: 0, asideY: 0, column: 0, row: 0, ...openPlaces(part, floor, pixelMm) };
    }),
    ...obstacles.map((standing) => obstacleOf(standing, floor, pixelMm)),
  ];
  const fields = Array.from<DepthField | undefined>({ length: orientations.length ** 2 });
  const spacing = Math.max(spacingMm, LEAST_SPACING_MM);
  return {
    floor,
    pixelMm,
    stride: strideFor(distinct, pixelMm),
    orientations,
    pieces: [
      ...parts.map((turns) => turns.map((part) => indices.get(part)!)),
      ...obstacles.map((_, i) => [distinct.length + i]),
    ],
    movable: parts.length,
    fieldOf: (a, b) => {
      const key = a * orientations.length + b;
      const known = fields[key];
      if (known) return known;
      onStep();
      const opposite = fields[b * orientations.length + a];
      const field = opposite ? reversed(opposite) : depthFieldOf(orientations[a], orientations[b], spacing, pixelMm);
      fields[key] = field;
      return field;
    },
  };
}

/** Share of the mean side of parts that a stride may be: gaps between parts are seldom narrower than what goes into them. */
const STRIDE_SHARE = 1 / 8;

function strideFor(parts: readonly TurnedPart[], pixelMm: number): number {
  const sides = parts.reduce((sum, { box }) => sum + box.maxX - box.minX + box.maxY - box.minY, 0);
  const mostPixels = (STRIDE_SHARE * sides) / (2 * parts.length * pixelMm);
  let stride = 1;
  while (2 * stride <= mostPixels) stride *= 2;
  return stride;
}

function openPlaces(part: TurnedPart, floor: Floor, pixelMm: number): Pick<Orientation, "columns" | "rows" | "shut"> {
  const { minX, minY, maxX, maxY } = floor.bounds;
  const { box } = part;
  const places = (room: number, size: number): number => Math.max(0, Math.floor((room - size) / pixelMm) + 1);
  const columns = places(maxX - minX, box.maxX - box.minX);
  const rows = places(maxY - minY, box.maxY - box.minY);
  const shut = Uint8Array.from({ length: columns * rows }, (_, i) => {
    const x = minX + (i % columns) * pixelMm - box.minX;
    const y = minY + Math.floor(i / columns) * pixelMm - box.minY;
    return beyondMm(floor, part.hull, box, x, y) <= TOLERANCE_MM ? 0 : 1;
  });
  return { columns, rows, shut };
}

function obstacleOf({ part, x, y }: Standing, { bounds }: Floor, pixelMm: number): Orientation {
  const [left, front] = [x + part.box.minX - bounds.minX, y + part.box.minY - bounds.minY];
  const [column, row] = [Math.floor(left / pixelMm), Math.floor(front / pixelMm)];
  const [asideX, asideY] = [left - column * pixelMm, front - row * pixelMm];
  return { part, asideX, asideY, column, row, columns: 0, rows: 0, shut: new Uint8Array() };
}
