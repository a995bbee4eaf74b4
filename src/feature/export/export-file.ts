import { fileError } from "../../core/file-error.ts";
import type { TaskProgress } from "../../core/progress.ts";
import { writeFileAtomically } from "../../core/write-file.ts";
import { extensionOf, writerFor } from "../../format/model-formats.ts";
import type { WrittenBody } from "../../format/model-writer.ts";

export interface ExportRequest {
  /** Path whose extension is one of `WRITTEN_EXTENSIONS`, in any case. */
  readonly file: string;
  /** At least one. */
  readonly bodies: readonly WrittenBody[];
}

/** Writes bodies of a scene to a model file, completely or not at all. Throws OPERATION_FAILED if that fails. */
export async function exportFile({ file, bodies }: ExportRequest, progress: TaskProgress): Promise<void> {
  progress.report(0);
  const writer = await writerFor(extensionOf(file));
  const chunks = writer.chunks(bodies, (why) => fileError("write", file, why), progress);
  writeFileAtomically(file, chunks, progress.commit);
}
