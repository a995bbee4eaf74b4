import { newDisjointSets } from "../../mesh/disjoint-sets.ts";
import { overlapsOf, pixelsOf, type Regions, regionsOf } from "../../slice/regions.ts";
import type { SpanGrid, SpanLayer } from "../../slice/span-layers.ts";
import { type Patch, patchesOf } from "../patch.ts";
import { emptyOf } from "./empty-of.ts";

/** A maximal connected part of the empty space that is sealed while some layer is printed. */
export interface Pocket {
  readonly volumeMm3: number;
  /** Its largest region in one layer. */
  readonly widest: Patch;
  readonly widestPixels: number;
}

/** A connected part of the empty space of all layers so far; without a pocket it is open to the air. */
interface Space {
  readonly pocket?: Pocket;
}

/** What the next layer joins together: spaces of the layers so far, and regions of its own. */
interface Meeting {
  readonly spaces: Space[];
  readonly regions: number[];
}

/** The empty space of a layer, and the space that each of its regions belongs to. */
interface Front {
  readonly empty: SpanLayer;
  readonly regions: Regions;
  readonly spaceOf: Uint32Array;
  readonly spaces: readonly Space[];
}

const NOTHING: Front = {
  empty: { index: -1, rowStarts: Uint32Array.of(0), starts: Uint16Array.of(), ends: Uint16Array.of() },
  regions: { count: 0, regionOf: Uint32Array.of() },
  spaceOf: Uint32Array.of(),
  spaces: [],
};

/**
 * The pockets of a stack of layers. Open air lies beyond the rim of the grid alone: the platform closes the stack from
 * below, and the film closes it above each layer in turn. So a space is a pocket as long as it has not reached the rim, and
 * stays one, as large as it was by then, when a later layer opens it.
 */
export function pocketsOf(layers: Iterable<SpanLayer>, boundariesMm: Float64Array, grid: SpanGrid): Pocket[] {
  const found: Pocket[] = [];
  let front = NOTHING;
  for (const layer of layers) {
    const thicknessMm = boundariesMm[layer.index + 1] - boundariesMm[layer.index];
    front = advance(front, emptyOf(layer, grid.columns), thicknessMm, grid, found);
  }
  for (const { pocket } of front.spaces) if (pocket) found.push(pocket);
  return found;
}

/** Adds a layer to the spaces below it. The pockets that it closes for good or opens are put into `found`. */
function advance(front: Front, empty: SpanLayer, thicknessMm: number, grid: SpanGrid, found: Pocket[]): Front {
  const regions = regionsOf(empty);
  const isOpen = openRegions(empty, regions, grid.columns);
  const meetings = meetingsOf(front, empty, regions);
  const sealed = new Set(meetings.filter((meeting) => isSealed(meeting, isOpen)));
  const sealedRegions = new Set([...sealed].flatMap((meeting) => meeting.regions));
  const patches = patchesOf(empty, regions, (region) => sealedRegions.has(region));
  const pixels = pixelsOf(empty, regions);
  const layerMm3 = grid.pixelMm * grid.pixelMm * thicknessMm;
  const beginning = (region: number): Pocket => ({
    volumeMm3: pixels[region] * layerMm3,
    widest: patches.get(region)!,
    widestPixels: pixels[region],
  });
  const spaceOf = new Uint32Array(regions.count);
  const spaces: Space[] = [];
  for (const meeting of meetings) {
    const pockets = meeting.spaces.flatMap(({ pocket }) => pocket ?? []);
    if (meeting.regions.length === 0 || !sealed.has(meeting)) found.push(...pockets);
    if (meeting.regions.length === 0) continue;
    for (const region of meeting.regions) spaceOf[region] = spaces.length;
    const join = (): Pocket => [...pockets, ...meeting.regions.map(beginning)].reduce(union);
    spaces.push({ pocket: sealed.has(meeting) ? join() : undefined });
  }
  return { empty, regions, spaceOf, spaces };
}

const isSealed = ({ spaces, regions }: Meeting, isOpen: Uint8Array): boolean =>
  spaces.every(({ pocket }) => pocket) && regions.every((region) => isOpen[region] === 0);

const union = (a: Pocket, b: Pocket): Pocket => ({
  ...(b.widestPixels > a.widestPixels ? b : a),
  volumeMm3: a.volumeMm3 + b.volumeMm3,
});

function meetingsOf(
  { empty: below, regions: regionsBelow, spaceOf, spaces }: Front,
  empty: SpanLayer,
  regions: Regions,
) {
  const sets = newDisjointSets(spaces.length + regions.count);
  if (below.starts.length > 0) {
    overlapsOf(empty, below, (span, other) =>
      sets.join(spaces.length + regions.regionOf[span], spaceOf[regionsBelow.regionOf[other]]),
    );
  }
  const meetings = new Map<number, Meeting>();
  for (let member = 0; member < spaces.length + regions.count; member++) {
    const first = sets.find(member);
    const meeting = meetings.get(first) ?? { spaces: [], regions: [] };
    meetings.set(first, meeting);
    if (member < spaces.length) meeting.spaces.push(spaces[member]);
    else meeting.regions.push(member - spaces.length);
  }
  return [...meetings.values()];
}

/** For each region, 1 when it reaches the rim of the grid. */
function openRegions(
  { rowStarts, starts, ends }: SpanLayer,
  { count, regionOf }: Regions,
  columns: number,
): Uint8Array {
  const isOpen = new Uint8Array(count);
  const lastRow = rowStarts.length - 2;
  for (let row = 0; row <= lastRow; row++) {
    for (let span = rowStarts[row]; span < rowStarts[row + 1]; span++) {
      const isAtRim = row === 0 || row === lastRow || starts[span] === 0 || ends[span] === columns;
      if (isAtRim) isOpen[regionOf[span]] = 1;
    }
  }
  return isOpen;
}
