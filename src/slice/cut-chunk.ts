import { closeGaps } from "./close-gaps.ts";
import { type Cut, newCutter } from "./cut.ts";
import { newSegments, type Segments } from "./raster/segments.ts";
import { facetsOf, layerCountOf, middlesOf, type Stack, transformOf } from "./stack.ts";

/** The outlines of a layer, as segments in pixels. */
export interface CutLayer {
  /** Counting from the platform. */
  readonly index: number;
  /** Good until the next layer. */
  readonly segments: Segments;
}

const segments = newSegments();

/** Cuts the layers of one chunk, from the lowest up; outlines of solids with gaps are closed. Only one chunk at a time. */
export function* cutChunk(stack: Stack, chunk: number, poll: () => void): Generator<CutLayer> {
  const { solids, solidOf, grid, chunkSize, boundariesMm } = stack;
  const first = chunk * chunkSize;
  const end = Math.min(first + chunkSize, layerCountOf(stack));
  const planesMm = middlesOf(boundariesMm.subarray(first, end + 1));
  const cutNext = newCutter(cutsOf(stack, chunk), planesMm, grid.mirrorX);
  const hasGaps = solids.some(({ isOpen }) => isOpen);
  for (let index = first; index < end; index++) {
    segments.count = 0;
    cutNext(segments);
    if (hasGaps) closeGaps(segments, (model) => solids[solidOf[model]].isOpen, poll);
    yield { index, segments };
  }
}

/** What the planes of a chunk meet of each model. */
const cutsOf = (stack: Stack, chunk: number): Cut[] =>
  Array.from(stack.solidOf, (solid, model): Cut => {
    return {
      solid: stack.solids[solid],
      transform: transformOf(stack, model),
      facets: facetsOf(stack, model, chunk),
      model,
    };
  });
