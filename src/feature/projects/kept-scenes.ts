import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { MAX_KEPT_MS } from "../../core/limits.ts";
import type { Progress } from "../../core/progress.ts";
import {
  type KeptEntry,
  type KeptScene,
  keptMeshFile,
  keptMeshNames,
  keptSceneFile,
  keptSceneIds,
  makeStateFolder,
  readKeptEntry,
  readKeptScene,
  writeKeptScene,
} from "../../format/form/kept-scene.ts";
import { meshEntryName } from "../../format/form/mesh-entry.ts";
import { type OpenedForm, READ_SHARE, completeForm } from "./open-form.ts";

// The work on a state folder, which a thread does: one task at a time.

/** Beyond this size of a state folder, its oldest scenes are removed. */
const MOST_BYTES_KEPT = 4 * 2 ** 30;

export interface KeptContent {
  /** The scenes, the newest first. */
  readonly scenes: readonly KeptEntry[];
  readonly damaged: readonly { readonly id: string; readonly reason: string }[];
}

/** What a state folder holds, without the meshes. */
export function listKept(folder: string): KeptContent {
  makeStateFolder(folder);
  const scenes: KeptEntry[] = [];
  const damaged: { id: string; reason: string }[] = [];
  for (const id of keptSceneIds(folder)) {
    try {
      scenes.push(readKeptEntry(folder, id));
    } catch (thrown) {
      damaged.push({ id, reason: (thrown as Error).message });
    }
  }
  return { scenes: scenes.sort((a, b) => b.keptAt.localeCompare(a.keptAt)), damaged };
}

/** Writes the scenes that changed, and removes those that are gone. */
export function keepScenes(
  { folder, changed, gone }: { folder: string; changed: readonly KeptScene[]; gone: readonly string[] },
  progress: Progress,
): void {
  for (const [i, kept] of changed.entries()) {
    writeKeptScene(folder, kept, progress.part(i / changed.length, (i + 1) / changed.length));
  }
  for (const id of gone) rmSync(keptSceneFile(folder, id), { force: true });
}

/** A kept scene as it is opened, with the ids that it had. */
export interface OpenedKept extends OpenedForm, Pick<KeptScene, "id" | "modelIds" | "cageIds" | "isNamed"> {}

export function openKept({ folder, id }: { folder: string; id: string }, progress: Progress): OpenedKept {
  const { projectName, scene, modelIds, cageIds, isNamed } = readKeptScene(folder, id, progress.part(0, READ_SHARE));
  const opened = completeForm({ projectName, scenes: [scene] }, progress.part(READ_SHARE, 1));
  return { ...opened, id, modelIds, cageIds, isNamed };
}

/**
 * Removes from a state folder the scenes that are too old or beyond its size, except those with the ids `inUse`, and the meshes to which
 * no scene refers. While a file is damaged, all meshes stay: it may refer to any.
 */
export function sweepKept({ folder, inUse, nowMs }: { folder: string; inUse: readonly string[]; nowMs: number }): void {
  const { scenes, damaged } = listKept(folder);
  const used = new Set(inUse);
  const needed = new Set<string>();
  let bytes = 0;
  // Scenes in use come first, so that their meshes cost the others nothing.
  for (const { id, keptAt, hashes } of scenes.toSorted((a, b) => Number(used.has(b.id)) - Number(used.has(a.id)))) {
    const added = hashes.filter((hash) => !needed.has(hash));
    const grown = bytes + added.reduce((sum, hash) => sum + sizeOf(keptMeshFile(folder, hash)), 0);
    const isTooOld = Date.parse(keptAt) < nowMs - MAX_KEPT_MS;
    if (!used.has(id) && (isTooOld || grown > MOST_BYTES_KEPT)) {
      rmSync(keptSceneFile(folder, id), { force: true });
      continue;
    }
    for (const hash of added) needed.add(hash);
    bytes = grown;
  }
  if (damaged.length > 0) return;
  const names = new Set([...needed].map(meshEntryName));
  for (const name of keptMeshNames(folder)) if (!names.has(name)) rmSync(join(folder, name), { force: true });
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
