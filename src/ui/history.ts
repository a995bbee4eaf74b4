import { inputError } from "../core/api-error.ts";
import { type Steps, inTurns } from "../core/in-turns.ts";
import { type MemoryBudget, freeBytes, limitBytesOf } from "../core/memory-budget.ts";
import { memoize } from "../core/memoize.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { appendScenes, replaceScene } from "../scene/edit.ts";
import { findScene } from "../scene/find.ts";
import { type Project, type Scene, type Store, printedBodies } from "../scene/project.ts";

/** Earlier states of scenes, to which a page returns. */
export interface History {
  /** Keeps states from now on, until some minutes after the last of those who called it has called what it returns. */
  open(): () => void;
  counts(sceneId: string): { readonly undo_count: number; readonly redo_count: number };
  readonly deletedCount: number;
  /** Takes the last change of a scene back. Throws INPUT_ERROR where there is none. Runs in the queue of the scene. */
  undo(sceneId: string): void;
  /** Makes the change that was taken back last. */
  redo(sceneId: string): void;
  /** Makes one change of all those after a state, where that one is still kept. */
  join(sceneId: string, isFirst: (scene: Scene) => boolean): void;
  /** Brings the scene back that was deleted last, at the end of the project, and returns it. */
  undoDelete(): Scene;
  close(): void;
}

interface HistoryOptions {
  readonly maxScenes: number;
  /** States are kept for this long after the last page was closed, as while it is loaded again. */
  readonly keepMs?: number;
  readonly budget?: MemoryBudget | undefined;
}

const MAX_STATES = 50;
const MAX_DELETED = 10;
const KEEP_MS = 5 * 60 * 1000;
/** The meshes that only earlier states hold take at most this share of the budget, and of what work leaves free. */
const MEMORY_SHARE = 1 / 8;
const FREE_SHARE = 1 / 2;

/** The states before the present one of a scene, the oldest first, and those after it, the next one last. */
interface States {
  readonly undo: readonly Scene[];
  readonly redo: readonly Scene[];
}

const NO_STATES: States = { undo: [], redo: [] };

export function newHistory(store: Store, { maxScenes, keepMs = KEEP_MS, budget }: HistoryOptions): History {
  let users = 0;
  let closing: ReturnType<typeof setTimeout> | undefined;
  let isMoving = false;
  let deleted: readonly Scene[] = [];
  const states = new Map<string, States>();
  const isKept = (): boolean => users > 0 || closing !== undefined;
  const statesOf = (sceneId: string): States => states.get(sceneId) ?? NO_STATES;

  function clear(): void {
    clearTimeout(closing);
    closing = undefined;
    deleted = [];
    states.clear();
  }

  function record(before: Project, after: Project): void {
    if (isMoving || !isKept()) return;
    const next = new Map(after.scenes.map((scene) => [scene.id, scene]));
    for (const scene of before.scenes) {
      const now = next.get(scene.id);
      // A scene that is swapped out or in has not changed.
      if (now === scene || (now && now.swappedOut !== scene.swappedOut)) continue;
      if (now) states.set(scene.id, { undo: [...statesOf(scene.id).undo, scene].slice(-MAX_STATES), redo: [] });
      else {
        // The file of a swapped-out scene is removed with it.
        if (!scene.swappedOut) deleted = [...deleted, scene].slice(-MAX_DELETED);
        states.delete(scene.id);
      }
    }
    if (budget) scheduleTrim(budget);
  }

  let trimming: Promise<void> | undefined;
  let isChanged = false;

  /** Looks at what is kept after the last change, once at a time. */
  function scheduleTrim(memory: MemoryBudget): void {
    isChanged = true;
    trimming ??= trimWhileChanged(memory).finally(() => (trimming = undefined));
  }

  async function trimWhileChanged(memory: MemoryBudget): Promise<void> {
    while (isChanged) {
      isChanged = false;
      await inTurns(trim(memory));
    }
  }

  /** Forgets the oldest states whose meshes do not fit into what the budget leaves. */
  function* trim(memory: MemoryBudget): Steps<void> {
    // Whoever commits goes on first.
    yield;
    const present = new Set<Mesh>();
    for (const scene of store.read().scenes) {
      for (const mesh of meshesOf(scene)) present.add(mesh);
      yield;
    }
    const free = freeBytes(memory, process.memoryUsage.rss());
    let left = Math.min(MEMORY_SHARE * limitBytesOf(memory), FREE_SHARE * free);
    const fits = (scene: Scene): boolean => {
      const more = [...meshesOf(scene)].filter((mesh) => !present.has(mesh));
      const bytes = more.reduce((sum, mesh) => sum + bytesOf(mesh), 0);
      if (bytes > left) return false;
      left -= bytes;
      for (const mesh of more) present.add(mesh);
      return true;
    };
    for (const [id, { undo, redo }] of states) {
      for (const kept of [undo, redo]) {
        const last = kept.findLastIndex((scene) => !fits(scene));
        if (last >= 0) forget(id, kept[last]);
        yield;
      }
    }
    const lost = deleted.findLastIndex((scene) => !fits(scene));
    if (lost >= 0) deleted = deleted.slice(lost + 1);
  }

  /** Without a state no older one, or in the other direction no later one, can be reached in order. */
  function forget(sceneId: string, scene: Scene): void {
    const { undo, redo } = statesOf(sceneId);
    states.set(sceneId, { undo: undo.slice(undo.indexOf(scene) + 1), redo: redo.slice(redo.indexOf(scene) + 1) });
  }

  function move(edit: (project: Project) => Project): void {
    isMoving = true;
    try {
      store.commit(edit);
    } finally {
      isMoving = false;
    }
  }

  store.subscribe(record);
  return {
    open() {
      users++;
      clearTimeout(closing);
      closing = undefined;
      let isOpen = true;
      return () => {
        if (!isOpen) return;
        isOpen = false;
        users--;
        if (users === 0) closing = setTimeout(clear, keepMs).unref();
      };
    },
    counts(sceneId) {
      const { undo, redo } = statesOf(sceneId);
      return { undo_count: undo.length, redo_count: redo.length };
    },
    get deletedCount() {
      return deleted.length;
    },
    undo(sceneId) {
      const { undo, redo } = statesOf(sceneId);
      const to = undo.at(-1);
      if (!to) throw inputError("There is no change of the scene to undo.");
      const present = findScene(store.read(), sceneId);
      move((project) => replaceScene(project, to));
      states.set(sceneId, { undo: undo.slice(0, -1), redo: [...redo, present] });
    },
    redo(sceneId) {
      const { undo, redo } = statesOf(sceneId);
      const to = redo.at(-1);
      if (!to) throw inputError("There is no change of the scene to make again.");
      const present = findScene(store.read(), sceneId);
      move((project) => replaceScene(project, to));
      states.set(sceneId, { undo: [...undo, present], redo: redo.slice(0, -1) });
    },
    join(sceneId, isFirst) {
      const { undo, redo } = statesOf(sceneId);
      const first = undo.findLastIndex(isFirst);
      if (first >= 0) states.set(sceneId, { undo: undo.slice(0, first + 1), redo });
    },
    undoDelete() {
      const scene = deleted.at(-1);
      if (!scene) throw inputError("There is no deleted scene to bring back.");
      move((project) => appendScenes(project, [scene], maxScenes));
      deleted = deleted.slice(0, -1);
      return scene;
    },
    close: clear,
  };
}

/** The different meshes of a scene. */
const meshesOf = memoize(({ models }: Scene): ReadonlySet<Mesh> => {
  const bodies = models.flatMap(printedBodies).map(({ mesh }) => mesh);
  return new Set([...bodies, ...models.flatMap(({ hollowed }) => hollowed?.solid ?? [])]);
});

const bytesOf = ({ vertices, triangles }: Mesh): number => vertices.byteLength + triangles.byteLength;
