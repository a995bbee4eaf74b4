import * as v from "valibot";
import { readsScene } from "../api/endpoint.ts";
import { strictObject } from "../api/field.ts";
import { sceneId } from "../api/schema.ts";
import { overlapsOf } from "../feature/findings/overlaps.ts";
import { type Runner, runSync } from "../http/run-request.ts";
import { wireMm } from "../scene/wire-numbers.ts";
import type { PageOverlaps } from "./replies.ts";
import type { SceneVersions } from "./scene-versions.ts";

/**
 * Returns the handler of `GET /ui/scene/ID/overlaps/`. It runs like an endpoint, so that it shares results with checks: after a move only the
 * pairs of the moved models are examined.
 */
export function newOverlapsRoute(runner: Runner, versions: SceneVersions): (sceneId: string) => Promise<PageOverlaps> {
  const endpoint = readsScene(
    {
      method: "GET",
      path: "/ui/scene/overlaps/",
      summary: "The models of a scene that overlap.",
      body: strictObject({ scene_id: sceneId }),
      reply: v.custom<PageOverlaps>(() => true),
    },
    async (scene, _, context) => {
      const version = versions.of(scene.id);
      const overlaps = await overlapsOf(scene, 0, context);
      return {
        version,
        overlaps: overlaps.map(({ models: [a, b], point: [x, y, z] }) => ({
          model_ids: [a.id, b.id] as const,
          point: [wireMm(x), wireMm(y), wireMm(z)] as const,
        })),
      };
    },
  );
  return (id) => runSync(runner, endpoint, { body: { scene_id: id }, query: {} }) as Promise<PageOverlaps>;
}
