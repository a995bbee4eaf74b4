import { mapConcurrent } from "../../core/map-concurrent.ts";
import { must } from "../../core/must.ts";
import { runStepwise } from "../../core/steps.ts";
import { type LayerCure, cureReach } from "../../slice/over-cure/cure-doses.ts";
import type { CuredLayer } from "../../slice/over-cure/cured-layer.ts";
import { layerImageSize } from "../../slice/pixel-grid.ts";
import type { Stack } from "../../slice/stack.ts";
import { type Compute, whileHeld } from "../../worker/compute.ts";
import { computeChunks } from "../chunk-tasks.ts";
import type { DrawnLayers } from "./draw-coverages.ts";
import type { EncodeRequest } from "./encode-cured.ts";
import type { RasterisedLayers } from "./rasterise-layers.ts";
import { drawCoveragesTask, encodeCuredTask } from "./task.ts";

/** A job whose layers depend on others. */
export interface CuredJob extends Pick<EncodeRequest, "format" | "greys"> {
  readonly stack: Stack;
  readonly supports: Stack | undefined;
  readonly cure: LayerCure;
  /** Processor time of drawing, and about that of what follows. */
  readonly workMs: number;
}

/**
 * Draws the layers of a job, and encodes them against over-cure, on all threads. A layer depends on some below it and some above it, so that chunks are
 * encoded once these are drawn; those that no later chunk depends on are dropped. Up to then their memory is claimed.
 */
export async function* curedLayers(job: CuredJob, context: Compute): AsyncGenerator<RasterisedLayers> {
  const { stack, supports, cure, format, greys, workMs } = job;
  const { boundariesMm, chunkSize, chunkCount, grid } = stack;
  const { firsts, ends } = await runStepwise(cureReach(cure, boundariesMm));
  const { pixelMm } = layerImageSize(grid);
  const chunks = computeChunks(
    drawCoveragesTask,
    { count: chunkCount, inputOf: (chunk) => ({ stack, supports, chunk }), workMs },
    context,
  );
  const { take, drop } = newTaker(chunks, context);
  const encode = async (chunk: number): Promise<RasterisedLayers> => {
    const from = chunk * chunkSize;
    const end = Math.min(from + chunkSize, boundariesMm.length - 1);
    const first = must(firsts[from], "The layers below a chunk");
    const upTo = must(ends[end - 1], "The layers above a chunk");
    const taken = await take({ from, first, end: upTo, keepFrom: firsts[end] });
    const input = { layers: taken.layers, first, chunk: { from, end }, boundariesMm, cure, pixelMm, format, greys };
    const encoded = await whileHeld(taken.chunks, context, () => context.compute(encodeCuredTask, input));
    return { ...taken.measures, encoded };
  };
  try {
    yield* mapConcurrent(chunkCount, encode, (chunksLeft, running) =>
      context.tasksAtOnce(encodeCuredTask, (workMs * chunksLeft) / chunkCount, running),
    );
  } finally {
    await chunks.return(undefined);
    await drop();
  }
}

interface Wanted {
  /** The first layer of the chunk whose measures are wanted. */
  readonly from: number;
  /** Layers from `first` to before `end` are wanted, later ones only from `keepFrom` on. */
  readonly first: number;
  readonly end: number;
  readonly keepFrom: number | undefined;
}

/** A chunk in memory, and the end of the claim of that. */
interface KeptChunk {
  readonly drawn: DrawnLayers;
  readonly release: (() => void) | undefined;
}

/** Takes layers from chunks that are drawn in their order, in the order of its calls, and drops those that are left. */
function newTaker(chunks: AsyncGenerator<DrawnLayers>, { held }: Compute) {
  let kept: KeptChunk[] = [];
  const keep = (isWanted: (drawn: DrawnLayers) => boolean): void => {
    for (const { drawn, release } of kept) if (!isWanted(drawn)) release?.();
    kept = kept.filter(({ drawn }) => isWanted(drawn));
  };
  let drawnTo = 0;
  let turn: Promise<unknown> = Promise.resolve();
  const take = async ({ from, first, end, keepFrom = end }: Wanted) => {
    while (drawnTo < end) {
      const { value } = await chunks.next();
      const drawn: DrawnLayers = must(value, "A chunk of layers");
      kept.push({ drawn, release: held?.hold(drawn) });
      drawnTo = drawn.first + drawn.layers.length;
    }
    const all = kept.map(({ drawn }) => drawn);
    const own = must(
      all.find((drawn) => drawn.first === from),
      "The chunk of a layer",
    );
    const layers = all.flatMap((drawn): readonly CuredLayer[] =>
      drawn.layers.slice(Math.max(0, first - drawn.first), Math.max(0, end - drawn.first)),
    );
    keep((drawn) => drawn.first + drawn.layers.length > keepFrom);
    const measures = { first: from, areasMm2: own.areasMm2, perimetersMm: own.perimetersMm };
    return { layers, measures, chunks: all.filter((drawn) => drawn.first < end) };
  };
  return {
    take: (wanted: Wanted): ReturnType<typeof take> => {
      const taken = turn.then(() => take(wanted));
      turn = taken.catch(() => {});
      return taken;
    },
    /** Ends all claims, once no call takes layers any more. */
    drop: async (): Promise<void> => {
      await turn;
      keep(() => false);
    },
  };
}
