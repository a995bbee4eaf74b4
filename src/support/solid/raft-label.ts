import {
  intersectPolygons,
  offsetPolygons,
  subtractPolygons,
  unionWithoutHoles,
} from "../../geometry/polygon-operations.ts";
import {
  type Point2,
  type Polygon,
  type Polygons,
  coordinateRange,
  cornerCount,
  polygonsArea,
  signedArea,
} from "../../geometry/polygon.ts";
import { loft } from "../../mesh/loft.ts";
import type { Surface } from "../../mesh/mesh.ts";
import { CAP_HEIGHT, isSupportedCharacter } from "../../text/font.ts";
import { textOutline } from "../../text/text-outline.ts";
import { type PillarFoot, type RaftRequest, raftBounds, raftForm } from "./raft-form.ts";

/** Cap heights that are tried, the largest first; the smallest is what pixels and layers of 0.05 mm still resolve. */
const CAP_HEIGHTS_MM = [6, 5, 4, 3];
const MIN_CAP_HEIGHT_MM = 3;
/** Width of the slots through counters, in cap heights. */
const SLOT_SHARE = 0.1;
const RAISED_MM = 0.4;
/** Depth by which letters enter the raft, so that they become one body with it. */
const SUNK_MM = 0.2;
/** Longer texts get no tab: it would take too much of the platform. */
const MAX_TAB_MM = 80;
/** A tab that loses a smaller share of its area to the rim of the volume counts as inside. */
const ROUNDING = 1e-6;
/** Least distance between letters and the rim, pillars, and the model above. */
const CLEARANCE_MM = 0.5;

/** The outline of a raft and the letters on it. */
export interface LabelledRaft {
  readonly outline: Polygons;
  /** Raised letters, closed bodies; none where no label is wanted, or it does not fit. */
  readonly letters: readonly Surface[];
}

/**
 * Labels a full raft whose top is at `topMm`: as large as fits between the pillars, along x or along y, at the front
 * rather than at the back; else on a tab at its front, if that is not too long and inside the volume.
 */
export async function labelRaft(
  outline: Polygons,
  topMm: number,
  request: RaftRequest,
  text: string,
): Promise<LabelledRaft> {
  const { settings, feet } = request;
  const hasRoomAbove = settings.heightAboveRaftMm >= RAISED_MM + CLEARANCE_MM;
  const unlabelled = { outline, letters: [] };
  if (!settings.raftLabelEnabled || !raftForm(settings).isOnePiece || !hasRoomAbove) return unlabelled;
  const block = await textBlock(text);
  if (!block) return unlabelled;
  const inner = await offsetPolygons(outline, -CLEARANCE_MM);
  const obstacles = feet.map(({ x, y, radius }) => ({ x, y, radius: radius + CLEARANCE_MM }));
  const place = placeLabel(freeCells(inner, obstacles), block, CAP_HEIGHTS_MM);
  if (place) return { outline, letters: [await lettersOf(block, place, topMm)] };
  if (block.width * MIN_CAP_HEIGHT_MM > MAX_TAB_MM) return unlabelled;
  const { tab, toRaft } = labelTab(outline, block, MIN_CAP_HEIGHT_MM);
  const bounds = await raftBounds(request);
  const isCut = bounds && polygonsArea(await intersectPolygons([tab], bounds)) < polygonsArea([tab]) * (1 - ROUNDING);
  if (isCut) return unlabelled;
  return { outline: await unionWithoutHoles([...outline, tab]), letters: [await lettersOf(block, toRaft, topMm)] };
}

async function lettersOf(block: TextBlock, toRaft: ToRaft, topMm: number): Promise<Surface> {
  const letters = block.letters.map((polygon) => {
    const corners = Array.from({ length: cornerCount(polygon) }, (_, i) =>
      toRaft([polygon[2 * i], polygon[2 * i + 1]]),
    );
    return Float64Array.from(corners.flat());
  });
  const counters = letters.filter((polygon) => signedArea(polygon) < 0);
  const slots = counters.map((counter) => counterSlot(counter, block.height, toRaft));
  const region = await subtractPolygons(letters, slots);
  return await loft([topMm - SUNK_MM, topMm + RAISED_MM].map((zMm) => ({ zMm, region })));
}

/** A slot from the middle of a counter (a hole of a letter) up through the letter, so that resin drains. */
function counterSlot(counter: Polygon, blockHeight: number, toRaft: ToRaft): Polygon {
  const [x, y] = ([0, 1] as const).map((axis) => {
    const [least, most] = coordinateRange([counter], axis);
    return (least + most) / 2;
  });
  const [origin, right, up] = [toRaft([0, 0]), toRaft([SLOT_SHARE / 2, 0]), toRaft([0, blockHeight])];
  const [rightX, rightY, upX, upY] = [right[0] - origin[0], right[1] - origin[1], up[0] - origin[0], up[1] - origin[1]];
  const corners = [
    [x - rightX, y - rightY],
    [x + rightX, y + rightY],
    [x + rightX + upX, y + rightY + upY],
    [x - rightX + upX, y - rightY + upY],
  ];
  return Float64Array.from(corners.flat());
}

/** A line of letters with its lower left corner at (0, 0); all lengths in cap heights. */
interface TextBlock {
  readonly letters: Polygons;
  readonly width: number;
  readonly height: number;
}

/** Replaces characters that the font lacks. */
const MISSING_CHARACTER = "□";

/** The line of a text; undefined where nothing of it is visible. */
export async function textBlock(text: string): Promise<TextBlock | undefined> {
  const shown = Array.from(text.normalize("NFC").trim(), (character) =>
    isSupportedCharacter(character) ? character : MISSING_CHARACTER,
  );
  const { region } = await textOutline(shown.join(""));
  if (region.length === 0) return undefined;
  const [[left, right], [bottom, top]] = [coordinateRange(region, 0), coordinateRange(region, 1)];
  return {
    letters: region.map((polygon) => polygon.map((value, at) => (value - (at % 2 === 0 ? left : bottom)) / CAP_HEIGHT)),
    width: (right - left) / CAP_HEIGHT,
    height: (top - bottom) / CAP_HEIGHT,
  };
}

/** From points of a text block to points on the raft, mm. */
type ToRaft = (point: Point2) => [x: number, y: number];

/** The place of a text at the largest of the cap heights that fits; undefined where none does. */
function placeLabel(cells: FreeCells, { width, height }: TextBlock, heightsMm: readonly number[]): ToRaft | undefined {
  for (const heightMm of heightsMm) {
    const along = Math.ceil((heightMm * width) / CELL_MM);
    const across = Math.ceil((heightMm * height) / CELL_MM);
    const alongX = firstFree(cells, along, across);
    if (alongX) return ([x, y]) => [alongX[0] + heightMm * x, alongX[1] + heightMm * y];
    const alongY = firstFree(cells, across, along);
    if (alongY) {
      const [right, front] = [alongY[0] + across * CELL_MM, alongY[1]];
      return ([x, y]) => [right - heightMm * y, front + heightMm * x];
    }
  }
  return undefined;
}

/** The left front corner of the first free box of the given size in cells: the frontmost, then the leftmost. */
function firstFree(cells: FreeCells, columns: number, rows: number): [x: number, y: number] | undefined {
  for (let row = 0; row + rows <= cells.rows; row++) {
    for (let column = 0; column + columns <= cells.columns; column++) {
      if (!cells.isFree(column, row, columns, rows)) continue;
      return [cells.leftMm + column * CELL_MM, cells.frontMm + row * CELL_MM];
    }
  }
  return undefined;
}

const CELL_MM = 0.5;

/** A raster over polygons; row 0 is at the front, column 0 at the left. */
interface FreeCells {
  readonly leftMm: number;
  readonly frontMm: number;
  readonly columns: number;
  readonly rows: number;
  /** Whether all cells of a box inside the raster are free. */
  isFree(column: number, row: number, columns: number, rows: number): boolean;
}

/** The cells whose centres are inside the polygons and in no foot, as a summed-area table. */
export function freeCells(region: Polygons, feet: readonly PillarFoot[]): FreeCells {
  const [leftMm, rightMm] = coordinateRange(region, 0);
  const [frontMm, backMm] = coordinateRange(region, 1);
  const columns = Math.max(0, Math.ceil((rightMm - leftMm) / CELL_MM));
  const rows = Math.max(0, Math.ceil((backMm - frontMm) / CELL_MM));
  const sums = new Uint32Array((columns + 1) * (rows + 1));
  const sumTo = (column: number, row: number): number => sums[row * (columns + 1) + column];
  for (let row = 0; row < rows; row++) {
    const isFree = freeRow(region, feet, leftMm, frontMm + (row + 0.5) * CELL_MM, columns);
    let free = 0;
    for (let column = 0; column < columns; column++) {
      free += isFree[column];
      sums[(row + 1) * (columns + 1) + column + 1] = sumTo(column + 1, row) + free;
    }
  }
  return {
    leftMm,
    frontMm,
    columns,
    rows,
    isFree(column, row, width, height) {
      const [right, back] = [column + width, row + height];
      return sumTo(right, back) - sumTo(column, back) - sumTo(right, row) + sumTo(column, row) === width * height;
    },
  };
}

/** For each cell of the row at y, 1 where its centre is free: polygons toggle it (even–odd), feet clear it. */
function freeRow(
  region: Polygons,
  feet: readonly PillarFoot[],
  leftMm: number,
  y: number,
  columns: number,
): Uint8Array {
  const cellAfter = (x: number): number => Math.min(columns, Math.max(0, Math.ceil((x - leftMm) / CELL_MM - 0.5)));
  const isFree = new Uint8Array(columns);
  for (const polygon of region) {
    for (let at = 0, last = polygon.length - 2; at < polygon.length; last = at, at += 2) {
      const [ay, by] = [polygon[last + 1], polygon[at + 1]];
      if (ay > y === by > y) continue;
      const x = polygon[last] + ((y - ay) / (by - ay)) * (polygon[at] - polygon[last]);
      for (let column = cellAfter(x); column < columns; column++) isFree[column] ^= 1;
    }
  }
  for (const foot of feet) {
    const square = foot.radius * foot.radius - (y - foot.y) * (y - foot.y);
    if (square > 0) isFree.fill(0, cellAfter(foot.x - Math.sqrt(square)), cellAfter(foot.x + Math.sqrt(square)));
  }
  return isFree;
}

/** How far a tab overlaps the raft. */
const OVERLAP_MM = 1.5;
/** Distance between the letters and the rim of the tab. */
const MARGIN_MM = 0.6;

/** A tab at the front of a raft for a text of the given cap height. */
function labelTab(
  outline: Polygons,
  { width, height }: TextBlock,
  heightMm: number,
): { readonly tab: Polygon; readonly toRaft: ToRaft } {
  let [x, y] = [0, Infinity];
  for (const polygon of outline) {
    for (let at = 0; at < polygon.length; at += 2) {
      if (polygon[at + 1] < y) [x, y] = [polygon[at], polygon[at + 1]];
    }
  }
  const half = (heightMm * width) / 2 + MARGIN_MM;
  const front = y - heightMm * height - 2 * MARGIN_MM;
  const back = y + OVERLAP_MM;
  return {
    tab: Float64Array.of(x - half, front, x + half, front, x + half, back, x - half, back),
    toRaft: ([u, v]) => [x + heightMm * (u - width / 2), front + MARGIN_MM + heightMm * v],
  };
}
