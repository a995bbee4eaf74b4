import { inputError } from "../core/api-error.ts";
import { runStepwise } from "../core/steps.ts";
import type { MemoryBudget } from "../core/memory-budget.ts";
import { appendScenes, replaceScene } from "../scene/edit.ts";
import { findScene } from "../scene/find.ts";
import type { Project, Scene, Store } from "../scene/project.ts";
import { KeptStates } from "./kept-states.ts";
import { isSameState } from "./same-state.ts";
import { trimStates } from "./trim-states.ts";

interface HistoryOptions {
  readonly maxScenes: number;
  /** How long states are kept after the last page was closed, for a page that is being reloaded. */
  readonly keepMs?: number;
  readonly budget?: MemoryBudget | undefined;
}

const KEEP_MS = 5 * 60 * 1000;

/** Undo and redo of the changes of scenes. States are kept only while a page is open, and some minutes longer. */
export class SceneHistory {
  readonly #store: Store;
  readonly #options: HistoryOptions;
  readonly #kept = new KeptStates();
  #openPages = 0;
  /** Set from the closing of the last page until the states are dropped. */
  #closing: ReturnType<typeof setTimeout> | undefined;
  /** Set while undo and redo change the project, which must not be recorded as a new change. */
  #isRestoring = false;
  #isTrimming = false;
  #isTrimDue = false;

  constructor(store: Store, options: HistoryOptions) {
    this.#store = store;
    this.#options = options;
    store.subscribe((before, after) => this.#record(before, after));
  }

  /** Keeps states from now on. The page calls the returned function when it closes. */
  open(): () => void {
    this.#openPages++;
    clearTimeout(this.#closing);
    this.#closing = undefined;
    let isOpen = true;
    return () => {
      if (isOpen) this.#closePage();
      isOpen = false;
    };
  }

  #closePage(): void {
    this.#openPages--;
    if (this.#openPages === 0) {
      this.#closing = setTimeout(() => this.close(), this.#options.keepMs ?? KEEP_MS).unref();
    }
  }

  /** Drops all states. */
  close(): void {
    clearTimeout(this.#closing);
    this.#closing = undefined;
    this.#kept.clear();
  }

  /** Number of changes that can be undone and redone. */
  counts(sceneId: string): { readonly undo_count: number; readonly redo_count: number } {
    const { undo, redo } = this.#kept.of(sceneId);
    return { undo_count: undo.length, redo_count: redo.length };
  }

  get deletedCount(): number {
    return this.#kept.deleted.length;
  }

  /** Undoes the last change of a scene. Throws INPUT_ERROR if there is none. Must run in the queue of the scene. */
  undo(sceneId: string): void {
    const { undo, redo } = this.#kept.of(sceneId);
    const state = undo.at(-1);
    if (!state) throw inputError("There is no change of the scene to undo.");
    const present = findScene(this.#store.read(), sceneId);
    this.#restore((project) => replaceScene(project, state));
    this.#kept.set(sceneId, { undo: undo.slice(0, -1), redo: [...redo, present] });
  }

  /** Makes the change again that was undone last. Throws INPUT_ERROR if there is none. Must run in the queue of the scene. */
  redo(sceneId: string): void {
    const { undo, redo } = this.#kept.of(sceneId);
    const state = redo.at(-1);
    if (!state) throw inputError("There is no change of the scene to redo.");
    const present = findScene(this.#store.read(), sceneId);
    this.#restore((project) => replaceScene(project, state));
    this.#kept.set(sceneId, { undo: [...undo, present], redo: redo.slice(0, -1) });
  }

  /** Merges all changes after a state into one, if that state is still kept. Changes that have taken each other back leave none. */
  join(sceneId: string, isFirst: (scene: Scene) => boolean): void {
    const { undo, redo } = this.#kept.of(sceneId);
    const first = undo.findLastIndex(isFirst);
    const state = undo[first];
    if (!state) return;
    const count = isSameState(state, findScene(this.#store.read(), sceneId)) ? first : first + 1;
    this.#kept.set(sceneId, { undo: undo.slice(0, count), redo });
  }

  /** Restores the scene that was deleted last, at the end of the project. Throws INPUT_ERROR if there is none. */
  undoDelete(): Scene {
    const { deleted } = this.#kept;
    const scene = deleted.at(-1);
    if (!scene) throw inputError("There is no deleted scene to bring back.");
    this.#restore((project) => appendScenes(project, [scene], this.#options.maxScenes));
    this.#kept.deleted = deleted.slice(0, -1);
    return scene;
  }

  #restore(edit: (project: Project) => Project): void {
    this.#isRestoring = true;
    try {
      this.#store.commit(edit);
    } finally {
      this.#isRestoring = false;
    }
  }

  #record(before: Project, after: Project): void {
    const isKeeping = this.#openPages > 0 || this.#closing !== undefined;
    if (this.#isRestoring || !isKeeping) return;
    this.#kept.record(before, after);
    const { budget } = this.#options;
    if (budget) void this.#trim(budget);
  }

  /** Trims the states after the last change; one run at a time. */
  async #trim(budget: MemoryBudget): Promise<void> {
    this.#isTrimDue = true;
    if (this.#isTrimming) return;
    this.#isTrimming = true;
    try {
      while (this.#isTrimDue) {
        this.#isTrimDue = false;
        await runStepwise(trimStates(this.#kept, this.#store, budget));
      }
    } finally {
      this.#isTrimming = false;
    }
  }
}
