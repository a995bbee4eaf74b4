import { Buffer } from "node:buffer";
import * as v from "valibot";
import { type Endpoint, type FoundPlace, readsScene } from "../api/endpoint.ts";
import { sceneId, uuid } from "../api/schema.ts";
import { type Steps, runStepwise, mapSteps } from "../core/steps.ts";
import { wireMm } from "../scene/wire-numbers.ts";
import { add } from "../geometry/vector.ts";
import { ENDPOINTS } from "../feature/endpoints.ts";
import { readRequest } from "../http/read-request.ts";
import { type Runner, runAsync, runSync } from "../http/run-request.ts";
import type { PagePlace, PagePlaces } from "./replies.ts";
import type { SceneVersions } from "./scene-versions.ts";

/** Maximum number of findings in a request. The page lists fewer. */
const MAX_FOUND = 200;

interface CheckWithPlaces extends Endpoint {
  readonly body: v.GenericSchema;
  readonly places: NonNullable<Endpoint["places"]>;
}

const CHECKS = ENDPOINTS.filter((one): one is CheckWithPlaces => one.places !== undefined);

/** The body of a `PlacesRequest`; `request` has the schema of the check's own endpoint. */
const bodyOf = ({ path, body }: CheckWithPlaces) =>
  v.strictObject({
    check: v.literal(path),
    scene_id: sceneId,
    request: body,
    found: v.pipe(
      v.array(v.pipe(v.array(uuid), v.minLength(1), v.maxLength(2))),
      v.minLength(1),
      v.maxLength(MAX_FOUND),
    ),
  });

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
      body: v.variant("check", CHECKS.map(bodyOf)),
      reply: v.custom<PagePlaces>(() => true),
    },
    async (scene, { check, request, found }, context) => {
      const version = versions.of(scene.id);
      const { places } = CHECKS.find(({ path }) => path === check)!;
      return { version, places: await runStepwise(placesOnWire(await places(scene, request, found, context))) };
    },
  );
  return async (body: Uint8Array, isAsync: boolean): Promise<unknown> => {
    const request = await runStepwise(readRequest(endpoint, { query: new URLSearchParams(), body: Buffer.from(body) }));
    return isAsync ? { operation_id: runAsync(runner, endpoint, request) } : runSync(runner, endpoint, request);
  };
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
