import * as v from "valibot";
import { profileOf } from "../../catalog/profile.ts";
import { withinFault, withinFaultOf } from "../../core/fault.ts";
import { remembered } from "../../core/remembered.ts";
import { type EulerDeg, turnKey } from "../../mesh/pose.ts";
import type { OrientRequest } from "../../orient/orient-model.ts";
import { replaceModels } from "../../scene/edit.ts";
import { enter } from "../../scene/enter.ts";
import { selectModels } from "../../scene/find.ts";
import type { Model } from "../../scene/model.ts";
import type { Scene } from "../../scene/project.ts";
import { repose } from "../../scene/repose.ts";
import { changesScene, type Kit } from "../endpoint.ts";
import { idsOf } from "../ids-of.ts";
import { modelIds, modifiedReply, sceneId } from "../schema.ts";
import { mayTurn } from "./auto-layout.ts";
import { turnModels } from "./turn-models.ts";

/** Beyond a quarter turn the teeth would look at the platform. */
const MOST_TILT_DEG = 90;

export const autoOrient = changesScene(
  {
    method: "POST",
    path: "/v1/scene/model/auto-orient/",
    summary:
      "Turns models as they print best, within their lock, and stands them in the build volume. modified_model_ids names the models whose lock lets them turn, also those that stood that way before. DENTAL stands an arch on its base, its front to the front; tilt raises its front by so many degrees, from -90 to 90, where the lock allows.",
    body: v.pipe(
      v.strictObject({
        scene_id: sceneId,
        model_ids: modelIds,
        mode: v.optional(v.picklist(["DENTAL"])),
        tilt: v.optional(v.pipe(v.number(), v.integer(), v.minValue(-MOST_TILT_DEG), v.maxValue(MOST_TILT_DEG))),
      }),
      v.forward(
        v.partialCheck(
          [["mode"], ["tilt"]],
          ({ mode, tilt }) => tilt === undefined || mode === "DENTAL",
          'goes with mode "DENTAL" alone',
        ),
        ["tilt"],
      ),
    ),
    reply: modifiedReply,
    async: true,
  },
  async (scene, { model_ids, mode, tilt = 0 }, kit) => {
    const { setting } = scene;
    // Other endpoints answer NOT_FOUND for an unknown model, this one does not (interface, "auto-orient").
    const selected = withinFault("OPERATION_FAILED", "Nothing was turned", () => selectModels(scene, model_ids));
    const turning = selected.filter(({ lock }) => mayTurn(lock));
    const orientations = await orientationsOf(turning, scene, mode === "DENTAL" ? tilt : undefined, kit);
    const posed = turning.map((model, i) => repose(model, { ...model.pose, orientation: orientations[i] }));
    const turned = await turnModels(posed, setting, kit);
    // One that keeps its supports keeps its place: it has only been spun about it.
    const standing = turned.map((model) => (model.supports ? model : enter(model, setting)));
    return [replaceModels(scene, standing), { modified_model_ids: idsOf(standing) }];
  },
);

/** How each of the models shall stand, worked out on all threads, of copies once. */
function orientationsOf(
  models: readonly Model[],
  { setting }: Scene,
  dentalTiltDeg: number | undefined,
  kit: Kit,
): Promise<EulerDeg[]> {
  const profile = profileOf(setting);
  const { volume } = setting.printerType;
  const known = new Map<string, Promise<EulerDeg>>();
  const orient = ({ name, mesh, pose: { scale, orientation }, lock }: Model, i: number): Promise<EulerDeg> => {
    const key = [scale, lock, lock === "FREE" ? mesh.hash : turnKey(mesh.hash, orientation)].join(" ");
    const request: OrientRequest = { mesh, scale, orientation, lock, profile, volume, dentalTiltDeg };
    const share = { request, number: i, of: models.length };
    return withinFaultOf(`"${name}" cannot be oriented`, () =>
      remembered(known, key, () => kit.compute("orientModel", share)),
    );
  };
  return Promise.all(models.map(orient));
}
