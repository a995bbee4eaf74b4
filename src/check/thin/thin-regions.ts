import type { Box } from "../../geometry/box.ts";
import { newDisjointSets } from "../../geometry/disjoint-sets.ts";
import { type SpanLayer, connectedRegions, forTouchingSpans } from "../../geometry/spans.ts";
import type { Vec3 } from "../../geometry/vector.ts";
import { FULL } from "./coverage-layers.ts";
import type { ThinCell, ThinLayer } from "./thin-cells.ts";

/** A connected thin part of a solid. */
export interface ThinRegion {
  readonly volumeMm3: number;
  readonly box: Box;
}

/** The part of a region in some layers: its volume, and the least and greatest coordinates of its points. */
interface RegionPart {
  /** Sum of the coverages of its cells, an integer: the order in which parts are joined makes no difference. */
  coverage: number;
  /** Whether any cell of it is clearly thinner than the threshold. */
  isClear: boolean;
  readonly min: [number, number, number];
  readonly max: [number, number, number];
}

/** The thin cells of a layer as spans, and the part to which each span belongs. */
interface LabelledLayer {
  readonly spans: SpanLayer;
  readonly partOf: Uint32Array;
}

/** The thin regions of a slab of layers. The layers at its ends show which of them continue in the slabs below and above. */
export interface SlabRegions {
  /** Eight numbers for each part ({@link packParts}): rough parts have hundreds of thousands. */
  readonly parts: Float64Array;
  /** Absent if no layer has thin cells. */
  readonly lowest?: LabelledLayer;
  readonly highest?: LabelledLayer;
}

/** The regions of thin cells of a slab that touch each other, corners included. `toScene` gives scene coordinates. */
export function slabRegions(layers: Iterable<ThinLayer>, rows: number, toScene: (point: Vec3) => Vec3): SlabRegions {
  const parts: RegionPart[] = [];
  const links: number[] = [];
  let lowest: LabelledLayer | undefined;
  let below: LabelledLayer | undefined;
  for (const { layer, cells } of layers) {
    const spans = spansOf(layer, cells, rows);
    const { count, regionOf } = connectedRegions(spans, "CORNERS");
    const first = parts.length;
    const partOf = regionOf.map((region) => first + region);
    for (let i = 0; i < count; i++) parts.push(emptyPart());
    addCells(parts, partOf, spans, cells, toScene);
    const here = { spans, partOf };
    linkLayers(below, here, links);
    lowest ??= here;
    below = here;
  }
  if (!lowest || !below) return { parts: new Float64Array() };
  const { joined, indexOf } = joinParts(parts, links);
  const relabelled = ({ spans, partOf }: LabelledLayer): LabelledLayer => ({
    spans,
    partOf: partOf.map((part) => indexOf[part]),
  });
  return { parts: packParts(joined), lowest: relabelled(lowest), highest: relabelled(below) };
}

/**
 * The regions of all slabs, given from the lowest up, in the order of their first cells. Regions without a cell of a clearly thin part
 * are omitted: a part just about as thick as the threshold would fall into specks.
 */
export function joinSlabs(slabs: readonly SlabRegions[], cellMm3: number): ThinRegion[] {
  const parts = slabs.flatMap((slab) => unpackParts(slab.parts));
  const links: number[] = [];
  let below: LabelledLayer | undefined;
  let first = 0;
  const placed = (layer: LabelledLayer | undefined): LabelledLayer | undefined =>
    layer && { spans: layer.spans, partOf: layer.partOf.map((part) => first + part) };
  for (const { parts: own, lowest, highest } of slabs) {
    linkLayers(below, placed(lowest), links);
    below = placed(highest);
    first += own.length / STRIDE;
  }
  return joinParts(parts, links)
    .joined.filter(({ isClear }) => isClear)
    .map(({ coverage, min, max }) => ({ volumeMm3: (coverage / FULL) * cellMm3, box: { min, max } }));
}

const STRIDE = 8;

/** Coverage, 1 for clear, least x, y, z and greatest x, y, z of each part. */
const packParts = (parts: readonly RegionPart[]): Float64Array =>
  Float64Array.from(parts.flatMap(({ coverage, isClear, min, max }) => [coverage, Number(isClear), ...min, ...max]));

const unpackParts = (packed: Float64Array): RegionPart[] =>
  Array.from({ length: packed.length / STRIDE }, (_, i) => {
    const [coverage, clear, x, y, z, maxX, maxY, maxZ] = packed.subarray(STRIDE * i, STRIDE * (i + 1));
    return { coverage, isClear: clear === 1, min: [x, y, z], max: [maxX, maxY, maxZ] };
  });

/** Appends the pairs of parts of two layers that touch, if the layers are neighbours. */
function linkLayers(below: LabelledLayer | undefined, above: LabelledLayer | undefined, links: number[]): void {
  if (!above || below?.spans.index !== above.spans.index - 1) return;
  forTouchingSpans(above.spans, below.spans, (span, other) => links.push(above.partOf[span], below.partOf[other]));
}

/** Joins linked parts, in the order of their first ones. `indexOf`: the index of the joined part of each part. */
function joinParts(
  parts: readonly RegionPart[],
  links: readonly number[],
): { readonly joined: RegionPart[]; readonly indexOf: Uint32Array } {
  const sets = newDisjointSets(parts.length);
  for (let i = 0; i < links.length; i += 2) sets.join(links[i], links[i + 1]);
  const joined: RegionPart[] = [];
  const indexOf = new Uint32Array(parts.length);
  parts.forEach((part, i) => {
    const root = sets.find(i);
    // The root of a set is its least member.
    if (root === i) indexOf[i] = joined.push({ ...part, min: [...part.min], max: [...part.max] }) - 1;
    else addPart(joined[(indexOf[i] = indexOf[root])], part);
  });
  return { joined, indexOf };
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

/** Adds each cell of the spans, which are in the order of `cells`, to the part of its span. */
function addCells(
  parts: readonly RegionPart[],
  partOf: Uint32Array,
  { ends, starts }: SpanLayer,
  cells: readonly ThinCell[],
  toScene: (point: Vec3) => Vec3,
): void {
  let cell = 0;
  for (let span = 0; span < partOf.length; span++) {
    for (let i = starts[span]; i < ends[span]; i++) {
      const { coverage, isClear, point } = cells[cell++];
      const at = toScene(point);
      addPart(parts[partOf[span]], { coverage, isClear, min: [...at], max: [...at] });
    }
  }
}

const emptyPart = (): RegionPart => ({
  coverage: 0,
  isClear: false,
  min: [Infinity, Infinity, Infinity],
  max: [-Infinity, -Infinity, -Infinity],
});

function addPart(part: RegionPart, other: RegionPart): void {
  part.coverage += other.coverage;
  part.isClear ||= other.isClear;
  for (let axis = 0; axis < 3; axis++) {
    part.min[axis] = Math.min(part.min[axis], other.min[axis]);
    part.max[axis] = Math.max(part.max[axis], other.max[axis]);
  }
}
