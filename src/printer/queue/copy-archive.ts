import { open } from "node:fs/promises";
import { withFileErrorsAsync } from "../../core/file-error.ts";
import { streamFileAtomically } from "../../core/write-file.ts";

const COPY_BYTES = 2 ** 20;

/**
 * Copies the archive of a job, all or nothing, as `PrintJob.writeTo` writes it. Throws OPERATION_FAILED where a file cannot be read or
 * written.
 */
export async function copyArchive(from: string, to: string, beforeRename: () => void): Promise<void> {
  const source = await withFileErrorsAsync("read", from, () => open(from));
  try {
    const copy = async (target: { append(bytes: Uint8Array): Promise<void> }): Promise<void> => {
      const buffer = new Uint8Array(COPY_BYTES);
      for (let at = 0; ;) {
        const { bytesRead } = await withFileErrorsAsync("read", from, () => source.read(buffer, 0, COPY_BYTES, at));
        if (bytesRead === 0) return;
        await target.append(buffer.subarray(0, bytesRead));
        at += bytesRead;
      }
    };
    await streamFileAtomically(to, copy, beforeRename);
  } finally {
    await source.close();
  }
}
