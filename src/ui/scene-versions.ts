import type { Store } from "../scene/project.ts";

/** Numbers that rise with each change of a scene. */
export interface SceneVersions {
  of(sceneId: string): number;
}

/** Versions of the scenes of a store, from now on. No two changes of any scenes have the same, so that one that comes back is new. */
export function newSceneVersions(store: Store): SceneVersions {
  const versions = new Map<string, number>();
  let last = 1;
  store.subscribe((before, after) => {
    last++;
    const known = new Set(before.scenes);
    for (const scene of after.scenes) if (!known.delete(scene)) versions.set(scene.id, last);
    const present = new Set(after.scenes.map(({ id }) => id));
    for (const { id } of known) if (!present.has(id)) versions.delete(id);
  });
  return { of: (sceneId) => versions.get(sceneId) ?? 1 };
}
