import { notFound } from "../core/api-error.ts";
import type { MemoryBudget } from "../core/memory-budget.ts";
import { newId, parseId } from "../core/id.ts";
import { jsonResponse } from "../http/json-response.ts";
import type { SceneKeeper } from "../keep/scene-keeper.ts";
import type { Runner } from "../http/run-request.ts";
import type { Scene } from "../scene/project.ts";
import { type CoarseMeshes, newCoarseMeshes } from "./coarse-meshes.ts";
import type { SceneRecords } from "./describe-scene.ts";
import { type PageEvents, newPageEvents } from "./events.ts";
import { SceneHistory } from "./history.ts";
import { LayerCache } from "./layer-cache.ts";
import { Previews } from "./previews.ts";
import type { PageVersion } from "./replies.ts";
import { newSceneVersions } from "./scene-versions.ts";
import { TemporaryFiles } from "./temporary-files.ts";
import { newWorkWatch } from "./work-watch.ts";

/** Services that the routes of the page share, in addition to the services of the endpoints of `/v1/`. */
export interface PageServices extends SceneRecords {
  readonly runner: Runner;
  /** Id of this process, by which a page notices that the server was restarted. */
  readonly processId: string;
  readonly events: PageEvents;
  readonly layers: LayerCache;
  readonly coarseMeshes: CoarseMeshes;
  readonly files: TemporaryFiles;
  readonly previews: Previews;
  /** Undefined where the server keeps no scenes. */
  readonly keeper: SceneKeeper | undefined;
}

export function newPageServices(
  runner: Runner,
  budget: MemoryBudget | undefined,
  keeper: SceneKeeper | undefined,
): PageServices {
  const { store, maxScenes, pool, keptFindings } = runner.server;
  const history = new SceneHistory(store, { maxScenes, budget });
  const versions = newSceneVersions(store);
  return {
    runner,
    processId: newId(),
    history,
    versions,
    keptFindings,
    events: newPageEvents(store, { versions, keptFindings }, newWorkWatch(runner), keeper),
    layers: new LayerCache(pool, store),
    coarseMeshes: newCoarseMeshes(pool),
    files: new TemporaryFiles(),
    previews: new Previews(runner, versions, { budget }),
    keeper,
    running: runner.unanswered,
  };
}

export async function closePageServices({ events, layers, history, files, previews }: PageServices): Promise<void> {
  events.close();
  layers.close();
  history.close();
  previews.close();
  await files.close();
}

/** Returns a scene by the id in a path. Throws NOT_FOUND. */
export function sceneById({ runner }: PageServices, sceneId: string): Scene {
  const id = parseId(sceneId);
  const scene = runner.server.store.read().scenes.find((one) => one.id === id);
  if (!scene) throw notFound("There is no such scene: it may have been deleted.");
  return scene;
}

/** Returns a scene after reading its meshes back into memory, if they are in a file. Throws NOT_FOUND. */
export async function sceneInMemory(services: PageServices, sceneId: string): Promise<Scene> {
  const { runner } = services;
  if (runner.swapInScenes) await runner.swapInScenes([sceneById(services, sceneId).id]);
  return sceneById(services, sceneId);
}

export const versionOf = ({ versions, history }: PageServices, id: string): PageVersion => ({
  id,
  version: versions.of(id),
  ...history.counts(id),
});

export const NOT_STORED = { "Cache-Control": "no-store" };

/** An answer in JSON, which browsers do not cache unless `caching` says so. */
export function jsonAnswer(value: unknown, caching: Readonly<Record<string, string>> = NOT_STORED): Response {
  const response = jsonResponse(value);
  for (const [name, header] of Object.entries(caching)) response.headers.set(name, header);
  return response;
}

/** Reads a whole number from a query parameter, clamped to these bounds; undefined if there is none. */
export function wholeNumberIn(text: string | undefined, min: number, max: number): number | undefined {
  const value = text === undefined || !/^\d+$/.test(text) ? undefined : Number(text);
  return value === undefined ? undefined : Math.min(max, Math.max(min, value));
}

/** Larger side of the picture of a layer, px. */
const DEFAULT_PIXELS = 1200;
const MAX_PIXELS = 16_384;

/** Reads the largest side of a picture from a query parameter. */
export const pictureSidePx = (text: string | undefined): number => wholeNumberIn(text, 1, MAX_PIXELS) ?? DEFAULT_PIXELS;
