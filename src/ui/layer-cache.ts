import { measureLayers, stackFromAbove } from "../api/scene/slice-layers.ts";
import { ApiError } from "../core/api-error.ts";
import { profileOf } from "../catalog/profile.ts";
import { type Steps, inTurns } from "../core/in-turns.ts";
import { lazy } from "../core/memoize.ts";
import { CancelledError, type TaskState, newTaskState } from "../core/progress.ts";
import { wireMm, wireMm2, wireS } from "../core/wire-numbers.ts";
import { layerBoundariesOf } from "../scene/layers.ts";
import type { Scene, Store } from "../scene/project.ts";
import { layerTimesS } from "../slice/print-time.ts";
import type { Stack } from "../slice/stack.ts";
import type { Pool } from "../worker/pool.ts";
import type { Task } from "../worker/task.ts";
import type { Owner } from "../worker/turns.ts";
import type { PageLayers } from "./replies.ts";
import { drawLayer } from "../feature/slice/task.ts";

/** The layers of the scenes that pages look at: sliced when they are first asked for, and until the scene changes. */
export interface LayerCache {
  /** Throws OPERATION_CANCELLED where the scene changes meanwhile. Work that nobody waits for any more is cancelled. */
  layers(scene: Scene, hungUp: AbortSignal): Promise<Omit<PageLayers, "version">>;
  /** A PNG file of one layer. Undefined where the scene has no such layer. */
  picture(
    scene: Scene,
    layer: number,
    maxPixels: number,
    hungUp: AbortSignal,
  ): Promise<Uint8Array<ArrayBuffer> | undefined>;
  close(): void;
}

/** Stacks take some bytes a facet: they are dropped when nobody has looked at them for this time. */
const KEEP_MS = 60_000;

/** What is known of the layers of a scene. */
interface SlicedScene {
  readonly scene: Scene;
  readonly state: TaskState;
  readonly stack: () => Promise<Stack>;
  readonly layers: () => Promise<Omit<PageLayers, "version">>;
  waiting: number;
  timer?: ReturnType<typeof setTimeout>;
}

export function newLayerCache(pool: Pool, store: Store): LayerCache {
  const sliced = new Map<string, SlicedScene>();
  store.subscribe((_, { scenes }) => {
    if (sliced.size === 0) return;
    const present = new Set(scenes);
    for (const one of sliced.values()) if (!present.has(one.scene)) drop(one);
  });

  function drop(one: SlicedScene): void {
    clearTimeout(one.timer);
    if (sliced.get(one.scene.id) === one) sliced.delete(one.scene.id);
    pool.cancel(one.state);
  }

  const computeFor = (state: TaskState, owner: Owner) => ({
    compute: <Input, Output>(task: Task<Input, Output>, input: Input) => pool.compute(task, input, state, owner),
  });

  function slicedScene(scene: Scene): SlicedScene {
    const known = sliced.get(scene.id);
    if (known?.scene === scene) return known;
    if (known) drop(known);
    const state = newTaskState();
    const context = computeFor(state, scene.id);
    const stack = lazy(() => stackFromAbove(scene, context));
    const layers = lazy(async () => {
      const measures = await measureLayers(await stack(), context);
      return {
        ...(await inTurns(boundariesOf(scene))),
        areas_mm2: Array.from(measures.areasMm2, wireMm2),
        times_s: Array.from(layerTimesS(profileOf(scene.setting), measures), wireS),
      };
    });
    const made: SlicedScene = { scene, state, stack, layers, waiting: 0 };
    sliced.set(scene.id, made);
    return made;
  }

  /** The result of `work`, unless the client hangs up before. */
  async function waitFor<T>(one: SlicedScene, hungUp: AbortSignal, work: () => Promise<T>): Promise<T> {
    clearTimeout(one.timer);
    one.waiting++;
    let isDone = false;
    try {
      const result = await Promise.race([work(), cancelledBy(hungUp)]);
      isDone = true;
      return result;
    } catch (thrown) {
      throw thrown instanceof CancelledError ? superseded() : thrown;
    } finally {
      one.waiting--;
      // A failed slice is not kept either: memory may be free the next time.
      if (!isDone && one.waiting === 0) drop(one);
      else if (sliced.get(one.scene.id) === one) one.timer = setTimeout(() => drop(one), KEEP_MS).unref();
    }
  }

  return {
    layers(scene, hungUp) {
      const one = slicedScene(scene);
      return waitFor(one, hungUp, one.layers);
    },
    async picture(scene, layer, maxPixels, hungUp) {
      const one = slicedScene(scene);
      const stack = await waitFor(one, hungUp, one.stack);
      if (layer >= stack.boundariesMm.length - 1) return undefined;
      const state = newTaskState();
      const cancel = (): void => pool.cancel(state);
      hungUp.addEventListener("abort", cancel, { once: true });
      // An owner of its own, so that it does not wait for what is computed for its scene.
      return waitFor(one, hungUp, () =>
        computeFor(state, state)
          .compute(drawLayer, { stack, layer, maxPixels })
          .finally(() => hungUp.removeEventListener("abort", cancel)),
      );
    },
    close() {
      for (const one of sliced.values()) drop(one);
    },
  };
}

/** How many layers a scene has, and their heights, without slicing. */
export function* boundariesOf(scene: Scene): Steps<Pick<PageLayers, "count" | "boundaries_mm">> {
  const boundariesMm = yield* layerBoundariesOf(scene);
  return { count: boundariesMm.length - 1, boundaries_mm: Array.from(boundariesMm, wireMm) };
}

const superseded = (): ApiError =>
  new ApiError("OPERATION_CANCELLED", "The scene was changed while it was sliced: ask for its layers again.");

const cancelledBy = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(new CancelledError());
    else signal.addEventListener("abort", () => reject(new CancelledError()), { once: true });
  });
