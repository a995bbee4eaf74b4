import { setTimeout as sleep } from "node:timers/promises";
import { computeOn } from "../api/endpoint.ts";
import { notFound } from "../core/api-error.ts";
import { newTaskState } from "../core/progress.ts";
import { runStepwise } from "../core/steps.ts";
import { keptOf, restoredScene } from "../feature/projects/kept-form.ts";
import type { KeptContent } from "../feature/projects/kept-scenes.ts";
import { keepScenesTask, listKeptTask, openKeptTask, sweepKeptTask } from "../feature/projects/task.ts";
import type { Runner } from "../http/run-request.ts";
import { appendScenes } from "../scene/edit.ts";
import type { Project, Scene } from "../scene/project.ts";

/** A changed scene is kept this long after its last change. */
const QUIET_MS = 2000;
/** A scene that changes all the time is kept this often. */
const LONGEST_MS = 10_000;
/** A person who stops the server waits for the last changes this long at most. */
const CLOSING_MS = 5000;

/** What pages show of the state folder. */
export interface KeepingState {
  readonly folder: string;
  /** When each scene was kept last by this process, in ISO 8601, by its id. */
  readonly keptAt: ReadonlyMap<string, string>;
  /** Why the last try failed. */
  readonly problem: string | undefined;
}

/**
 * Keeps the scenes of the project in a state folder as they change, and brings back those that an earlier process left there. It reads and
 * writes on threads, one task at a time.
 */
export class SceneKeeper {
  readonly folder: string;
  readonly #runner: Runner;
  readonly #release: () => void;
  readonly #watchers = new Set<() => void>();
  readonly #keptAt = new Map<string, string>();
  #problem: string | undefined;
  /** Scenes to write, by id; undefined for those to remove. */
  #pending = new Map<string, Scene | undefined>();
  #firstPendingMs = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The tasks so far. */
  #work: Promise<unknown> = Promise.resolve();

  /** `release` gives the folder free, which this process has claimed. */
  constructor(runner: Runner, folder: string, release: () => void) {
    this.folder = folder;
    this.#runner = runner;
    this.#release = release;
    runner.server.store.subscribe((before, after) => this.#note(before, after));
  }

  state(): KeepingState {
    return { folder: this.folder, keptAt: this.#keptAt, problem: this.#problem };
  }

  /** Calls `listener` after each try to keep scenes, until the returned function is called. */
  watch(listener: () => void): () => void {
    this.#watchers.add(listener);
    return () => void this.#watchers.delete(listener);
  }

  /** The scenes of earlier processes in the folder, and the files there that are damaged. */
  async earlier(): Promise<KeptContent> {
    const { scenes, damaged } = await this.#inTurn(() => this.#context().compute(listKeptTask, this.folder));
    const open = new Set(this.#scenes().map(({ id }) => id));
    return { scenes: scenes.filter(({ id }) => !open.has(id)), damaged };
  }

  /** Adds scenes of earlier processes to the project, with the ids that they had; all of them or none. Returns their ids. */
  async bringBack(ids: readonly string[]): Promise<string[]> {
    const { store, maxScenes } = this.#runner.server;
    const known = new Set((await this.earlier()).scenes.map(({ id }) => id));
    const distinct = [...new Set(ids)];
    const unknown = distinct.find((id) => !known.has(id));
    if (unknown !== undefined) throw notFound("There is no such kept scene: it is open already, or was discarded.");
    const scenes: Scene[] = [];
    for (const id of distinct) {
      const opened = await this.#inTurn(() => this.#context().compute(openKeptTask, { folder: this.folder, id }));
      scenes.push(await runStepwise(restoredScene(opened)));
    }
    store.commit((project) => appendScenes(project, scenes, maxScenes));
    return distinct;
  }

  /** Removes the scenes of earlier processes, and the damaged files. */
  async discard(): Promise<void> {
    const { scenes, damaged } = await this.earlier();
    const gone = [...scenes, ...damaged].map(({ id }) => id);
    await this.#inTurn(() => this.#context().compute(keepScenesTask, { folder: this.folder, changed: [], gone }));
    await this.sweep();
  }

  /** Removes what is too old, and meshes that no scene needs. */
  async sweep(): Promise<void> {
    const inUse = this.#scenes().map(({ id }) => id);
    const request = { folder: this.folder, inUse, nowMs: Date.now() };
    await this.#inTurn(() => this.#context().compute(sweepKeptTask, request));
  }

  /** Keeps what has changed, and gives the folder free. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    const kept = this.#flush().then(() => this.#work);
    await Promise.race([kept, sleep(CLOSING_MS)]);
    this.#release();
  }

  #scenes(): readonly Scene[] {
    return this.#runner.server.store.read().scenes;
  }

  #context() {
    return computeOn(this.#runner.server.pool, newTaskState());
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#work.then(work);
    this.#work = result.catch(() => {});
    return result;
  }

  #note(before: Project, after: Project): void {
    const previous = new Map(before.scenes.map((scene) => [scene.id, scene]));
    for (const scene of after.scenes) {
      if (previous.get(scene.id) !== scene) this.#noteChange(scene);
      previous.delete(scene.id);
    }
    for (const id of previous.keys()) this.#pending.set(id, undefined);
    if (this.#pending.size > 0) this.#schedule();
  }

  /** The meshes of a swapped-out scene are in another file; the scene was noted before, when they were in memory. */
  #noteChange(scene: Scene): void {
    if (!scene.swappedOut) this.#pending.set(scene.id, scene.models.length > 0 ? scene : undefined);
  }

  #schedule(): void {
    const now = performance.now();
    if (!this.#timer) this.#firstPendingMs = now;
    clearTimeout(this.#timer);
    const waitMs = Math.min(QUIET_MS, Math.max(0, this.#firstPendingMs + LONGEST_MS - now));
    this.#timer = setTimeout(() => void this.#flush(), waitMs);
    this.#timer.unref();
  }

  async #flush(): Promise<void> {
    this.#timer = undefined;
    const pending = this.#pending;
    if (pending.size === 0) return;
    this.#pending = new Map();
    const keptAt = new Date().toISOString();
    const project = this.#runner.server.store.read();
    const scenes = [...pending.values()].filter((scene) => scene !== undefined);
    const gone = [...pending].flatMap(([id, scene]) => (scene ? [] : id));
    const request = { folder: this.folder, changed: scenes.map((scene) => keptOf(scene, project, keptAt)), gone };
    try {
      await this.#inTurn(() => this.#context().compute(keepScenesTask, request));
      this.#problem = undefined;
      for (const { id } of scenes) this.#keptAt.set(id, keptAt);
      for (const id of gone) this.#keptAt.delete(id);
    } catch (thrown) {
      this.#noteFailure(thrown as Error, pending);
    }
    for (const listener of this.#watchers) listener();
  }

  /** What could not be kept is tried again. */
  #noteFailure({ message }: Error, pending: ReadonlyMap<string, Scene | undefined>): void {
    this.#timer ??= setTimeout(() => void this.#flush(), LONGEST_MS).unref();
    if (this.#problem === undefined) console.error(`printwright: scenes are not kept: ${message}`);
    this.#problem = message;
    this.#pending = new Map([...pending, ...this.#pending]);
  }
}
