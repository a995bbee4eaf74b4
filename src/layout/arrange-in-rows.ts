import { getOrInsert } from "../core/memoize.ts";
import type { Progress } from "../core/progress.ts";
import type { Polygons } from "../geometry/polygon.ts";
import { type Floor, distanceBeyondFloor } from "./floor.ts";
import type { LayoutRequest } from "./layout-request.ts";
import { type LayoutPart, type PlacedPart, type RotatedPart, rotatePart, straightTurn } from "./part.ts";
import { MIN_SPACING_MM, type Position, TOLERANCE_MM } from "./resolve-overlaps.ts";

/** Positions are whole steps of this: a micrometre. */
const STEPS_PER_MM = 1000;
/** Tolerance in steps: a length that exceeds a whole number of steps by less than this counts as that number. */
const ROUNDING = 1e-6;

const roundUp = (mm: number): number => Math.ceil(mm * STEPS_PER_MM - ROUNDING) / STEPS_PER_MM;
const round = (mm: number): number => Math.round(mm * STEPS_PER_MM) / STEPS_PER_MM;

/** Rotations of the parts before they are put in rows: unchanged and straightened, or with their long sides along x or y. */
const TURNINGS = ["asTheyStand", "longAlongX", "longAlongY"] as const;
/** Turning parts must save this share of the square of the rows' diagonal. */
const MIN_SAVING = 0.05;

/**
 * All parts in rows, the deepest in the front row; the bounding box of each keeps the spacing to the others and to those of obstacles.
 * The rows are about as wide as deep, in the middle of the floor or, if there are obstacles, at a side or corner. Parts are rotated if
 * that straightens them, gives equal boxes equal orientations, or shortens the rows. Undefined if they do not fit in rows.
 */
export function arrangeInRows(request: LayoutRequest, progress: Progress): readonly PlacedPart[] | undefined {
  const { floor, parts, obstacles } = request;
  const spacingMm = Math.max(request.spacingMm, MIN_SPACING_MM);
  // Parts whose supports may overlap can be placed closer together than in rows.
  if (parts.length === 0 || parts.some(({ part }) => part.supports)) return undefined;
  const straightParts = [true, false].map(() => new Map<Polygons, RotatedPart>());
  const straight = parts.map(({ part, turns }) =>
    getOrInsert(straightParts[turns ? 0 : 1], part.body, () => {
      progress.report(0);
      return rotatePart(part, turns ? straightTurn(part) : 0);
    }),
  );
  const candidates = TURNINGS.flatMap((turning) => {
    const turnedParts = new Map<RotatedPart, RotatedPart>();
    const turned = parts.map(({ part, turns }, i) =>
      getOrInsert(turnedParts, straight[i], () => (turns ? turnedAs(part, straight[i], turning) : straight[i])),
    );
    const sizes = new Set(turned.map((part) => sidesOf(part).join(" "))).size;
    const weight = turning === "asTheyStand" ? 1 - MIN_SAVING : 1;
    return rowsOn(floor, turned, spacingMm).map((rows) => ({ rows, sizes, cost: weight * squaredDiagonal(rows) }));
  });
  candidates.sort((a, b) => a.sizes - b.sizes || a.cost - b.cost);
  for (const { rows } of candidates) {
    const placed = placeRows(rows, floor, spacingMm, obstacles, progress);
    if (placed) return placed;
  }
  return undefined;
}

function turnedAs(part: LayoutPart, straight: RotatedPart, turning: (typeof TURNINGS)[number]): RotatedPart {
  const [width, depth] = sidesOf(straight);
  const isAsked = turning === "asTheyStand" || (turning === "longAlongX" ? width >= depth : depth >= width);
  return isAsked ? straight : rotatePart(part, straight.turnDeg + 90);
}

/** Rounded to a step: the boxes of equal parts with different rotations differ by rounding. */
const sidesOf = ({ box }: RotatedPart): readonly [width: number, depth: number] => [
  round(box.maxX - box.minX),
  round(box.maxY - box.minY),
];

/** Parts side by side in rows along x, relative to the left front corner of their common box. */
interface Rows {
  readonly parts: readonly RotatedPart[];
  /** The position of each part: whole steps. */
  readonly places: readonly Position[];
  readonly width: number;
  readonly depth: number;
}

const squaredDiagonal = ({ width, depth }: Rows): number => width ** 2 + depth ** 2;

/** The rows that fit the bounds of a floor, one for each number of parts in the first row. */
function rowsOn({ bounds }: Floor, parts: readonly RotatedPart[], spacingMm: number): Rows[] {
  const [roomX, roomY] = [bounds.maxX - bounds.minX, bounds.maxY - bounds.minY];
  const sides = parts.map(sidesOf);
  const order = parts.map((_, i) => i).sort((a, b) => sides[b][1] - sides[a][1] || sides[b][0] - sides[a][0] || a - b);
  const fitting: Rows[] = [];
  let rowWidth = -roundUp(spacingMm);
  for (const i of order) {
    rowWidth += sides[i][0] + roundUp(spacingMm);
    if (rowWidth > roomX) break;
    const rows = fillRows(parts, order, rowWidth, spacingMm);
    if (rows.width <= roomX && rows.depth <= roomY) fitting.push(rows);
  }
  return fitting;
}

/**
 * Puts each part after the last one in its row, or into a new row if the row would become wider than `rowWidth`. Positions are rounded away
 * from the earlier parts, so that gaps are never narrower than the spacing, and equal between equal parts.
 */
function fillRows(parts: readonly RotatedPart[], order: readonly number[], rowWidth: number, spacingMm: number): Rows {
  const places: Position[] = parts.map(() => ({ x: 0, y: 0 }));
  let [left, front, width, depth] = [0, 0, 0, 0];
  for (const i of order) {
    const { box } = parts[i];
    if (left > 0 && left + box.maxX - box.minX > rowWidth + 1 / STEPS_PER_MM) [left, front] = [0, depth + spacingMm];
    const [x, y] = [roundUp(left - box.minX), roundUp(front - box.minY)];
    places[i] = { x, y };
    width = Math.max(width, x + box.maxX);
    depth = Math.max(depth, y + box.maxY);
    left = x + box.maxX + spacingMm;
  }
  return { parts, places, width, depth };
}

/** Positions of the rows in the free space around them, as fractions of it: in the middle, at the sides, in the corners. */
const STANDS = [
  [0.5, 0.5],
  [0.5, 0],
  [0.5, 1],
  [0, 0.5],
  [1, 0.5],
  [0, 0],
  [1, 0],
  [0, 1],
  [1, 1],
] as const;

function placeRows(
  { parts, places, width, depth }: Rows,
  floor: Floor,
  spacingMm: number,
  obstacles: readonly PlacedPart[],
  progress: Progress,
): readonly PlacedPart[] | undefined {
  const { minX, minY, maxX, maxY } = floor.bounds;
  for (const [shareX, shareY] of obstacles.length === 0 ? STANDS.slice(0, 1) : STANDS) {
    progress.report(0);
    const left = round(minX + shareX * (maxX - minX - width));
    const front = round(minY + shareY * (maxY - minY - depth));
    const placed = parts.map((part, i): PlacedPart => ({
      part,
      x: round(left + places[i].x),
      y: round(front + places[i].y),
    }));
    if (placed.every((one) => isClearOf(one, floor, spacingMm, obstacles))) return placed;
  }
  return undefined;
}

/** Parts of the rows are apart by construction. Boxes suffice, and are fast: there are hundreds of rows to try. */
const isClearOf = (
  { part, x, y }: PlacedPart,
  floor: Floor,
  spacingMm: number,
  obstacles: readonly PlacedPart[],
): boolean =>
  distanceBeyondFloor(floor, part.hull, part.box, x, y) <= TOLERANCE_MM &&
  obstacles.every(({ part: { box }, x: u, y: v }) => {
    const apartX = Math.max(u + box.minX - x - part.box.maxX, x + part.box.minX - u - box.maxX);
    const apartY = Math.max(v + box.minY - y - part.box.maxY, y + part.box.minY - v - box.maxY);
    return Math.max(apartX, apartY) >= spacingMm - TOLERANCE_MM;
  });
