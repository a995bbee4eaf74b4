import { stat } from "node:fs/promises";
import { SHARED_EXTENSIONS, extensionOf } from "../../format/model-formats.ts";
import type { ImportedFile } from "./import-file.ts";
import type { ShapeFrame } from "../../format/model-reader.ts";
import type { Compute } from "../../worker/compute.ts";
import { mapDistinct } from "../mesh-tasks.ts";
import { importSearched } from "./import-searched.ts";
import type { ImportRequest } from "./stored-file.ts";
import { divideFileTask, importFileTask, makeFrameTask, makeShareTask } from "./task.ts";

/** One thread reads a smaller file in a second, and the file is read only once. */
const MIN_SHARED_BYTES = 2 ** 20;
/** About the size of an STL file of 300,000 facets. A smaller file seldom has a mesh that several threads search faster. */
const MIN_SEARCHED_BYTES = 2 ** 24;

/** Reads a model file: on all threads if it is large and its format or its repair allows it, with the same result. */
export async function importOnThreads(
  request: ImportRequest,
  context: Compute,
  minBytes = MIN_SHARED_BYTES,
): Promise<ImportedFile> {
  // The reader reports a missing file.
  const { size } = await stat(request.file).catch(() => ({ size: 0 }));
  const isShared = size >= minBytes && SHARED_EXTENSIONS.includes(extensionOf(request.file));
  const whole = isShared ? await tessellated(request, context) : request;
  const isSearched = size >= MIN_SEARCHED_BYTES && request.repairBehavior === "REPAIR";
  return isSearched ? importSearched(whole, context) : context.compute(importFileTask, whole);
}

/** The request with the shapes of its file that the threads have tessellated. */
async function tessellated(request: ImportRequest, { compute }: Compute): Promise<ImportRequest> {
  const { file, unitMm } = request;
  const { texts, options, frame } = await compute(divideFileTask, { file, options: { ...request.options, unitMm } });
  let places: ShapeFrame | undefined;
  // The frame is first, because it takes longest.
  const made = await mapDistinct(
    [...(frame ? [frame] : []), ...texts].entries().toArray(),
    ([i]) => String(i),
    async ([, text], share) => {
      const item = { input: { file, options, text }, ...share };
      if (text !== frame) return compute(makeShareTask, item);
      places = await compute(makeFrameTask, item);
      return [];
    },
  );
  return { ...request, options: { ...request.options, made: made.flat(), frame: places } };
}
