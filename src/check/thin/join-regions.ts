import type { Box, Vec3 } from "../../core/geometry.ts";
import { newDisjointSets } from "../../mesh/disjoint-sets.ts";
import { regionsOf, touchesOf } from "../../slice/regions.ts";
import type { SpanLayer } from "../../slice/span-layers.ts";
import type { ThinCell, ThinLayer } from "./thin-layers.ts";

/** A connected part of a solid that is thin. */
export interface ThinRegion {
  readonly volumeMm3: number;
  readonly box: Box;
}

/** A part of a region that lies in one layer: how many cells are solid, and the least and greatest coordinates of their places. */
interface Part {
  cells: number;
  readonly min: [number, number, number];
  readonly max: [number, number, number];
}

/**
 * The regions that cells make up which touch each other, be it at a corner, in the order of their first cells. `toScene` says where their places are.
 */
export function joinRegions(
  layers: Iterable<ThinLayer>,
  rows: number,
  cellMm3: number,
  toScene: (place: Vec3) => Vec3,
): ThinRegion[] {
  const parts: Part[] = [];
  const links: number[] = [];
  let below: { readonly spans: SpanLayer; readonly partOf: Uint32Array } | undefined;
  for (const { layer, cells } of layers) {
    const spans = spansOf(layer, cells, rows);
    const { count, regionOf } = regionsOf(spans, "CORNERS");
    const first = parts.length;
    const partOf = regionOf.map((region) => first + region);
    for (let i = 0; i < count; i++) parts.push(newPart());
    addCells(parts, partOf, spans, cells, toScene);
    if (below?.spans.index === layer - 1) {
      const { spans: spansBelow, partOf: partBelow } = below;
      touchesOf(spans, spansBelow, (span, other) => links.push(partOf[span], partBelow[other]));
    }
    below = { spans, partOf };
  }
  const sets = newDisjointSets(parts.length);
  for (let i = 0; i < links.length; i += 2) sets.join(links[i], links[i + 1]);
  parts.forEach((part, i) => {
    if (sets.find(i) !== i) grow(parts[sets.find(i)], part);
  });
  return parts
    .filter((_, i) => sets.find(i) === i)
    .map(({ cells, min, max }) => ({ volumeMm3: cells * cellMm3, box: { min, max } }));
}

function spansOf(layer: number, cells: readonly ThinCell[], rows: number): SpanLayer {
  const rowStarts = new Uint32Array(rows + 1);
  const starts: number[] = [];
  const ends: number[] = [];
  cells.forEach(({ row, column }, i) => {
    if (i > 0 && cells[i - 1].row === row && cells[i - 1].column === column - 1) ends[ends.length - 1]++;
    else {
      starts.push(column);
      ends.push(column + 1);
      rowStarts[row + 1]++;
    }
  });
  for (let row = 0; row < rows; row++) rowStarts[row + 1] += rowStarts[row];
  return { index: layer, rowStarts, starts: Uint16Array.from(starts), ends: Uint16Array.from(ends) };
}

/** Spans hold the cells in their order. */
function addCells(
  parts: readonly Part[],
  partOf: Uint32Array,
  { ends, starts }: SpanLayer,
  cells: readonly ThinCell[],
  toScene: (place: Vec3) => Vec3,
): void {
  let cell = 0;
  for (let span = 0; span < partOf.length; span++) {
    for (let i = starts[span]; i < ends[span]; i++) {
      const { share, place } = cells[cell++];
      const at = toScene(place);
      grow(parts[partOf[span]], { cells: share, min: [...at], max: [...at] });
    }
  }
}

const newPart = (): Part => ({
  cells: 0,
  min: [Infinity, Infinity, Infinity],
  max: [-Infinity, -Infinity, -Infinity],
});

function grow(part: Part, other: Part): void {
  part.cells += other.cells;
  for (let axis = 0; axis < 3; axis++) {
    part.min[axis] = Math.min(part.min[axis], other.min[axis]);
    part.max[axis] = Math.max(part.max[axis], other.max[axis]);
  }
}
