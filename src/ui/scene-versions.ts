import type { Scene, Store } from "../scene/project.ts";

/** Numbers that rise with each change of a scene. */
export interface SceneVersions {
  of(sceneId: string): number;
  /** The version that the scene had in this state, or got when it last came back to it. */
  ofState(scene: Scene): number;
}

/** Versions of the scenes of a store, from now on. No two changes of any scenes have the same, so that one that comes back is new. */
export function newSceneVersions(store: Store): SceneVersions {
  const versions = new Map<string, number>();
  const ofStates = new WeakMap<Scene, number>();
  let last = 1;
  store.subscribe((before, after) => {
    last++;
    const old = new Map(before.scenes.map((scene) => [scene.id, scene]));
    for (const scene of after.scenes) {
      const was = old.get(scene.id);
      old.delete(scene.id);
      // A scene that is swapped out or in has not changed.
      if (was !== scene && (!was || was.swappedOut === scene.swappedOut)) versions.set(scene.id, last);
      ofStates.set(scene, versions.get(scene.id) ?? 1);
    }
    for (const id of old.keys()) versions.delete(id);
  });
  return { of: (sceneId) => versions.get(sceneId) ?? 1, ofState: (scene) => ofStates.get(scene) ?? 1 };
}
