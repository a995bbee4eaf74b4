import * as v from "valibot";
import type { CheckRequest, SceneBody } from "../../check/cluster.ts";
import { ApiError } from "../../core/api-error.ts";
import { layerBoundariesOf } from "../../scene/layers.ts";
import { bodyBox } from "../../scene/placement.ts";
import { type Scene, printedBodies } from "../../scene/project.ts";
import { type Endpoint, type RequestContext, readsScene } from "../endpoint.ts";
import { count, perModelReply, perModelResults, sceneId } from "../schema.ts";
import { supportSettingsOf } from "./supports.ts";

/** A missing `scene_id` has its own error code (interface, "Printability checks"). */
const sceneIdOrError = v.pipe(
  v.strictObject({ scene_id: v.optional(sceneId) }),
  v.transform(({ scene_id }) => {
    if (scene_id !== undefined) return { scene_id };
    throw new ApiError("MISSING_PARAMETER", "The body lacks scene_id: give the id of the scene to check.");
  }),
);

/** The shape is for the OpenAPI document, as in `oneOf`: a valid body has a `scene_id`. */
const body = Object.assign(
  v.lazy(() => sceneIdOrError),
  { shapes: [v.strictObject({ scene_id: sceneId })] },
);

interface PrintabilityCheck {
  /** Last segment of the path. */
  readonly name: string;
  readonly summary: string;
  /** Name of the number in the result of a model. */
  readonly field: string;
  readonly value: v.GenericSchema<number>;
  /** The number of each model of a resin scene, in their order. */
  readonly run: (scene: Scene, context: RequestContext) => Promise<readonly number[]>;
}

/** An endpoint that computes one number for each model of a scene. It is 0 in powder scenes, where powder carries parts. */
const printabilityCheck = ({ name, summary, field, value, run }: PrintabilityCheck): Endpoint =>
  readsScene(
    {
      method: "POST",
      path: `/v1/scene/model/validate/${name}/`,
      summary,
      async: true,
      errors: ["MISSING_PARAMETER"],
      body,
      reply: perModelReply(v.object({ [field]: value })),
    },
    async (scene, _, context) => {
      const { models, setting } = scene;
      const isTrivial = models.length === 0 || setting.printerType.family === "powder";
      const values = isTrivial ? models.map(() => 0) : await run(scene, context);
      return perModelResults(
        models,
        values.map((number) => ({ [field]: number })),
      );
    },
  );

/** The input of the checks: all models of a scene, also hidden ones, with their supports. */
function checkRequestOf(scene: Scene): CheckRequest {
  const { models, setting } = scene;
  const bodies = models.flatMap((model, index) =>
    printedBodies(model).map((body): SceneBody => {
      const { mesh, pose } = body;
      return { placed: { mesh, pose }, box: bodyBox(body), model: index, isSupport: body === model.supports };
    }),
  );
  return {
    bodies,
    modelCount: models.length,
    boundariesMm: layerBoundariesOf(scene),
    volume: setting.printerType.volume,
  };
}

export const validateCups = printabilityCheck({
  name: "cups",
  summary: "Counts the cups of each model: pockets that enclose resin while they are printed in the present pose.",
  field: "cup_count",
  value: count,
  run: (scene, context) => context.compute("checkCups", checkRequestOf(scene)),
});

export const validateMinima = printabilityCheck({
  name: "minima",
  summary: "Counts the minima of each model: regions that begin without a layer or a support below them.",
  field: "minima_count",
  value: count,
  run: (scene, context) => context.compute("checkMinima", checkRequestOf(scene)),
});

export const validateSupportedness = printabilityCheck({
  name: "supportedness",
  summary: "Area of the unsupported overhangs of each model, in percent of the area of its overhangs.",
  field: "percent_unsupported",
  value: v.pipe(v.number(), v.minValue(0), v.maxValue(100)),
  run: (scene, context) => {
    // Called for resin scenes only, which have support settings.
    const { selfSupportingAngleDeg, bridgingDistanceMm } = supportSettingsOf(scene.setting)!;
    return context.compute("checkSupportedness", {
      ...checkRequestOf(scene),
      selfSupportingAngleDeg,
      bridgingDistanceMm,
    });
  },
});
