import { type BitMask, HALF_DIAGONAL, type FloorGrid, addToMask, emptyMask, rasterizePolygon } from "./bit-mask.ts";
import { type Floor, distanceBeyondFloor } from "./floor.ts";
import {
  type NoFitRaster,
  type RunProfile,
  blockCollisions,
  blockSquare,
  isBlocked,
  newNoFitRaster,
  runProfile,
} from "./no-fit-raster.ts";
import type { LayoutPart, PlacedPart, RotatedPart } from "./part.ts";
import {
  MIN_SPACING_MM,
  type Position,
  type Surroundings,
  isPositionClear,
  resolveOverlaps,
  slide,
} from "./resolve-overlaps.ts";

/** Which free position is taken: the frontmost, the leftmost, or the one nearest to the middle of the floor. */
export type PlacementOrder = "front" | "left" | "middle";

/** One way to place parts one after the other. */
export interface Strategy {
  /** The rotations about z that are tried, degrees. */
  readonly turnsOf: (part: LayoutPart) => readonly number[];
  readonly order: PlacementOrder;
}

/** A free pixel; a lower cost is better. */
interface CandidatePixel {
  readonly column: number;
  readonly row: number;
  readonly cost: number;
}

/** How far a part may move from its pixel when overlaps are resolved, in pixels. */
const MAX_RESOLVE_PIXELS = 3;
/** Number of failures after which the blocked square around a failed pixel grows by one pixel to each side. */
const TRIES_PER_RADIUS = 64;

/**
 * Adds a part to the grid at the best free position by `order` among its rotations; undefined if there is none. The raster proposes pixels;
 * from there, overlaps are resolved by exact distances, and the part is pushed as far as possible.
 *
 * @param turns Positions of the part for each rotation that is tried.
 */
export function firstFit(
  turns: readonly PartPositions[],
  grid: OccupancyGrid,
  order: PlacementOrder,
  onStep: () => void,
): PlacedPart | undefined {
  const candidates = turns.map((positions) => {
    onStep();
    blockNewParts(positions, grid);
    return bestFreePixel(positions, grid, order);
  });
  for (let failures = 0; ; failures++) {
    onStep();
    const best = candidates.reduce<number>(
      (least, one, i) => (one && one.cost < (candidates[least]?.cost ?? Infinity) ? i : least),
      0,
    );
    const candidate = candidates[best];
    if (!candidate) return undefined;
    const { part, blocked } = turns[best];
    const start = positionOf(turns[best], candidate.column, candidate.row, grid);
    const resolved = resolveOverlaps(part, start, MAX_RESOLVE_PIXELS * grid.pixelMm, grid);
    if (resolved) {
      const placed = { part, ...pushPart(turns[best], resolved, grid, order) };
      addPart(grid, placed);
      return placed;
    }
    blockSquare(blocked, candidate.column, candidate.row, 1 + Math.floor(failures / TRIES_PER_RADIUS));
    candidates[best] = bestFreePixel(turns[best], grid, order);
  }
}

/**
 * Positions are offset from their pixels by these shares of a pixel, so that edges of equal parts are not collinear by
 * chance.
 */
const PIXEL_OFFSET = [0.013, 0.007] as const;

const positionOf = ({ part }: PartPositions, column: number, row: number, grid: OccupancyGrid): Position => ({
  x: grid.left + (column + PIXEL_OFFSET[0]) * grid.pixelMm - part.box.minX,
  y: grid.front + (row + PIXEL_OFFSET[1]) * grid.pixelMm - part.box.minY,
});

/** The free pixel of least cost. Blocks the pixels it finds beyond the floor. */
function bestFreePixel(
  positions: PartPositions,
  grid: OccupancyGrid,
  order: PlacementOrder,
): CandidatePixel | undefined {
  const { blocked, part } = positions;
  const { floor, pixelMm } = grid;
  const [width, depth] = [part.box.maxX - part.box.minX, part.box.maxY - part.box.minY];
  const columns = Math.min(blocked.columns, Math.ceil((floor.bounds.maxX - floor.bounds.minX - width) / pixelMm) + 3);
  const rows = Math.min(blocked.rows, Math.ceil((floor.bounds.maxY - floor.bounds.minY - depth) / pixelMm) + 3);
  const cost = pixelCost(order, width, depth, grid);
  let best: CandidatePixel | undefined;
  const [outer, inner] = order === "left" ? [columns, rows] : [rows, columns];
  for (let i = order === "middle" ? 0 : positions.passed; i < outer; i++) {
    for (let j = 0; j < inner; j++) {
      const [column, row] = order === "left" ? [i, j] : [j, i];
      if (isBlocked(blocked, column, row)) continue;
      const pixelCostHere = cost(column, row);
      if (best && pixelCostHere >= best.cost) continue;
      const { x, y } = positionOf(positions, column, row, grid);
      if (distanceBeyondFloor(floor, part.hull, part.box, x, y) > HALF_DIAGONAL * pixelMm)
        blockSquare(blocked, column, row, 0);
      else best = { column, row, cost: pixelCostHere };
    }
    if (best && order !== "middle") return best;
    if (!best) positions.passed = i + 1;
  }
  return best;
}

/** The cost of a pixel: by the far side of the part's bounding box along the order first, then by its other side. */
function pixelCost(
  order: PlacementOrder,
  width: number,
  depth: number,
  grid: OccupancyGrid,
): (column: number, row: number) => number {
  const {
    pixelMm,
    columns,
    rows,
    floor: { bounds },
  } = grid;
  const [acrossX, acrossY] = [width / pixelMm, depth / pixelMm];
  if (order === "front") return (column, row) => (row + acrossY) * (4 * columns) + column + acrossX;
  if (order === "left") return (column, row) => (column + acrossX) * (4 * rows) + row + acrossY;
  const middleX = ((bounds.minX + bounds.maxX) / 2 - grid.left) / pixelMm;
  const middleY = ((bounds.minY + bounds.maxY) / 2 - grid.front) / pixelMm;
  return (column, row) => (column + acrossX / 2 - middleX) ** 2 + (row + acrossY / 2 - middleY) ** 2;
}

/** The directions that a part is pushed in, one after the other. */
const PUSH_DIRECTIONS = {
  front: [
    [0, -1],
    [-1, 0],
  ],
  left: [
    [-1, 0],
    [0, -1],
  ],
} as const;

function pushPart({ part }: PartPositions, resolved: Position, grid: OccupancyGrid, order: PlacementOrder): Position {
  if (order === "middle") return towardsMiddle(part, resolved, grid);
  const [first, second] = PUSH_DIRECTIONS[order];
  return slide(part, slide(part, resolved, first, grid), second, grid, first);
}

/** Exactly the middle of the floor if that is clear, else the nearest position to which the part can be pushed. */
function towardsMiddle(part: RotatedPart, resolved: Position, grid: OccupancyGrid): Position {
  const { minX, minY, maxX, maxY } = part.box;
  const { bounds } = grid.floor;
  const middle = { x: (bounds.minX + bounds.maxX - minX - maxX) / 2, y: (bounds.minY + bounds.maxY - minY - maxY) / 2 };
  if (isPositionClear(part, middle, grid)) return middle;
  const [x, y] = [middle.x - resolved.x, middle.y - resolved.y];
  const away = Math.sqrt(x * x + y * y);
  return away > 0 ? slide(part, resolved, [x / away, y / away], grid) : resolved;
}

/** A floor on which parts are placed one after the other, with the pixels that they occupy. */
export interface OccupancyGrid extends Surroundings, FloorGrid {
  readonly placed: PlacedPart[];
  /** x and y of the left front corner of the grid, mm. */
  readonly left: number;
  readonly front: number;
  /** Pixels of all bodies, and of all bodies and supports. */
  readonly bodies: BitMask;
  readonly all: BitMask;
  /** The same for each placed part. */
  readonly masks: { readonly bodies: BitMask; readonly all: readonly BitMask[] }[];
}

/** With half of this, filling takes up to five times as long and fits at most one copy more (measured). */
const PIXEL_MM = 0.5;

export function newOccupancyGrid(floor: Floor, spacingMm: number, placed: readonly PlacedPart[]): OccupancyGrid {
  const { minX, minY, maxX, maxY } = floor.bounds;
  const grid: FloorGrid = {
    pixelMm: PIXEL_MM,
    columns: Math.max(0, Math.ceil((maxX - minX) / PIXEL_MM)) + 3,
    rows: Math.max(0, Math.ceil((maxY - minY) / PIXEL_MM)) + 3,
  };
  const occupancy: OccupancyGrid = {
    ...grid,
    floor,
    spacingMm: Math.max(spacingMm, MIN_SPACING_MM),
    placed: [],
    left: minX - PIXEL_MM,
    front: minY - PIXEL_MM,
    bodies: emptyMask(grid),
    all: emptyMask(grid),
    masks: [],
  };
  for (const one of placed) addPart(occupancy, one);
  return occupancy;
}

/** The positions of a rotated part on a grid: pixels of the left front corner of its bounding box. */
export interface PartPositions {
  readonly part: RotatedPart;
  readonly blocked: NoFitRaster;
  readonly body: RunProfile;
  readonly supports: RunProfile | undefined;
  /** Number of placed parts that `blocked` accounts for. */
  known: number;
  /** Number of leading rows or columns, by the placement order, that have no free pixel left. */
  passed: number;
}

export function partPositions(part: RotatedPart, grid: OccupancyGrid): PartPositions {
  const { pixelMm, columns, rows } = grid;
  // Obstacles are drawn at least twice as high as their offset.
  const stride = Math.max(1, Math.floor((2 * obstacleOffsetMm(grid)) / pixelMm) - 1);
  const profile = (shape: RotatedPart["body"]): RunProfile =>
    runProfile(rasterizePolygon(shape, -part.box.minX, -part.box.minY, HALF_DIAGONAL * pixelMm, grid), stride);
  return {
    part,
    blocked: newNoFitRaster(columns, rows),
    body: profile(part.body),
    supports: part.supports && profile(part.supports),
    known: 0,
    passed: 0,
  };
}

/**
 * The offset with which obstacles are drawn. The pixel nearest to a free position is at most half a diagonal away, and
 * the mask of the part is offset by half a diagonal too: obstacles are drawn smaller by both, so no free position is
 * lost.
 */
const obstacleOffsetMm = ({ spacingMm, pixelMm }: OccupancyGrid): number => spacingMm - 2 * HALF_DIAGONAL * pixelMm;

/** Adds a part and its pixels to the grid. */
function addPart(grid: OccupancyGrid, placed: PlacedPart): void {
  const { part, x, y } = placed;
  const rasterized = (shape: RotatedPart["body"]): BitMask =>
    rasterizePolygon(shape, x - grid.left, y - grid.front, obstacleOffsetMm(grid), grid);
  const bodies = rasterized(part.body);
  const supports = part.supports && rasterized(part.supports);
  grid.placed.push(placed);
  grid.masks.push({ bodies, all: supports ? [bodies, supports] : [bodies] });
  addToMask(grid.bodies, bodies);
  for (const mask of [bodies, ...(supports ? [supports] : [])]) addToMask(grid.all, mask);
}

/** When more parts than this are new, the mask of all parts is applied at once instead of one mask per new part. */
const MAX_SINGLE_UPDATES = 4;

/** Blocks the positions that collide with parts placed since the last call. */
function blockNewParts(positions: PartPositions, grid: OccupancyGrid): void {
  const newMasks = grid.masks.slice(positions.known);
  positions.known = grid.masks.length;
  const isFew = newMasks.length <= MAX_SINGLE_UPDATES;
  for (const mask of isFew ? newMasks.flatMap(({ all }) => all) : [grid.all])
    blockCollisions(positions.blocked, positions.body, mask);
  if (!positions.supports) return;
  for (const mask of isFew ? newMasks.map(({ bodies }) => bodies) : [grid.bodies]) {
    blockCollisions(positions.blocked, positions.supports, mask);
  }
}
