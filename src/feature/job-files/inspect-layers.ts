import { must } from "../../core/must.ts";
import { type CoarseGrid, coarseGrid } from "../../job/inspect/coarse-spans.ts";
import type { PixelPlace } from "../../job/inspect/islands.ts";
import { type SampledGrid, sampledGrid } from "../../job/inspect/sampled-spans.ts";
import { overhangPixelMm } from "../../slice/overhang/overhang-pixel.ts";
import type { OverhangField } from "../../slice/overhang/overhang-field.ts";
import type { Compute } from "../../worker/compute.ts";
import { computeChunks } from "../chunk-tasks.ts";
import type { ConcludedLayers, EmptyChunk } from "./conclude-layers.ts";
import type { ExamineRequest, ExaminedLayers } from "./examine-layers.ts";
import { type JobCheck, chunkCount, layersOfChunk } from "./job-checks.ts";
import type { JobHead } from "./read-job.ts";
import { concludeJobLayersTask, examineJobLayersTask, walkJobOverhangsTask } from "./task.ts";
import type { OverhangRules, WalkedChunk } from "./walk-overhangs.ts";

/** Spacing of the samples in which cups are found, as in `check/cups.ts`. Walls of this thickness do not leak. */
const CUP_PIXEL_MM = 0.1;

/** Processor time of a full layer of 11520 × 5120 pixels with all checks, ms. */
const LAYER_MS = 5;

/** What the layers of a job hold. */
export interface InspectedLayers extends ConcludedLayers {
  /** Lit pixels of each layer. */
  readonly lit: Float64Array;
  /** Sum of the values of each layer, of which 255 is the full light of a pixel. */
  readonly values: Float64Array;
  /** Lit pixels at the edges of the panel, of each layer. */
  readonly border: Float64Array;
  readonly islandCount: number;
  /** The lowest ones. */
  readonly islands: readonly PixelPlace[];
  readonly unsupportedMm2: number;
}

interface InspectRequest extends OverhangRules {
  readonly file: string;
  readonly head: JobHead;
  /** Size of a pixel of the pictures; without it no cups and overhangs are found. */
  readonly pixelMm: readonly [acrossMm: number, downMm: number] | undefined;
  readonly checks: readonly JobCheck[];
}

/** Islands that are listed; all are counted. */
const MAX_ISLANDS = 1000;

/** Decodes and examines all layers of a job on all threads. The distances of overhangs go on from chunk to chunk, beside the other threads. */
export async function inspectLayers(request: InspectRequest, context: Compute): Promise<InspectedLayers> {
  const { head, checks, pixelMm } = request;
  const count = head.exposuresS.length;
  const sampled = pixelMm && checks.includes("CUPS") ? sampledGrid(head.pixels, pixelMm, CUP_PIXEL_MM) : undefined;
  const walk = pixelMm && checks.includes("OVERHANGS") ? newWalk(request, pixelMm, context) : undefined;
  const sums = { lit: new Float64Array(count), values: new Float64Array(count), border: new Float64Array(count) };
  const islands: PixelPlace[] = [];
  const empties: EmptyChunk[] = [];
  let islandCount = 0;
  try {
    for await (const part of computeChunks(examineJobLayersTask, chunksOf(request, sampled, walk?.grid), context)) {
      part.sums.forEach((layer, k) => {
        sums.lit[part.first + k] = layer.lit;
        sums.values[part.first + k] = layer.values;
        sums.border[part.first + k] = layer.border;
      });
      islandCount += part.islandCount;
      islands.push(...part.islands.slice(0, MAX_ISLANDS - islands.length));
      if (part.empty && part.emptyPlaces) empties.push({ empty: part.empty, emptyPlaces: part.emptyPlaces });
      await walk?.add(part);
    }
    const unsupported = (await walk?.result()) ?? [];
    const concluded = await context.compute(concludeJobLayersTask, {
      boundariesMm: head.boundariesMm,
      pixelMm: pixelMm ?? [0, 0],
      cups: sampled && { grid: sampled, chunks: empties },
      overhangs: walk && { grid: walk.grid, listed: unsupported.map(({ listed }) => listed) },
    });
    const unsupportedPixels = unsupported.reduce((sum, part) => sum + part.count, 0);
    const unsupportedMm2 = unsupportedPixels * (walk?.grid.pixelMm ?? 0) ** 2;
    return { ...sums, ...concluded, islandCount, islands, unsupportedMm2 };
  } finally {
    walk?.release();
  }
}

function chunksOf({ file, head, checks }: InspectRequest, sampled?: SampledGrid, coarse?: CoarseGrid) {
  const layerCount = head.exposuresS.length;
  const chunks = chunkCount(layerCount);
  return {
    count: chunks,
    workMs: LAYER_MS * layerCount,
    inputOf(chunk: number) {
      const [first, end] = layersOfChunk(chunk, layerCount);
      const input: ExamineRequest = { file, layerCount, first, end, checks, sampled, coarse };
      return { input, index: chunk, count: chunks };
    },
  };
}

/** The distances of overhangs, chunk by chunk: each is walked while threads examine the next ones. */
function newWalk(
  { head: { boundariesMm, pixels }, selfSupportingAngleDeg, bridgingDistanceMm }: InspectRequest,
  pixelMm: readonly [number, number],
  context: Compute,
) {
  const [widthMm, depthMm] = [pixels[0] * pixelMm[0], pixels[1] * pixelMm[1]];
  const leastMm = overhangPixelMm({ min: [0, 0, 0], max: [widthMm, depthMm, 0] });
  const grid = coarseGrid(pixels, pixelMm, Math.max(leastMm, ...pixelMm));
  const found: WalkedChunk[] = [];
  let field: OverhangField | undefined;
  let release: (() => void) | undefined;
  let below: { packed: Uint32Array; count: number } | undefined;
  let walking: Promise<unknown> | undefined;
  return {
    grid,
    /** Resolves when the chunk before is walked. */
    async add({ first, sums, coarse }: ExaminedLayers): Promise<void> {
      await walking;
      const packed = must(coarse, "The coarse layers");
      const range = boundariesMm.slice(Math.max(0, first - 1), first + sums.length + 1);
      const rules = { selfSupportingAngleDeg, bridgingDistanceMm };
      const input = { ...rules, grid, field, first, packed, below, boundariesMm: range };
      const walked = context.compute(walkJobOverhangsTask, input).then((part) => {
        found.push(part);
        field = part.field;
        release ??= context.held?.hold(field);
      });
      // An error is thrown where the walk is awaited.
      walked.catch(() => {});
      [walking, below] = [walked, { packed, count: sums.length }];
    },
    async result(): Promise<readonly WalkedChunk[]> {
      await walking;
      return found;
    },
    release: () => release?.(),
  };
}
