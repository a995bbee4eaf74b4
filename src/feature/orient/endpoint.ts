import * as v from "valibot";
import { profileOf } from "../../catalog/profile.ts";
import { partVolume } from "../../catalog/shrink-factors.ts";
import { withErrorPrefix, withErrorPrefixAsync } from "../../core/api-error.ts";
import { paired } from "../../core/paired.ts";
import { orientationKey } from "../../geometry/pose.ts";
import { cageByMember } from "../../scene/cages.ts";
import type { OrientedModel } from "../../orient/orient-model.ts";
import { replaceModels } from "../../scene/edit.ts";
import { selectModels } from "../../scene/find.ts";
import { placeNewModel } from "../../scene/placement.ts";
import { withPose } from "../../scene/pose.ts";
import { type Model, type Scene, quotedName } from "../../scene/project.ts";
import { type RequestContext, changesScene } from "../../api/endpoint.ts";
import { type Fields, field, object, strictObject } from "../../api/field.ts";
import { idsOf, integer, modelIds, modifiedModelIds, requiring, sceneId, warningsReply } from "../../api/schema.ts";
import { mayRotate } from "../layout/endpoint.ts";
import { mapDistinct, updateOutlines } from "../mesh-tasks.ts";
import { orientWarnings, otherPrinterTypes } from "./orient-warnings.ts";
import { orientOnThreads } from "./orient-on-threads.ts";

const orientFields = {
  mode: field(
    v.optional(v.picklist(["DENTAL"])),
    "DENTAL puts dental arches on their base; if absent, the orientation that prints best is chosen.",
  ),
  tilt: field(
    v.optional(integer),
    "Angle by which the front of a dental arch is raised, in degrees; 0 if absent. Only for mode DENTAL.",
  ),
};

type OrientOptions = v.InferOutput<v.StrictObjectSchema<typeof orientFields, undefined>>;

/** The schema of a body with the options of orientation, and the fields of `others`. */
function orientBody<Others extends Fields>(others: Others) {
  // valibot cannot infer the output of an object schema whose fields are partly generic.
  type Output = v.InferOutput<v.ObjectSchema<Others, undefined>> & OrientOptions;
  const fields = strictObject({ ...others, ...orientFields }) as unknown as v.GenericSchema<unknown, OrientOptions>;
  return v.pipe(
    fields,
    v.forward(
      v.partialCheck(
        [["mode"], ["tilt"]],
        ({ mode, tilt }) => tilt === undefined || mode === "DENTAL",
        'is for mode "DENTAL" alone: set mode to "DENTAL", or leave this field out',
      ),
      ["tilt"],
    ),
    requiring(["tilt"], "mode", { const: "DENTAL" }),
  ) as unknown as v.GenericSchema<unknown, Output>;
}

/** The body of auto-orient without the models. */
export const orientOptions = orientBody({});

export const autoOrient = changesScene(
  {
    method: "POST",
    path: "/v1/scene/model/auto-orient/",
    summary:
      "Rotates models to the orientation that prints best, as far as their lock allows, and places them in the build volume. Models in a cage are left unchanged. modified_model_ids lists all models that may rotate, also those that already had the best orientation. DENTAL puts an arch on its base, facing the front; tilt raises its front by this angle in degrees, if the lock allows it.",
    body: orientBody({ scene_id: sceneId, model_ids: modelIds }),
    reply: object({ modified_model_ids: modifiedModelIds, warnings: warningsReply }),
    async: true,
  },
  (scene, { model_ids, ...options }, context) => {
    // Unlike other endpoints, this one does not answer NOT_FOUND for an unknown model (interface, "auto-orient").
    const selected = withErrorPrefix("OPERATION_FAILED", "Nothing was turned", () => selectModels(scene, model_ids));
    return autoOrientModels(scene, selected, options, context);
  },
);

/** The scene with these models in the orientations that print best, and the answer of `auto-orient`. */
export async function autoOrientModels(
  scene: Scene,
  selected: readonly Model[],
  { mode, tilt = 0 }: OrientOptions,
  context: RequestContext,
): Promise<[Scene, { modified_model_ids: string[]; warnings?: string[] }]> {
  const { setting } = scene;
  const caged = cageByMember(scene);
  const models = selected.filter(({ id, lock }) => mayRotate(lock) && !caged.has(id));
  const found = await findOrientations(models, scene, mode === "DENTAL" ? tilt % 360 : undefined, context);
  const posed = paired(models, found).map(([model, { orientation }]) =>
    withPose(model, { ...model.pose, orientation }),
  );
  const oriented = await updateOutlines(posed, setting, context);
  // A model that still has supports was rotated about z only, and keeps its place.
  const placed = oriented.map((model) => (model.supports ? model : placeNewModel(model, setting)));
  const warnings = paired(models, found).flatMap(([model, oriented]) => orientWarnings(model, oriented, setting));
  const answer = { modified_model_ids: idsOf(placed), ...(warnings.length > 0 && { warnings }) };
  return [replaceModels(scene, placed), answer];
}

/** The best orientation of each model. */
function findOrientations(
  models: readonly Model[],
  { setting }: Scene,
  dentalTiltDeg: number | undefined,
  context: RequestContext,
): Promise<OrientedModel[]> {
  const profile = profileOf(setting);
  const volume = partVolume(setting);
  const otherVolumes = otherPrinterTypes(setting).map((type) => type.volume);
  return mapDistinct(
    models,
    ({ mesh, pose: { scale, orientation }, lock }) =>
      [scale, lock, lock === "FREE" ? mesh.hash : orientationKey(mesh.hash, orientation)].join(" "),
    (model, share) => {
      const {
        mesh,
        pose: { scale, orientation },
        lock,
      } = model;
      const input = {
        mesh,
        scale,
        orientation,
        lock,
        profile,
        volume,
        otherVolumes,
        ...(dentalTiltDeg !== undefined && { dentalTiltDeg }),
      };
      return withErrorPrefixAsync(`${quotedName(model)} cannot be oriented`, () =>
        orientOnThreads({ input, ...share }, context),
      );
    },
  );
}
