import { Buffer } from "node:buffer";
import * as v from "valibot";
import { type RequestContext, readsScene } from "../api/endpoint.ts";
import { manifoldnessPlaces } from "../feature/check/mesh-endpoints.ts";
import { interferencePlaces, outsidePlaces } from "../feature/check/placement-endpoints.ts";
import { type FoundPlace, printabilityPlaces } from "../feature/check/printability-endpoints.ts";
import { coordinateMm, sceneId, uuid } from "../api/schema.ts";
import { type Steps, runStepwise, mapSteps } from "../core/steps.ts";
import { wireMm } from "../scene/wire-numbers.ts";
import { add } from "../geometry/vector.ts";
import { readRequest } from "../http/read-request.ts";
import { type Runner, runAsync, runSync } from "../http/run-request.ts";
import type { Scene } from "../scene/project.ts";
import type { PagePlace, PagePlaces } from "./replies.ts";
import type { SceneVersions } from "./scene-versions.ts";

/** Maximum number of models or pairs in a request. The page lists fewer findings. */
const MAX_NAMED = 200;

/** Body of a request for the places of a check's findings: the name of the check, and the options with which it was run. */
export const placesBody = v.variant("check", [
  v.strictObject({
    check: v.literal("interferences"),
    scene_id: sceneId,
    /** Pairs that the check reported. */
    pairs: v.pipe(v.array(v.tuple([uuid, uuid])), v.minLength(1), v.maxLength(MAX_NAMED)),
    collision_offset_mm: v.optional(v.pipe(coordinateMm, v.minValue(0)), 0),
  }),
  v.strictObject({
    check: v.picklist(["manifoldness", "in_bounds"]),
    scene_id: sceneId,
    /** Models that the check reported. */
    model_ids: v.pipe(v.array(uuid), v.minLength(1), v.maxLength(MAX_NAMED)),
  }),
  v.strictObject({ check: v.picklist(["cups", "minima", "supportedness"]), scene_id: sceneId }),
]);

const CHECK_NAMES = { cups: "CUPS", minima: "MINIMA", supportedness: "SUPPORTEDNESS" } as const;

/** Maximum number of places in an answer: more cannot be drawn or looked through. Each model keeps at least one. */
const MAX_PLACES = 4000;
/** Maximum number of dots in an answer, over all places: half a megabyte of JSON. */
const MAX_DOTS = 20_000;

/** Returns the handler of `POST /ui/places/`. It runs like an endpoint, so that results that the checks have computed are reused. */
export function newPlacesRoute(runner: Runner, versions: SceneVersions) {
  const endpoint = readsScene(
    {
      method: "POST",
      path: "/ui/places/",
      summary: "Where a check finds something.",
      async: true,
      body: placesBody,
      reply: v.custom<PagePlaces>(() => true),
    },
    async (scene, body, context) => {
      const version = versions.of(scene.id);
      const found = await foundPlaces(scene, body, context);
      return { version, places: await runStepwise(placesOnWire(found)) };
    },
  );
  return async (body: Uint8Array, isAsync: boolean): Promise<unknown> => {
    const request = await runStepwise(readRequest(endpoint, { query: new URLSearchParams(), body: Buffer.from(body) }));
    return isAsync ? { operation_id: runAsync(runner, endpoint, request) } : runSync(runner, endpoint, request);
  };
}

function foundPlaces(
  scene: Scene,
  body: v.InferOutput<typeof placesBody>,
  context: RequestContext,
): Promise<FoundPlace[]> {
  switch (body.check) {
    case "interferences":
      return interferencePlaces(scene, body.pairs, body.collision_offset_mm, context);
    case "manifoldness":
      return manifoldnessPlaces(scene, body.model_ids, context);
    case "in_bounds":
      return outsidePlaces(scene, body.model_ids, context);
    default:
      return printabilityPlaces(scene, CHECK_NAMES[body.check], context);
  }
}

/** Number of places converted per step; one step takes 1 to 2 ms. */
const PLACES_PER_STEP = 64;

function* placesOnWire(found: readonly FoundPlace[]): Steps<PagePlace[]> {
  const byModels = [...Map.groupBy(found, ({ modelIds }) => modelIds.join(" ")).values()];
  const most = Math.max(1, Math.floor(MAX_PLACES / byModels.length));
  const kept = byModels.flatMap((places) => places.slice(0, most));
  const mostDots = Math.max(1, Math.floor(MAX_DOTS / kept.length));
  return yield* mapSteps(kept, (one) => placeOnWire(one, mostDots), PLACES_PER_STEP);
}

function placeOnWire({ modelIds, place, byMm }: FoundPlace, mostDots: number): PagePlace {
  const { kind, point, radiusMm, dots, dotMm, size } = place;
  const [x, y, z] = add(point, byMm);
  const count = dots.length / 3;
  const every = Math.ceil(count / mostDots);
  return {
    model_ids: modelIds,
    ...(kind && { kind }),
    point: [wireMm(x), wireMm(y), wireMm(z)],
    radius_mm: wireMm(radiusMm),
    dots: Array.from({ length: 3 * Math.ceil(count / every) }, (_, i) => {
      const dot = every * Math.floor(i / 3);
      return Math.round(DOT_STEPS_PER_MM * ((dots[3 * dot + (i % 3)] ?? 0) + (byMm[i % 3] ?? 0))) / DOT_STEPS_PER_MM;
    }),
    // Fewer dots are made larger, so that they cover the same area.
    dot_mm: wireMm(dotMm * Math.sqrt(every)),
    size: wireMm(size),
  };
}

/** Resolution of dot coordinates. They are only drawn, not measured. */
const DOT_STEPS_PER_MM = 1000;
