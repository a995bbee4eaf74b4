import { stat } from "node:fs/promises";
import { SHARED_EXTENSIONS, extensionOf } from "../../format/model-formats.ts";
import type { ImportRequest, ImportedFile } from "./import-file.ts";
import type { RequestContext } from "../../api/endpoint.ts";
import { mapDistinct } from "../mesh-tasks.ts";
import { divideFile, importFile, makeShare } from "./task.ts";

/** Smaller files are read in a second by one thread, which has to read them once only. */
const MIN_SHARED_BYTES = 2 ** 20;

/** Reads a model file: on all threads where it is large and its format allows it, with the same result. */
export async function importOnThreads(
  request: ImportRequest,
  compute: RequestContext["compute"],
  minBytes = MIN_SHARED_BYTES,
): Promise<ImportedFile> {
  const { file, unitMm } = request;
  if (!SHARED_EXTENSIONS.includes(extensionOf(file))) return compute(importFile, request);
  // The reader reports a missing file.
  const { size } = await stat(file).catch(() => ({ size: 0 }));
  if (size < minBytes) return compute(importFile, request);
  const shared = { file, options: { ...request.options, unitMm } };
  const { texts, options } = await compute(divideFile, shared);
  const made = await mapDistinct([...texts.keys()], String, (i, share) =>
    compute(makeShare, { input: { file, options, text: texts[i] }, ...share }),
  );
  return compute(importFile, { ...request, options: { ...request.options, made: made.flat() } });
}
