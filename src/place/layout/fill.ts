import type { Watch } from "../../core/watch.ts";
import { type Attempt, firstFit, type Order } from "./first-fit.ts";
import type { Floor } from "./floor.ts";
import { type Part, type Standing, turnedPart } from "./part.ts";
import { standClear } from "./stand-clear.ts";
import { newSite, type Places, placesOf, type Site } from "./site.ts";
import { alignedTurn, AS_IT_IS, FINE_TURNS, QUARTER_TURNS } from "./turns.ts";

/** A part that copies are made of. */
export interface Source {
  readonly part: Part;
  /** Where it stands. */
  readonly x: number;
  readonly y: number;
  /** Whether its copies may be turned about z. */
  readonly turns: boolean;
  /** Whether it may be moved itself. */
  readonly moves: boolean;
}

export interface FillRequest {
  readonly floor: Floor;
  readonly spacingMm: number;
  readonly sources: readonly Source[];
  readonly obstacles: readonly Standing[];
  /** Most copies that may be added. */
  readonly mostCopies: number;
}

export interface Filling {
  /** Of each source, in the order given. */
  readonly sources: readonly Standing[];
  /** Of each source, where its copies stand. */
  readonly copies: readonly (readonly Standing[])[];
}

const opposite = (turn: number): readonly number[] => [turn, turn + 180];
const TURNS: readonly Attempt["turnsOf"][] = [
  () => AS_IT_IS,
  () => QUARTER_TURNS,
  (part) => opposite(alignedTurn(part)),
  (part) => opposite(alignedTurn(part) + 90),
  ...[15, 30, 45, 60, 75].map((turn) => (part: Part) => opposite(alignedTurn(part) + turn)),
];
const ATTEMPTS: readonly Attempt[] = TURNS.flatMap((turnsOf) => [
  { turnsOf, order: "front" },
  { turnsOf, order: "left" },
]);

/** Of many small copies, what the next attempt gains is small beside what it takes. */
const ENOUGH_PLACED = 1000;

/**
 * Copies of the sources in turn, until not one more fits. The sources stay where they are, as the first copies, unless more
 * fit, or theirs are no places to stay, once they move; obstacles never do.
 */
export function fill(request: FillRequest, watch: Watch): Filling {
  const staying = bestOf(request, false, watch.part(0, 0.4));
  const moving = request.sources.some(({ moves }) => moves) ? bestOf(request, true, watch.part(0.4, 0.8)) : undefined;
  const { floor, spacingMm, sources, obstacles } = request;
  const mayStay = (): boolean => standClear(floor, spacingMm, sources.map(asItStands), obstacles);
  const better = moving && (totalOf(moving) > totalOf(staying) || !mayStay()) ? moving : staying;
  return toppedUp(request, better, watch.part(0.8, 1));
}

const totalOf = ({ copies }: Filling): number => copies.reduce((sum, list) => sum + list.length, 0);

const asItStands = ({ part, x, y }: Source): Standing => ({ part: turnedPart(part, 0), x, y });

/** The attempt that makes most copies. Undefined where the sources move and none finds a place for them all. */
function bestOf(request: FillRequest, move: false, watch: Watch): Filling;
function bestOf(request: FillRequest, move: true, watch: Watch): Filling | undefined;
function bestOf(request: FillRequest, move: boolean, watch: Watch): Filling | undefined {
  const attempts = request.sources.some(({ turns }) => turns) ? ATTEMPTS : ATTEMPTS.slice(0, 2);
  let best: Filling | undefined;
  let placed = 0;
  for (const [i, { turnsOf, order }] of attempts.entries()) {
    const site = siteFor(request, move);
    const places = request.sources.map((source) =>
      placesFor(source, source.turns ? turnsOf(source.part) : AS_IT_IS, site),
    );
    const filling = added(
      request,
      startOf(request, move),
      places,
      site,
      order,
      watch.part(i / attempts.length, (i + 1) / attempts.length),
    );
    if (filling && (!best || totalOf(filling) > totalOf(best))) best = filling;
    placed += site.standing.length;
    if (placed > ENOUGH_PLACED) break;
  }
  return best;
}

const placesFor = ({ part }: Source, turns: readonly number[], site: Site): Places[] =>
  turns.map((turn) => placesOf(turnedPart(part, turn), site));

/** The sources where they stand; undefined for those that are still to be placed. */
type Start = Omit<Filling, "sources"> & { readonly sources: readonly (Standing | undefined)[] };

const startOf = ({ sources }: FillRequest, move: boolean): Start => ({
  sources: sources.map((source) => (move && source.moves ? undefined : asItStands(source))),
  copies: sources.map(() => []),
});

function siteFor(request: FillRequest, move: boolean): Site {
  const fixed = startOf(request, move).sources.filter((one) => one !== undefined);
  return newSite(request.floor, request.spacingMm, [...request.obstacles, ...fixed]);
}

/** Adds copies in turn while any fits; undefined where a source that is to be placed finds no place. */
function added(
  { sources, mostCopies, floor }: FillRequest,
  start: Start,
  places: readonly (readonly Places[])[],
  site: Site,
  order: Order,
  watch: Watch,
): Filling | undefined {
  const placed: (Standing | undefined)[] = [...start.sources];
  const copies = start.copies.map((list) => [...list]);
  const ended = sources.map(() => false);
  const { minX, minY, maxX, maxY } = floor.bounds;
  const share = (): number =>
    site.standing.length === 0 ? 0 : Math.min(1, coverage(site) / ((maxX - minX) * (maxY - minY)));
  let count = copies.reduce((sum, list) => sum + list.length, 0);
  while (ended.includes(false) && count < mostCopies) {
    for (const i of sources.keys()) {
      if (ended[i] || count >= mostCopies) continue;
      const done = share();
      const standing = firstFit(places[i], site, order, () => watch.report(done));
      if (!standing) {
        if (!placed[i]) return undefined;
        ended[i] = true;
      } else if (placed[i]) {
        copies[i].push(standing);
        count++;
      } else placed[i] = standing;
    }
  }
  return { sources: placed as Standing[], copies };
}

/** The area of the boxes of all that stands on a site. */
const coverage = ({ standing }: Site): number =>
  standing.reduce((sum, { part: { box } }) => sum + (box.maxX - box.minX) * (box.maxY - box.minY), 0);

/** The filling with what else fits once every turn is tried. */
function toppedUp(request: FillRequest, filling: Filling, watch: Watch): Filling {
  const standing = [...request.obstacles, ...filling.sources, ...filling.copies.flat()];
  const site = newSite(request.floor, request.spacingMm, standing);
  const places = request.sources.map((source) => placesFor(source, source.turns ? FINE_TURNS : AS_IT_IS, site));
  return added(request, filling, places, site, "front", watch)!;
}
