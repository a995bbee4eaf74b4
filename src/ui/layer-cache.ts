import { measureLayers, stackFromAbove } from "../feature/slice/slice-layers.ts";
import { computeOn } from "../api/endpoint.ts";
import { ApiError } from "../core/api-error.ts";
import { profileOf } from "../catalog/profile.ts";
import { type Steps, runStepwise } from "../core/steps.ts";
import { lazy } from "../core/memoize.ts";
import { CancelledError, type TaskState, newTaskState, readProgress } from "../core/progress.ts";
import { wireMm, wireMm2, wireS } from "../scene/wire-numbers.ts";
import { layerBoundariesOf } from "../scene/layers.ts";
import type { Scene, Store } from "../scene/project.ts";
import { layerTimesS } from "../slice/print-time.ts";
import type { Stack } from "../slice/stack.ts";
import type { Pool } from "../worker/pool.ts";
import type { Task } from "../worker/task.ts";
import type { PageLayers } from "./replies.ts";
import { drawLayerTask } from "../feature/slice/task.ts";

/** Stacks take some bytes per facet, so that they are dropped if unused for this time. */
const KEEP_MS = 60_000;

type Layers = Omit<PageLayers, "version">;
type Picture = Uint8Array<ArrayBuffer>;

/**
 * Layers of the scenes that pages show. A scene is sliced at the first request, and the result is kept until the scene changes. Slicing is
 * cancelled when no client waits for it any more.
 */
export class LayerCache {
  readonly #pool: Pool;
  /** By scene id. */
  readonly #slicings = new Map<string, Slicing>();

  constructor(pool: Pool, store: Store) {
    this.#pool = pool;
    store.subscribe((_, { scenes }) => this.#dropChanged(scenes));
  }

  /** Returns heights, areas and times of all layers. Throws OPERATION_CANCELLED if the scene changes meanwhile. */
  layers(scene: Scene, hungUp: AbortSignal): Promise<Layers> {
    const slicing = this.#slicingOf(scene);
    return this.#waitFor(slicing, hungUp, slicing.layers);
  }

  /** Returns one layer as a PNG file; undefined if the scene has no such layer. Throws as `layers` does. */
  async picture(scene: Scene, layer: number, maxPixels: number, hungUp: AbortSignal): Promise<Picture | undefined> {
    const slicing = this.#slicingOf(scene);
    const stack = await this.#waitFor(slicing, hungUp, slicing.stack);
    if (layer >= stack.boundariesMm.length - 1) return undefined;
    const draw = (): Promise<Picture> =>
      computeUnlessHungUp(this.#pool, drawLayerTask, { stack, layer, maxPixels }, hungUp);
    return this.#waitFor(slicing, hungUp, draw);
  }

  /** The share of a scene's layers that is measured; undefined if the scene is not sliced now. */
  share(scene: Scene): number | undefined {
    const slicing = this.#slicings.get(scene.id);
    return slicing?.scene === scene ? readProgress(slicing.state) : undefined;
  }

  close(): void {
    for (const slicing of this.#slicings.values()) this.#drop(slicing);
  }

  #dropChanged(scenes: readonly Scene[]): void {
    if (this.#slicings.size === 0) return;
    const present = new Set(scenes);
    for (const slicing of this.#slicings.values()) if (!present.has(slicing.scene)) this.#drop(slicing);
  }

  #drop(slicing: Slicing): void {
    clearTimeout(slicing.timer);
    if (this.#isKept(slicing)) this.#slicings.delete(slicing.scene.id);
    this.#pool.cancel(slicing.state);
  }

  #isKept(slicing: Slicing): boolean {
    return this.#slicings.get(slicing.scene.id) === slicing;
  }

  #slicingOf(scene: Scene): Slicing {
    const known = this.#slicings.get(scene.id);
    if (known?.scene === scene) return known;
    if (known) this.#drop(known);
    const slicing = newSlicing(this.#pool, scene);
    this.#slicings.set(scene.id, slicing);
    return slicing;
  }

  /** Returns the result of `work`. Rejects when the client disconnects (`hungUp`). */
  async #waitFor<T>(slicing: Slicing, hungUp: AbortSignal, work: () => Promise<T>): Promise<T> {
    clearTimeout(slicing.timer);
    slicing.waiting++;
    let isDone = false;
    try {
      const result = await Promise.race([work(), cancelledBy(hungUp)]);
      isDone = true;
      return result;
    } catch (thrown) {
      throw thrown instanceof CancelledError ? superseded() : thrown;
    } finally {
      slicing.waiting--;
      // A failed slicing is dropped too, so that the next request tries again, perhaps with more free memory.
      if (!isDone && slicing.waiting === 0) this.#drop(slicing);
      else if (this.#isKept(slicing)) slicing.timer = setTimeout(() => this.#drop(slicing), KEEP_MS).unref();
    }
  }
}

/**
 * Runs a task, and cancels it if the client disconnects. The task has its own owner, so that it waits for no other work, such as the
 * slicing of a scene.
 */
export function computeUnlessHungUp<Input, Output>(
  pool: Pool,
  task: Task<Input, Output>,
  input: Input,
  hungUp: AbortSignal,
): Promise<Output> {
  const state = newTaskState();
  const cancel = (): void => pool.cancel(state);
  hungUp.addEventListener("abort", cancel, { once: true });
  return pool.compute(task, input, state, state).finally(() => hungUp.removeEventListener("abort", cancel));
}

/** The slicing of one state of a scene. */
interface Slicing {
  readonly scene: Scene;
  readonly state: TaskState;
  /** Both are computed at the first call. */
  readonly stack: () => Promise<Stack>;
  readonly layers: () => Promise<Layers>;
  /** Number of requests that wait for a result. */
  waiting: number;
  timer?: ReturnType<typeof setTimeout>;
}

function newSlicing(pool: Pool, scene: Scene): Slicing {
  const state = newTaskState();
  const context = computeOn(pool, state, scene.id);
  const stack = lazy(() => stackFromAbove(scene, context));
  const layers = lazy(async () => {
    const measures = await measureLayers(await stack(), context);
    return {
      ...(await runStepwise(boundariesOf(scene))),
      areas_mm2: Array.from(measures.areasMm2, wireMm2),
      times_s: Array.from(layerTimesS(profileOf(scene.setting), measures), wireS),
    };
  });
  return { scene, state, stack, layers, waiting: 0 };
}

/** Returns the number of layers of a scene and their heights, without slicing. */
export function* boundariesOf(scene: Scene): Steps<Pick<PageLayers, "count" | "boundaries_mm">> {
  const boundariesMm = yield* layerBoundariesOf(scene);
  return { count: boundariesMm.length - 1, boundaries_mm: Array.from(boundariesMm, wireMm) };
}

const superseded = (): ApiError =>
  new ApiError("OPERATION_CANCELLED", "The scene was changed while it was sliced: request its layers again.");

const cancelledBy = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(new CancelledError());
    else signal.addEventListener("abort", () => reject(new CancelledError()), { once: true });
  });
