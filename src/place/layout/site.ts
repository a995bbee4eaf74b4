import { block, type BlockedPlaces, newBlockedPlaces, type Profile, profileOf } from "./blocked-places.ts";
import type { Floor } from "./floor.ts";
import { addMask, emptyMask, type Mask, maskOf, type PixelGrid } from "./mask.ts";
import type { Standing, TurnedPart } from "./part.ts";
import { LEAST_SPACING_MM, type Surroundings } from "./settle.ts";

/** A floor that parts are put on one after the other. */
export interface Site extends Surroundings, PixelGrid {
  readonly standing: Standing[];
  /** Place of the left front corner of the grid of pixels. */
  readonly left: number;
  readonly front: number;
  /** The pixels of bodies, and those of bodies and supports. */
  readonly bodies: Mask;
  readonly all: Mask;
  /** The same of each that stands. */
  readonly masks: { readonly bodies: Mask; readonly all: readonly Mask[] }[];
}

/** Of half this, fills take up to five times as long and hold as many copies, or one more. */
const PIXEL_MM = 0.5;
/** Half the diagonal of a pixel. */
export const HALF_DIAGONAL = Math.SQRT1_2;

export function newSite(floor: Floor, spacingMm: number, standing: readonly Standing[]): Site {
  const { minX, minY, maxX, maxY } = floor.bounds;
  const grid: PixelGrid = {
    pixelMm: PIXEL_MM,
    columns: Math.max(0, Math.ceil((maxX - minX) / PIXEL_MM)) + 3,
    rows: Math.max(0, Math.ceil((maxY - minY) / PIXEL_MM)) + 3,
  };
  const site: Site = {
    ...grid,
    floor,
    spacingMm: Math.max(spacingMm, LEAST_SPACING_MM),
    standing: [],
    left: minX - PIXEL_MM,
    front: minY - PIXEL_MM,
    bodies: emptyMask(grid),
    all: emptyMask(grid),
    masks: [],
  };
  for (const one of standing) putOn(site, one);
  return site;
}

/** The places of one part, turned one way, on a site: of the left front corner of its box. */
export interface Places {
  readonly part: TurnedPart;
  readonly blocked: BlockedPlaces;
  readonly body: Profile;
  readonly supports?: Profile;
  /** How many of those that stand on the site are blocked already. */
  known: number;
  /** Rows or columns, by the order that places are taken in, in which none is left. */
  passed: number;
}

export function placesOf(part: TurnedPart, site: Site): Places {
  const { pixelMm, columns, rows } = site;
  // Obstacles are at least twice as high as they are grown.
  const stride = Math.max(1, Math.floor((2 * grownBy(site)) / pixelMm) - 1);
  const profile = (shape: TurnedPart["body"]): Profile =>
    profileOf(maskOf(shape, -part.box.minX, -part.box.minY, HALF_DIAGONAL * pixelMm, site), stride);
  return {
    part,
    blocked: newBlockedPlaces(columns, rows),
    body: profile(part.body),
    supports: part.supports && profile(part.supports),
    known: 0,
    passed: 0,
  };
}

/**
 * How much larger obstacles are drawn than they are. Where a place exists, that of the nearest pixel is half a diagonal away at
 * most, and the part's own mask is as much wider than the part: obstacles are drawn smaller by both, so no place is lost.
 */
const grownBy = ({ spacingMm, pixelMm }: Site): number => spacingMm - 2 * HALF_DIAGONAL * pixelMm;

/** Puts a part onto the site. */
export function putOn(site: Site, standing: Standing): void {
  const { part, x, y } = standing;
  const drawn = (shape: TurnedPart["body"]): Mask => maskOf(shape, x - site.left, y - site.front, grownBy(site), site);
  const bodies = drawn(part.body);
  const supports = part.supports && drawn(part.supports);
  site.standing.push(standing);
  site.masks.push({ bodies, all: supports ? [bodies, supports] : [bodies] });
  addMask(site.bodies, bodies);
  for (const mask of [bodies, ...(supports ? [supports] : [])]) addMask(site.all, mask);
}

/** Of more newcomers than this, all that stands is looked at once more rather than each of them. */
const FEW = 4;

/** Blocks the places that those standing by now forbid. */
export function takeNote(places: Places, site: Site): void {
  const newcomers = site.masks.slice(places.known);
  places.known = site.masks.length;
  const few = newcomers.length <= FEW;
  for (const mask of few ? newcomers.flatMap(({ all }) => all) : [site.all]) block(places.blocked, places.body, mask);
  if (!places.supports) return;
  for (const mask of few ? newcomers.map(({ bodies }) => bodies) : [site.bodies]) {
    block(places.blocked, places.supports, mask);
  }
}
