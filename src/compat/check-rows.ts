import type { Endpoint } from "../api/endpoint.ts";
import { validateThinFeatures } from "../feature/check/mesh-endpoints.ts";
import { validateInterferences } from "../feature/check/placement-endpoints.ts";
import { validateCups, validateMinima, validateSupportedness } from "../feature/check/printability-endpoints.ts";
import type { Calls } from "./calls.ts";
import { modelIdsOf, pick } from "./body.ts";
import { type Row, oneCall } from "./row.ts";
import { must } from "../core/must.ts";

interface PerModel<Result> {
  readonly per_model_results: Readonly<Record<string, Result>>;
}

/** Percent of the area of a model's overhangs that may lack support: pixels at the edges of supports leave some over. */
const UNDERSUPPORTED_PERCENT = 1;

async function printValidation(calls: Calls, scene_id: string): Promise<PerModel<object>> {
  const { per_model_results: cups } = await calls.call<PerModel<{ cup_count: number }>>(validateCups, { scene_id });
  const { per_model_results: minima } = await calls.call<PerModel<{ minima_count: number }>>(validateMinima, {
    scene_id,
  });
  const { per_model_results: supportedness } = await calls.call<PerModel<{ percent_unsupported: number }>>(
    validateSupportedness,
    { scene_id },
  );
  const results = Object.entries(cups).map(([id, { cup_count }]) => [
    id,
    {
      cups: cup_count,
      unsupported_minima: must(minima[id], "the minima").minima_count,
      undersupported: must(supportedness[id], "the supportedness").percent_unsupported > UNDERSUPPORTED_PERCENT,
      // Seams occur on machines that expose a layer in parts, which the catalog lacks.
      has_seamline: false,
    },
  ]);
  return { per_model_results: Object.fromEntries(results) };
}

const detection = (name: string, endpoint: Endpoint): Row => ({
  method: "GET",
  path: `/scene/:scene/${name}/`,
  alsoOfNewest: true,
  async: true,
  ...oneCall(
    endpoint,
    ({ sceneId: scene_id }) => ({ scene_id }),
    (found) => found,
  ),
});

/** Rows for checks of scenes, which change nothing. */
export const CHECK_ROWS: readonly Row[] = [
  {
    method: "GET",
    path: "/scene/:scene/print-validation/",
    alsoOfNewest: true,
    async: true,
    run: (calls, { sceneId }) => printValidation(calls, sceneId),
  },
  {
    method: "POST",
    path: "/scene/:scene/interferences/",
    alsoOfNewest: true,
    ...oneCall<{ interferences: readonly unknown[] }>(
      validateInterferences,
      ({ sceneId: scene_id, body }) => ({ scene_id, ...pick(body, "collision_offset_mm") }),
      (found) => found?.interferences,
    ),
  },
  detection("cup-detection", validateCups),
  detection("minima-detection", validateMinima),
  detection("supportedness-detection", validateSupportedness),
  {
    method: "POST",
    path: "/scene/:scene/thin-wall-detection/",
    alsoOfNewest: true,
    async: true,
    ...oneCall(
      validateThinFeatures,
      ({ sceneId: scene_id, body }) => {
        const selection = modelIdsOf(body.models);
        return selection && { scene_id, ...selection, ...pick(body, "threshold_mm") };
      },
      (found) => found ?? { per_model_results: {} },
    ),
  },
];
