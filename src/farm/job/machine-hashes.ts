import { type FileHash, hashFile } from "../store/file-store.ts";

export interface MachineFiles {
  /** As `--machines` and `--resin`. */
  readonly machines: readonly string[];
  readonly resin?: string | undefined;
}

/** Hashes of the files with machines and resins of one's own: a job is carried out only with those with which it was submitted. */
export const machineHashes = ({ machines, resin }: MachineFiles): Promise<FileHash[]> =>
  Promise.all([...machines, ...[resin ?? []].flat()].map(async (file) => (await hashFile(file)).hash));
