import type { Scene, Store } from "../scene/project.ts";

/** Version numbers of scenes, which increase with each change. */
export interface SceneVersions {
  of(sceneId: string): number;
  /** Version of this state; if undo or redo restored the state, the version of the last time. */
  ofState(scene: Scene): number;
}

/** Counts the changes of a store from now on. All scenes share one counter, so that a deleted scene that is restored gets a new version. */
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
      // Moving the meshes of a scene to a file, or back to memory, does not change the scene.
      if (was !== scene && (!was || was.swappedOut === scene.swappedOut)) versions.set(scene.id, last);
      ofStates.set(scene, versions.get(scene.id) ?? 1);
    }
    for (const id of old.keys()) versions.delete(id);
  });
  return { of: (sceneId) => versions.get(sceneId) ?? 1, ofState: (scene) => ofStates.get(scene) ?? 1 };
}
