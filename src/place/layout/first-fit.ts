import { blockAbout, isBlocked } from "./blocked-places.ts";
import { beyondMm } from "./floor.ts";
import type { Part, Standing, TurnedPart } from "./part.ts";
import { isClear, type Place, settle } from "./settle.ts";
import { HALF_DIAGONAL, type Places, putOn, type Site, takeNote } from "./site.ts";
import { slide } from "./slide.ts";

/** Which free place is taken: the frontmost, the leftmost, or the one nearest to the middle of the floor. */
export type Order = "front" | "left" | "middle";

/** One way to put parts on a site. */
export interface Attempt {
  /** The turns that are tried, degrees about z. */
  readonly turnsOf: (part: Part) => readonly number[];
  readonly order: Order;
}

/** A free pixel; less `cost` is better. */
interface Candidate {
  readonly column: number;
  readonly row: number;
  readonly cost: number;
}

/** How far a part may settle from the place of its pixel, in pixels. */
const SETTLING_PIXELS = 3;
/** After so many places in vain, one pixel more around each is not tried either. */
const VAIN_TRIES = 64;

/**
 * Puts a part on the site at the best place by `order` of all its turns, each with its `places`; undefined where there is none.
 * Pixels tell places that may do; a part settles from there, by exact distances, and is pushed on as far as it goes.
 */
export function firstFit(turns: readonly Places[], site: Site, order: Order, onStep: () => void): Standing | undefined {
  const candidates = turns.map((places) => {
    onStep();
    takeNote(places, site);
    return bestFree(places, site, order);
  });
  for (let vain = 0; ; vain++) {
    onStep();
    const best = candidates.reduce<number>(
      (least, one, i) => (one && one.cost < (candidates[least]?.cost ?? Infinity) ? i : least),
      0,
    );
    const candidate = candidates[best];
    if (!candidate) return undefined;
    const { part, blocked } = turns[best];
    const start = placeOf(turns[best], candidate.column, candidate.row, site);
    const settled = settle(part, start, SETTLING_PIXELS * site.pixelMm, site);
    if (settled) {
      const standing = { part, ...pushed(turns[best], settled, site, order) };
      putOn(site, standing);
      return standing;
    }
    blockAbout(blocked, candidate.column, candidate.row, 1 + Math.floor(vain / VAIN_TRIES));
    candidates[best] = bestFree(turns[best], site, order);
  }
}

/** Shares of a pixel that places are aside, so that edges of equal parts do not lie on one another by chance. */
const ASIDE = [0.013, 0.007] as const;

const placeOf = ({ part }: Places, column: number, row: number, site: Site): Place => ({
  x: site.left + (column + ASIDE[0]) * site.pixelMm - part.box.minX,
  y: site.front + (row + ASIDE[1]) * site.pixelMm - part.box.minY,
});

/** The free pixel of least cost. */
function bestFree(places: Places, site: Site, order: Order): Candidate | undefined {
  const { blocked, part } = places;
  const { floor, pixelMm } = site;
  const [width, depth] = [part.box.maxX - part.box.minX, part.box.maxY - part.box.minY];
  const columns = Math.min(blocked.columns, Math.ceil((floor.bounds.maxX - floor.bounds.minX - width) / pixelMm) + 3);
  const rows = Math.min(blocked.rows, Math.ceil((floor.bounds.maxY - floor.bounds.minY - depth) / pixelMm) + 3);
  const cost = costOf(order, width, depth, site);
  let best: Candidate | undefined;
  const [outer, inner] = order === "left" ? [columns, rows] : [rows, columns];
  for (let i = order === "middle" ? 0 : places.passed; i < outer; i++) {
    for (let j = 0; j < inner; j++) {
      const [column, row] = order === "left" ? [i, j] : [j, i];
      if (isBlocked(blocked, column, row)) continue;
      const ours = cost(column, row);
      if (best && ours >= best.cost) continue;
      const { x, y } = placeOf(places, column, row, site);
      if (beyondMm(floor, part.hull, part.box, x, y) > HALF_DIAGONAL * pixelMm) blockAbout(blocked, column, row, 0);
      else best = { column, row, cost: ours };
    }
    if (best && order !== "middle") return best;
    if (!best) places.passed = i + 1;
  }
  return best;
}

/** The cost of a pixel by the place of the part's box: its far side first, then the other side. */
function costOf(order: Order, width: number, depth: number, site: Site): (column: number, row: number) => number {
  const {
    pixelMm,
    columns,
    rows,
    floor: { bounds },
  } = site;
  const [acrossX, acrossY] = [width / pixelMm, depth / pixelMm];
  if (order === "front") return (column, row) => (row + acrossY) * (4 * columns) + column + acrossX;
  if (order === "left") return (column, row) => (column + acrossX) * (4 * rows) + row + acrossY;
  const middleX = ((bounds.minX + bounds.maxX) / 2 - site.left) / pixelMm;
  const middleY = ((bounds.minY + bounds.maxY) / 2 - site.front) / pixelMm;
  return (column, row) => (column + acrossX / 2 - middleX) ** 2 + (row + acrossY / 2 - middleY) ** 2;
}

/** The ways that an order pushes, one after the other. */
const PUSHES = {
  front: [
    [0, -1],
    [-1, 0],
  ],
  left: [
    [-1, 0],
    [0, -1],
  ],
} as const;

function pushed({ part }: Places, settled: Place, site: Site, order: Order): Place {
  if (order === "middle") return towardsMiddle(part, settled, site);
  const [first, second] = PUSHES[order];
  return slide(part, slide(part, settled, first, site), second, site, first);
}

/** A lone part stands in the middle exactly. */
function towardsMiddle(part: TurnedPart, settled: Place, site: Site): Place {
  const { minX, minY, maxX, maxY } = part.box;
  const { bounds } = site.floor;
  const middle = { x: (bounds.minX + bounds.maxX - minX - maxX) / 2, y: (bounds.minY + bounds.maxY - minY - maxY) / 2 };
  if (isClear(part, middle, site)) return middle;
  const [x, y] = [middle.x - settled.x, middle.y - settled.y];
  const away = Math.sqrt(x * x + y * y);
  return away > 0 ? slide(part, settled, [x / away, y / away], site) : settled;
}
