import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { excerpt, operationFailed } from "../../core/api-error.ts";
import { withFileErrorsAsync } from "../../core/file-error.ts";
import { inPrivateFolder } from "../../core/private-folder.ts";
import { streamFileAtomically } from "../../core/write-file.ts";
import { type FileStore, hashFile } from "../store/file-store.ts";
import type { JobResult } from "./job-payload.ts";
import { whyNotRelative } from "./step-files.ts";

/**
 * Writes the files of a job into `folder`, under their names, each completely or not at all; existing ones are replaced. Returns the names.
 */
export async function fetchOutputs(
  { outputs }: JobResult,
  store: FileStore,
  folder: string,
): Promise<readonly string[]> {
  const names = Object.keys(outputs);
  // What a worker says is not trusted with the files of this user.
  const bad = names.find((name) => whyNotRelative(name) !== undefined);
  if (bad !== undefined)
    throw operationFailed(
      `The worker of the job names a file "${excerpt(bad)}", which leads out of the folder: check that worker.`,
    );
  return inPrivateFolder("farm", async (temporary) => {
    for (const [index, [name, { hash }]] of Object.entries(outputs).entries()) {
      const [fetched, path] = [join(temporary, String(index)), join(folder, name)];
      await store.fetch(hash, fetched);
      await withFileErrorsAsync("write", path, () => mkdir(dirname(path), { recursive: true }));
      // A copy, since the fetched file may be a link to the stored one.
      await streamFileAtomically(path, (file) => hashFile(fetched, (piece) => file.append(piece)));
    }
    return names;
  });
}
