import { mkdirSync } from "node:fs";
import { claimFolder } from "../core/claim-folder.ts";
import { withFileErrors } from "../core/file-error.ts";

/** Where a server keeps its scenes. */
export interface KeepOptions {
  readonly folder: string;
  /** Whether a person named the folder: then the server does not start without it. */
  readonly isRequired: boolean;
}

/** Makes the folder where it is missing, and claims it for this process. Throws OPERATION_FAILED if another process uses it. */
export function openStateFolder(folder: string): () => void {
  withFileErrors("write", folder, () => mkdirSync(folder, { recursive: true, mode: 0o700 }));
  return claimFolder(folder);
}
