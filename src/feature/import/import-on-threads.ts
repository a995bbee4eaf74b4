import { stat } from "node:fs/promises";
import { SHARED_EXTENSIONS, extensionOf } from "../../format/model-formats.ts";
import type { ImportRequest, ImportedFile } from "./import-file.ts";
import type { RequestContext } from "../../api/endpoint.ts";
import { mapDistinct } from "../mesh-tasks.ts";
import { divideFileTask, importFileTask, makeShareTask } from "./task.ts";

/** One thread reads a smaller file in a second, and the file is read only once. */
const MIN_SHARED_BYTES = 2 ** 20;

/** Reads a model file: on all threads if it is large and its format allows it, with the same result. */
export async function importOnThreads(
  request: ImportRequest,
  compute: RequestContext["compute"],
  minBytes = MIN_SHARED_BYTES,
): Promise<ImportedFile> {
  const { file, unitMm } = request;
  if (!SHARED_EXTENSIONS.includes(extensionOf(file))) return compute(importFileTask, request);
  // The reader reports a missing file.
  const { size } = await stat(file).catch(() => ({ size: 0 }));
  if (size < minBytes) return compute(importFileTask, request);
  const shared = { file, options: { ...request.options, unitMm } };
  const { texts, options } = await compute(divideFileTask, shared);
  const made = await mapDistinct(
    [...texts.entries()],
    ([i]) => String(i),
    ([, text], share) => compute(makeShareTask, { input: { file, options, text }, ...share }),
  );
  return compute(importFileTask, { ...request, options: { ...request.options, made: made.flat() } });
}
