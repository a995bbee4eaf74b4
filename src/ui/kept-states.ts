import type { Project, Scene } from "../scene/project.ts";
import { isSameState } from "./same-state.ts";

/** Earlier states of a scene (`undo`, oldest first), and states after the present one (`redo`, the next one last). */
interface States {
  readonly undo: readonly Scene[];
  readonly redo: readonly Scene[];
}

const NO_STATES: States = { undo: [], redo: [] };

/** Maximum number of states of a scene to undo, and of deleted scenes. */
const MAX_STATES = 50;
const MAX_DELETED = 10;

/** States of scenes that a page can return to, and deleted scenes (the last deleted one last). */
export class KeptStates {
  #deleted: readonly Scene[] = [];
  readonly #states = new Map<string, States>();

  get deleted(): readonly Scene[] {
    return this.#deleted;
  }

  set deleted(scenes: readonly Scene[]) {
    this.#deleted = scenes.slice(-MAX_DELETED);
  }

  of(sceneId: string): States {
    return this.#states.get(sceneId) ?? NO_STATES;
  }

  set(sceneId: string, states: States): void {
    this.#states.set(sceneId, states);
  }

  entries(): Iterable<[sceneId: string, states: States]> {
    return this.#states;
  }

  clear(): void {
    this.#deleted = [];
    this.#states.clear();
  }

  /**
   * Keeps the previous state of each scene that the change modified or deleted. States to redo are dropped, unless the change only gave
   * names: then they get these names as well.
   */
  record(before: Project, after: Project): void {
    const next = new Map(after.scenes.map((scene) => [scene.id, scene]));
    for (const scene of before.scenes) {
      const now = next.get(scene.id);
      // Moving the meshes of a scene to a file, or back to memory, does not change the scene.
      if (now === scene || (now && now.swappedOut !== scene.swappedOut)) continue;
      if (now) this.#recordChanged(scene, now);
      else this.#recordDeleted(scene);
    }
  }

  #recordChanged(before: Scene, after: Scene): void {
    const { undo, redo } = this.of(before.id);
    this.set(before.id, {
      undo: [...undo, before].slice(-MAX_STATES),
      redo: isSameState(before, after, true) ? renamedStates(redo, before, after) : [],
    });
  }

  #recordDeleted(scene: Scene): void {
    // A scene whose meshes are in a file cannot be restored: the file is deleted with the scene.
    if (!scene.swappedOut) this.deleted = [...this.deleted, scene];
    this.#states.delete(scene.id);
  }

  /** Drops a state and all states that can only be reached through it: older ones to undo, or later ones to redo. */
  dropThrough(sceneId: string, scene: Scene): void {
    const { undo, redo } = this.of(sceneId);
    this.set(sceneId, { undo: undo.slice(undo.indexOf(scene) + 1), redo: redo.slice(redo.indexOf(scene) + 1) });
  }
}

/** States to redo with the names that a change gave. Those that differ from the state before them in nothing more are dropped. */
function renamedStates(redo: readonly Scene[], before: Scene, after: Scene): readonly Scene[] {
  const names = givenNames(before, after);
  const withName = <Named extends { readonly id: string }>(one: Named): Named => ({ ...one, ...names.get(one.id) });
  const states = redo.map((state): Scene => {
    const { models, cages } = state;
    return { ...withName(state), models: models.map(withName), cages: cages.map(withName) };
  });
  return states.filter((state, i) => !isSameState(state, states[i + 1] ?? after));
}

interface Name {
  readonly name?: string;
}

/** The names that a change gave, by the ids of what has them. */
function givenNames(before: Scene, after: Scene): ReadonlyMap<string, Name> {
  const named = (scene: Scene): readonly (Name & { readonly id: string })[] => [scene, ...scene.models, ...scene.cages];
  const old = new Map(named(before).map(({ id, name }) => [id, name]));
  return new Map(
    named(after).flatMap(({ id, name }) =>
      name === undefined || old.get(id) === name ? [] : [[id, { name }] as const],
    ),
  );
}
