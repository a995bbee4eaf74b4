import * as v from "valibot";
import { ApiError } from "../../core/api-error.ts";
import { directionToModelSpace, toSceneSpace } from "../../geometry/pose.ts";
import { replaceModels } from "../../scene/edit.ts";
import { findModel } from "../../scene/find.ts";
import { type Model, type Scene, quotedName } from "../../scene/project.ts";
import type { SupportPlan } from "../../support/plan/support-plan.ts";
import { type RequestContext, changesScene } from "../../api/endpoint.ts";
import { field, object, strictObject } from "../../api/field.ts";
import { modelId, modifiedModelIds, positionReply, sceneId, warningsList } from "../../api/schema.ts";
import { requireFamily } from "../../api/preconditions.ts";
import { supportSettingsOf } from "../support/endpoint.ts";
import { changedSettings, settingFields } from "../support/setting-fields.ts";
import { onWire, toRaw, vectorOf } from "./areas-on-wire.ts";
import {
  type DraftPoints,
  type ListedPoint,
  editedPoints,
  listedPoints,
  requireCounts,
  SAME_MM,
} from "./draft-points.ts";
import { type NewPointBody, type PointEditBody, listedPoint, newArea, pointEdit } from "./plan-fields.ts";
import { planHash, planOf } from "./plan-of-model.ts";
import { type PutPlan, putPlan } from "./put-plan.ts";
import { withPlan } from "./with-plan.ts";

const body = v.pipe(
  strictObject({
    scene_id: sceneId,
    model_id: modelId,
    points: field(
      v.optional(v.array(listedPoint)),
      "All points; they replace the present ones. Cannot be combined with edit.",
    ),
    edit: field(v.optional(pointEdit), "Changes of the present points. Needs based_on."),
    based_on: field(
      v.optional(v.string()),
      "The hash of supports/get on which the request is based. If the supports have another one now, nothing is changed.",
    ),
    areas: field(v.optional(v.array(newArea)), "All areas; they replace the present ones. Unchanged if absent."),
    snap_mm: field(
      v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(5)), 1),
      "Largest distance in mm by which a new point is moved onto the part.",
    ),
    ...settingFields,
  }),
  v.forward(
    v.partialCheck(
      [["points"], ["edit"]],
      ({ points, edit }) => points === undefined || edit === undefined,
      "cannot be combined with points",
    ),
    ["edit"],
  ),
  v.forward(
    v.partialCheck(
      [["edit"], ["based_on"]],
      ({ edit, based_on }) => edit === undefined || based_on !== undefined,
      "is needed with edit: the indices are those of one state of the supports",
    ),
    ["based_on"],
  ),
);

export type SetBody = v.InferOutput<typeof body>;

const reply = object({
  modified_model_ids: modifiedModelIds,
  point_count: field(v.number(), "Number of points that the model has now."),
  unreached_indices: field(v.array(v.number()), "Indices of the points that no support reaches."),
  dropped: field(
    v.array(
      object({
        position: field(positionReply, "Where the point would have been."),
        reason: field(v.string(), "Why it was dropped, as text for people."),
      }),
    ),
    "Points that the request asks for and the model does not have.",
  ),
  hash: field(v.string(), "Hash of the new state, for based_on."),
  warnings: warningsList,
});

export const setSupports = changesScene(
  {
    method: "POST",
    path: "/v1/scene/model/supports/set/",
    errors: ["UNSUPPORTED_SCENE", "STALE_STATE"],
    summary:
      "Sets the support points of a model by hand, and the areas of its surface that supports avoid or hold more densely, and builds the supports. Equal points give equal supports, in whatever order they were set. Points that face up or double others are dropped. Without points the supports are removed. Absent settings are those of the present supports, or of the print setting.",
    async: true,
    body,
    reply,
  },
  (scene, request, context) => withSetPoints(scene, request, context),
);

/** The scene after `supports/set`, and the answer. */
export async function withSetPoints(
  scene: Scene,
  request: SetBody,
  context: RequestContext,
): Promise<readonly [Scene, v.InferInput<typeof reply>]> {
  requireFamily(scene, "resin");
  const model = findModel(scene, request.model_id);
  requireState(model, request.based_on);
  const present = planOf(model);
  const settings = { ...(present?.settings ?? supportSettingsOf(scene.setting)!), ...changedSettings(request) };
  const draft = draftOf(request, model, present, settings.touchpointSizeMm);
  requireCounts(draft, request.areas?.length ?? 0);
  context.enterPhase(0, PUT_SHARE);
  const presentAreas = present?.areas ?? [];
  const put = await putPlan({ model, draft, areas: request.areas, presentAreas, snapMm: request.snap_mm }, context);
  context.enterPhase(PUT_SHARE, 1);
  const {
    model: next,
    warnings,
    unreached,
  } = await withPlan(model, { settings, points: put.points, areas: put.areas }, scene, context);
  return [
    replaceModels(scene, [next]),
    {
      modified_model_ids: [model.id],
      point_count: put.points.length,
      unreached_indices: [...unreached],
      dropped: droppedOnWire(put, model),
      hash: planHash(next),
      warnings: [...warnings],
    },
  ];
}

/** Share of the progress at which points and areas are on the surface. */
const PUT_SHARE = 0.05;

function requireState(model: Model, basedOn: string | undefined): void {
  if (basedOn === undefined || basedOn === planHash(model)) return;
  throw new ApiError(
    "STALE_STATE",
    `The supports of ${quotedName(model)} have changed since this edit began: read them again with ` +
      "/v1/scene/model/supports/get/, and edit their present points. Nothing was changed.",
  );
}

function draftOf(
  { points, edit }: SetBody,
  model: Model,
  present: SupportPlan | undefined,
  sizeMm: number,
): DraftPoints {
  const known = present?.points ?? [];
  if (edit) return editedPoints(known, editOf(edit, model), sizeMm);
  if (!points) return { kept: known, added: [] };
  const list = points.map((point) => pointOf(point, model));
  return listedPoints(known, list, { defaultSizeMm: sizeMm, nearMm: SAME_MM / model.pose.scale });
}

const editOf = (edit: PointEditBody, model: Model) => ({
  add: edit.add.map((point) => pointOf(point, model)),
  move: edit.move.map(({ index, position }) => ({ index, position: toRaw(model, position) })),
  update: edit.update.map(({ indices, size_mm, locked }) => ({ indices, sizeMm: size_mm, locked })),
  delete: edit.delete,
});

const pointOf = ({ position, normal, size_mm, locked }: NewPointBody, model: Model): ListedPoint => ({
  position: toRaw(model, position),
  normal: normal && directionToModelSpace(model.pose, vectorOf(normal)),
  sizeMm: size_mm,
  locked,
});

const droppedOnWire = ({ dropped }: PutPlan, model: Model) =>
  dropped.map(({ position, reason }) => ({ position: onWire(toSceneSpace(model, position)), reason }));
