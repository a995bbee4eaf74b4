import type { Progress } from "../core/progress.ts";
import { must } from "../core/must.ts";
import type { Vec3 } from "../geometry/vector.ts";
import { type Stack, layersOfChunk } from "../slice/stack.ts";
import type { BodyGroup } from "./body-group.ts";
import { MIN_CUP_MM3, PIXEL_MM, cupGrid, cupsCheck, emptyLayers } from "./cups.ts";
import { type LayerRegion, layerRegions } from "./layer-region.ts";
import { type EmptyRegions, type Pocket, findPockets } from "../geometry/pockets.ts";

/** The end of a cup at the platform, where resin leaves it first if it is opened there. */
export interface CupBottom {
  readonly volumeMm3: number;
  /** Lower boundary of the lowest layer of the cup, mm. */
  readonly heightMm: number;
  /** Points in the middle of its lowest layer, at most {@link MOST_POINTS}, spread over the region. */
  readonly points: readonly Vec3[];
}

/** Enough points that one is near each part of the rim of the region. */
const MOST_POINTS = 2048;

/** The lowest layers of the cups of a group, the largest cup first. */
export function findCupBottoms(group: BodyGroup, progress: Progress): CupBottom[] {
  const request = { group };
  const stacks = cupsCheck.prepare(request, progress.part(0, 0.1));
  const stack = must(stacks[0], "The stack of a group");
  const searching = progress.part(0.1, 0.9);
  function* layers(): Generator<EmptyRegions> {
    for (let chunk = 0; chunk < stack.chunkCount; chunk++) {
      const poll = (): void => searching.report(chunk / stack.chunkCount);
      poll();
      yield* cupsCheck.examine({ request, stacks }, chunk, poll);
    }
  }
  const cups = findPockets(layers(), group.boundariesMm, PIXEL_MM).filter(({ volumeMm3 }) => volumeMm3 >= MIN_CUP_MM3);
  const regions = lowestRegions(cups, stack, progress.part(0.9, 1));
  return cups.map((cup, i) => bottomOf(cup, regions[i], group)).toSorted((a, b) => b.volumeMm3 - a.volumeMm3);
}

/** The spans of the lowest region of each pocket. These layers are rasterised again, as for the widest ones. */
function lowestRegions(pockets: readonly Pocket[], stack: Stack, progress: Progress): LayerRegion[] {
  const byLayer = Map.groupBy(pockets, ({ lowest }) => lowest.layer);
  const found = new Map<Pocket, LayerRegion>();
  for (let chunk = 0; chunk < stack.chunkCount; chunk++) {
    const layers = layersOfChunk(stack, chunk).filter((layer) => byLayer.has(layer));
    if (layers.length === 0) continue;
    const poll = (): void => progress.report(chunk / stack.chunkCount);
    for (const { empty, regions } of emptyLayers(stack, chunk, poll, layers)) {
      for (const pocket of byLayer.get(empty.index) ?? []) {
        const spans = layerRegions(empty, regions, (one) => one === pocket.lowest.region).get(pocket.lowest.region);
        found.set(pocket, must(spans, "A lowest region"));
      }
    }
  }
  return pockets.map((pocket) => must(found.get(pocket), "A lowest region"));
}

function bottomOf({ volumeMm3 }: Pocket, { layer, spans }: LayerRegion, group: BodyGroup): CupBottom {
  const { leftMm, backMm, pixelMm } = cupGrid(group);
  const [low, high] = [group.boundariesMm[layer], group.boundariesMm[layer + 1]];
  const pixels = spans.reduce((sum, { start, end }) => sum + end - start, 0);
  const step = Math.ceil(pixels / MOST_POINTS);
  const points: Vec3[] = [];
  let next = 0;
  for (const { row, start, end } of spans) {
    for (let column = start; column < end; column++) {
      if (next++ % step !== 0) continue;
      points.push([leftMm + (column + 0.5) * pixelMm, backMm - (row + 0.5) * pixelMm, (low + high) / 2]);
    }
  }
  return { volumeMm3, heightMm: low, points };
}
