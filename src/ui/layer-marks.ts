import * as v from "valibot";
import { type Endpoint, type FoundPlace, type RequestContext, readsScene } from "../api/endpoint.ts";
import { sceneId } from "../api/schema.ts";
import { must } from "../core/must.ts";
import { runStepwise } from "../core/steps.ts";
import { ENDPOINTS } from "../feature/endpoints.ts";
import { upperBound } from "../geometry/binary-search.ts";
import { type Vec3, add, distance } from "../geometry/vector.ts";
import { type Runner, runSync } from "../http/run-request.ts";
import { layerBoundariesOf } from "../scene/layers.ts";
import type { Scene } from "../scene/project.ts";
import { wireMm } from "../scene/wire-numbers.ts";
import { midHeightsMm } from "../slice/layer-heights.ts";
import type { PageLayerMark, PageLayerMarks } from "./replies.ts";
import type { SceneVersions } from "./scene-versions.ts";

/** Most marks of a kind: more cannot be looked through. */
const MAX_MARKS = 2000;

/** The same low point of a part, found with and without its supports: the pixels of both searches differ. */
const SAME_PLACE_MM = 0.5;

type Places = NonNullable<Endpoint["places"]>;

const placesOf = (name: string): Places =>
  must(ENDPOINTS.find(({ path }) => path === `/v1/scene/model/validate/${name}/`)?.places, `The places of ${name}`);

/**
 * Returns the answer to `GET /ui/scene/ID/layer-marks/`: the layers at which islands begin, and those of cups. It runs like an endpoint,
 * so that results that the checks have computed are reused.
 */
export function newLayerMarksRoute(runner: Runner, versions: SceneVersions): (sceneId: string) => Promise<unknown> {
  const endpoint = readsScene(
    {
      method: "POST",
      path: "/ui/scene/layer-marks/",
      summary: "The layers at which islands begin, and those of cups.",
      body: v.strictObject({ scene_id: sceneId }),
      reply: v.custom<PageLayerMarks>(() => true),
    },
    async (scene, _, context) => {
      const version = versions.of(scene.id);
      const heightsMm = midHeightsMm(await runStepwise(layerBoundariesOf(scene)));
      const islands = await islandsOf(scene, context);
      const cups = (await placesOf("cups")(scene, {}, [], context)).map((found) => ({ found, held: null }));
      const marks = [...marksOf("ISLAND", islands, heightsMm), ...marksOf("CUP", cups, heightsMm)];
      return { version, marks: marks.sort((a, b) => a.layer - b.layer) };
    },
  );
  return (scene_id) => runSync(runner, endpoint, { query: undefined, body: { scene_id } });
}

interface Marked {
  readonly found: FoundPlace;
  /** Whether a support holds it; null for a cup. */
  readonly held: boolean | null;
}

/** Islands of the parts alone. Those that are islands beside the supports, too, are not held. */
async function islandsOf(scene: Scene, context: RequestContext): Promise<Marked[]> {
  const minima = placesOf("minima");
  const unheld = await minima(scene, {}, [], context);
  if (!scene.models.some(({ supports }) => supports)) return unheld.map((found) => ({ found, held: false }));
  const bare = { ...scene, models: scene.models.map((model) => ({ ...model, supports: undefined })) };
  const byModel = Map.groupBy(unheld, ({ modelIds: [id] }) => id);
  const isUnheld = (found: FoundPlace): boolean =>
    (byModel.get(found.modelIds[0]) ?? []).some((one) => distance(pointOf(one), pointOf(found)) <= SAME_PLACE_MM);
  return (await minima(bare, {}, [], context)).map((found) => ({ found, held: !isUnheld(found) }));
}

const pointOf = ({ place, byMm }: FoundPlace): Vec3 => add(place.point, byMm);

function marksOf(kind: PageLayerMark["kind"], marked: readonly Marked[], heightsMm: Float64Array): PageLayerMark[] {
  return marked.slice(0, MAX_MARKS).map(({ found, held }) => {
    const [x, y, z] = pointOf(found);
    return {
      // The first layer that is sampled above the point.
      layer: Math.min(heightsMm.length - 1, upperBound(heightsMm, z)),
      kind,
      model_id: must(found.modelIds[0], "The model of a finding"),
      point: [wireMm(x), wireMm(y), wireMm(z)],
      size: wireMm(found.place.size),
      held,
    };
  });
}
