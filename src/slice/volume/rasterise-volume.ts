import { type PlacedFacets, layersOf, newChunkCutter, placeFacets } from "../cut-layers.ts";
import { type Segments, copySegments, newSegments } from "../outline-segments.ts";
import { newEdgeShifter } from "../edges/edge-shifter.ts";
import { type PixelBox, infillPixels } from "../infill/infill-outlines.ts";
import { newMeanOfLayers } from "./mean-of-layers.ts";
import { layerImageSize } from "../pixel-grid.ts";
import { PLANES, PlaneMeans } from "./plane-means.ts";
import type { LayerModels } from "../raster/raster-kernel.ts";
import { LayerRasteriser, type LayerRuns } from "../raster/rasterise-layer.ts";
import { type Stack, facetsOf, layerCountOf } from "../stack.ts";
import { copyWhere } from "../supports-without-grey.ts";
import { type ClipColumns, LEFT_OUT, type VolumeFacets, VolumeKernel } from "./volume-kernel.ts";
import { addVolumeOutline } from "./volume-outline.ts";
import { copyOfRuns } from "../written-runs.ts";

/** A layer of a chunk by volume, or a layer beside the chunk. Overwritten by the next one. */
export interface VolumeLayer {
  /** Index of the layer, counted from the platform. */
  readonly index: number;
  /** The outlines at the middle of the layer. */
  readonly segments: Segments;
  /** Number of the first ones that are of meshes, as in `cutLayers`. */
  readonly meshSegments: number;
  /**
   * The share of each pixel's volume inside the union of the models that are no supports without grey, from 0 to 255. Absent for layers
   * beside the chunk. Neighbours may have equal values.
   */
  readonly volume?: LayerRuns | undefined;
  /** Sum of the exact shares, in pixels. Without pixels that are means of planes. */
  readonly volumePixels: number;
}

/**
 * Draws layers of `width` × `height` pixels by the exact volume of each pixel. Where surfaces of several bodies share a pixel, in solids with
 * gaps, around infill, and where the build volume divides a pixel, and in layers with moved
 * edges, it is the mean of the areas at {@link PLANES} planes.
 */
export class VolumeRasteriser {
  readonly #kernel: VolumeKernel;
  readonly #means: PlaneMeans;
  readonly #outlines: LayerRasteriser;
  readonly #meanOf: (layers: readonly LayerRuns[]) => LayerRuns;
  readonly #middle = newSegments();
  readonly #parts = newSegments();

  constructor(width: number, height: number) {
    this.#kernel = new VolumeKernel(width, height);
    this.#means = new PlaneMeans(width, height);
    this.#outlines = new LayerRasteriser(width, height);
    this.#meanOf = newMeanOfLayers(width, height);
  }

  /**
   * The layers of a chunk, from the lowest up; before and after them come the outlines of the layers beside the chunk. All chunks of a thread
   * share memory. `poll` may throw to cancel.
   */
  *layers(stack: Stack, chunk: number, models: LayerModels, poll: () => void): Generator<VolumeLayer> {
    const { boundariesMm, edges, solidOf, grid } = stack;
    const shift = edges && newEdgeShifter(edges, solidOf.length, layerImageSize(grid).pixelMm);
    const { from, end } = layersOf(stack, chunk);
    const first = Math.max(0, from - 1);
    const last = Math.min(layerCountOf(stack), end + 1);
    const facets = placeFacets(stack, chunk);
    const cutter = newChunkCutter(stack, facets, planesMm(boundariesMm.subarray(first, last + 1)), poll);
    const heightsMm = boundariesMm.subarray(from, end + 1);
    this.#kernel.load(taggedFacets(stack, chunk, facets), heightsMm, this.#clipColumns(stack, poll));
    for (let index = first; index < last; index++) {
      const isInChunk = index >= from && index < end;
      const spans = isInChunk
        ? this.#kernel.rasterise(index - from, heightsMm, infillOf(stack, index), poll)
        : undefined;
      // Facets do not tell the volume between moved edges.
      const isMoved = spans !== undefined && edges !== undefined && edges.shiftsMm[index] !== 0;
      const hasUnknown = spans !== undefined && !isMoved && this.#means.begin(spans);
      const planes: LayerRuns[] = [];
      const passPlanes = (): void => {
        for (let plane = 0; plane < PLANES / 2; plane++) {
          if (!hasUnknown && !isMoved) {
            cutter.skip();
            continue;
          }
          const cut = cutter.cut();
          const moved = shift ? shift({ index, segments: cut, meshSegments: cutter.meshSegments() }) : cut;
          const outlines = this.#solidOutlines(stack, moved, models);
          if (hasUnknown) this.#means.add(outlines, models, poll);
          else planes.push(copyOfRuns(this.#outlines.rasterise(outlines, models, poll).runs));
        }
      };
      passPlanes();
      const middle = cutter.cut();
      const meshSegments = cutter.meshSegments();
      if (hasUnknown || isMoved) copySegments(middle, this.#middle);
      passPlanes();
      yield {
        index,
        segments: hasUnknown || isMoved ? this.#middle : middle,
        meshSegments,
        volume: isMoved ? this.#meanOf(planes) : spans && this.#means.filled(spans, hasUnknown),
        volumePixels: this.#kernel.volumePixels,
      };
    }
  }

  /** The outlines of models that are no supports without grey, and of the build volume if it clips them. */
  #solidOutlines({ isSupport, clipTo, grid }: Stack, segments: Segments, { boundary }: LayerModels): Segments {
    if (isSupport) copyWhere(segments, this.#parts, (model) => isSupport[model] !== 1);
    const outlines = isSupport ? this.#parts : segments;
    if (clipTo) addVolumeOutline(outlines, clipTo, grid, boundary);
    return outlines;
  }

  /** The columns that are wholly inside the volume that clips the models. */
  #clipColumns({ clipTo, grid }: Stack, poll: () => void): ClipColumns | undefined {
    if (!clipTo) return undefined;
    this.#parts.count = 0;
    addVolumeOutline(this.#parts, clipTo, grid, 0);
    const { height, rowStarts, starts, ends, values } = this.#outlines.rasterise(
      this.#parts,
      { count: 1, boundary: -1 },
      poll,
    ).runs;
    const columns = { starts: new Uint16Array(height), ends: new Uint16Array(height) };
    for (let row = 0; row < height; row++) {
      for (let run = rowStarts[row]; run < rowStarts[row + 1]; run++) {
        if (values[run] === WHITE) [columns.starts[row], columns.ends[row]] = [starts[run], ends[run]];
      }
    }
    return columns;
  }
}

const WHITE = 255;

/** The pixels of infill, which has no facets, in a layer. */
const infillOf = ({ infills = [], grid, boundariesMm }: Stack, index: number): PixelBox[] =>
  infills
    .map((infill) => infillPixels(infill, grid, boundariesMm[index], boundariesMm[index + 1]))
    .filter((box) => box !== undefined);

/** The planes of layers, from the lowest up: those for means below the middle, the middle, and those above it. */
function planesMm(boundariesMm: Float64Array): Float64Array {
  const planes: number[] = [];
  for (let k = 0; k + 1 < boundariesMm.length; k++) {
    const [bottomMm, topMm] = [boundariesMm[k], boundariesMm[k + 1]];
    for (let plane = 0; plane < PLANES; plane++) {
      if (plane === PLANES / 2) planes.push((bottomMm + topMm) / 2);
      planes.push(bottomMm + ((plane + 0.5) / PLANES) * (topMm - bottomMm));
    }
  }
  return Float64Array.from(planes);
}

/** Bits of the tags of facets, as in `slab-polygons.as.ts`; the body follows. */
const TAGS = { reversed: 1, open: 2, bits: 2 } as const;

/** The facets of a chunk for the kernel, without those of supports without grey. */
function taggedFacets(stack: Stack, chunk: number, facets: PlacedFacets): VolumeFacets {
  const { solids, solidOf, bodyStarts = [], isSupport } = stack;
  const tags = new Uint32Array(facets.count);
  let [i, firstBody] = [0, 0];
  for (const [model, solid] of solidOf.entries()) {
    const starts = bodyStarts[solid];
    const open = solids[solid].isOpen ? TAGS.open : 0;
    let body = 0;
    for (const facet of facetsOf(stack, model, chunk)) {
      while (body + 1 < starts.length && starts[body + 1] <= facet) body++;
      const reversed = facets.isReversed[i] === 1 ? TAGS.reversed : 0;
      tags[i++] = isSupport?.[model] === 1 ? LEFT_OUT : ((firstBody + body) << TAGS.bits) | open | reversed;
    }
    firstBody += starts.length;
  }
  return { ...facets, tags };
}
