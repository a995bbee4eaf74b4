import { closeSync } from "node:fs";
import { type FileSource, readError } from "../codec/file-source.ts";
import { openRegularFile } from "../core/read-file.ts";
import { requireFileSize } from "./model-size.ts";

/**
 * Opens a model file while `use` runs. Throws OPERATION_FAILED for anything but a readable regular file within the bound of each
 * file.
 */
export function withFileSource<T>(path: string, use: (source: FileSource) => T): T {
  const { fd, size } = openRegularFile(path);
  const source = { path, fd, size };
  try {
    requireFileSize(size, (why) => readError(source, why));
    return use(source);
  } finally {
    closeSync(fd);
  }
}
