import { stat } from "node:fs/promises";
import { forEachConcurrent } from "../../core/map-concurrent.ts";
import { paired } from "../../core/paired.ts";
import type { Compute } from "../../worker/compute.ts";
import type { PlanFileShape, UnreadableFile } from "./read-plan-shapes.ts";
import { readPlanShapesTask } from "./task.ts";

/** Files that one task reads: with one task for each, small files would cost more messages than reading. */
const BATCH_FILES = 64;
const BATCH_BYTES = 2 ** 20;

/** The shapes of model files, each read once, by their paths. */
export async function shapesOfFiles(
  files: Iterable<string>,
  { compute }: Compute,
): Promise<ReadonlyMap<string, PlanFileShape | UnreadableFile>> {
  const batches = await batchesOf([...new Set(files)]);
  const shapes = new Map<string, PlanFileShape | UnreadableFile>();
  await forEachConcurrent(batches.entries(), async ([index, batch]) => {
    const read = await compute(readPlanShapesTask, { input: { files: batch }, index, count: batches.length });
    for (const [file, shape] of paired(batch, read)) shapes.set(file, shape);
  });
  return shapes;
}

/** Files in their order, in batches of about the same size. */
async function batchesOf(files: readonly string[]): Promise<string[][]> {
  const sizes = new Map<string, number>();
  await forEachConcurrent(files, async (file) => {
    // The reader reports a missing file.
    const { size } = await stat(file).catch(() => ({ size: 0 }));
    sizes.set(file, size);
  });
  const batches: string[][] = [];
  let bytes = Infinity;
  for (const file of files) {
    const size = sizes.get(file) ?? 0;
    bytes += size;
    const last = batches.at(-1);
    if (last && last.length < BATCH_FILES && bytes <= BATCH_BYTES) last.push(file);
    else {
      batches.push([file]);
      bytes = size;
    }
  }
  return batches;
}
