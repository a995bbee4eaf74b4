import * as v from "valibot";
import { profileOf } from "../../catalog/profile.ts";
import { withErrorPrefix, withErrorPrefixAsync } from "../../core/api-error.ts";
import { orientationKey } from "../../geometry/pose.ts";
import { cageByMember } from "../../scene/cages.ts";
import type { OrientedModel } from "../../orient/orient-model.ts";
import { replaceModels } from "../../scene/edit.ts";
import { selectModels } from "../../scene/find.ts";
import { placeNewModel } from "../../scene/placement.ts";
import { withPose } from "../../scene/pose.ts";
import { type Model, type Scene, quotedName } from "../../scene/project.ts";
import { type RequestContext, changesScene } from "../../api/endpoint.ts";
import { field, object, strictObject } from "../../api/field.ts";
import { idsOf, integer, modelIds, modifiedModelIds, requiring, sceneId, warningsReply } from "../../api/schema.ts";
import { mayRotate } from "../layout/endpoint.ts";
import { mapDistinct, updateOutlines } from "../mesh-tasks.ts";
import { orientWarnings, otherPrinterTypes } from "./orient-warnings.ts";
import { orientModel } from "./task.ts";

export const autoOrient = changesScene(
  {
    method: "POST",
    path: "/v1/scene/model/auto-orient/",
    summary:
      "Rotates models to the orientation that prints best, as far as their lock allows, and places them in the build volume. Those in a cage stay as they are. modified_model_ids are the models that may turn, also where their orientation was the best already. DENTAL puts an arch on its base, facing the front; tilt raises its front by that angle in degrees, where the lock allows.",
    body: v.pipe(
      strictObject({
        scene_id: sceneId,
        model_ids: modelIds,
        mode: field(
          v.optional(v.picklist(["DENTAL"])),
          "DENTAL puts dental arches on their base; if absent, the orientation that prints best is sought.",
        ),
        tilt: field(
          v.optional(integer),
          "Angle by which the front of a dental arch is raised, in degrees; 0 if absent. For mode DENTAL alone.",
        ),
      }),
      v.forward(
        v.partialCheck(
          [["mode"], ["tilt"]],
          ({ mode, tilt }) => tilt === undefined || mode === "DENTAL",
          'is for mode "DENTAL" alone: set mode to "DENTAL", or leave this field out',
        ),
        ["tilt"],
      ),
      requiring(["tilt"], "mode", { const: "DENTAL" }),
    ),
    reply: object({ modified_model_ids: modifiedModelIds, warnings: warningsReply }),
    async: true,
  },
  async (scene, { model_ids, mode, tilt = 0 }, context) => {
    const { setting } = scene;
    // Unlike other endpoints, this one does not answer NOT_FOUND for an unknown model (interface, "auto-orient").
    const selected = withErrorPrefix("OPERATION_FAILED", "Nothing was turned", () => selectModels(scene, model_ids));
    const caged = cageByMember(scene);
    const models = selected.filter(({ id, lock }) => mayRotate(lock) && !caged.has(id));
    const found = await findOrientations(models, scene, mode === "DENTAL" ? tilt % 360 : undefined, context);
    const posed = models.map((model, i) => withPose(model, { ...model.pose, orientation: found[i].orientation }));
    const oriented = await updateOutlines(posed, setting, context);
    // A model that still has supports was rotated about z only, and keeps its place.
    const placed = oriented.map((model) => (model.supports ? model : placeNewModel(model, setting)));
    const warnings = models.flatMap((model, i) => orientWarnings(model, found[i], setting));
    const answer = { modified_model_ids: idsOf(placed), ...(warnings.length > 0 && { warnings }) };
    return [replaceModels(scene, placed), answer];
  },
);

/** The best orientation of each model. */
function findOrientations(
  models: readonly Model[],
  { setting }: Scene,
  dentalTiltDeg: number | undefined,
  context: RequestContext,
): Promise<OrientedModel[]> {
  const profile = profileOf(setting);
  const { volume } = setting.printerType;
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
        context.compute(orientModel, { input, ...share }),
      );
    },
  );
}
