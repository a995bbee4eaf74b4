import * as v from "valibot";
import type { Setting } from "../../catalog/setting.ts";
import { snakeKeys } from "../../core/json.ts";
import { must } from "../../core/must.ts";
import { rotateVector, rotationMatrix, toSceneSpace } from "../../geometry/pose.ts";
import { type Vec3, vec3Of } from "../../geometry/vector.ts";
import { findModel } from "../../scene/find.ts";
import type { Model, Scene, Supports } from "../../scene/project.ts";
import { wireMm, wireN } from "../../scene/wire-numbers.ts";
import type { RoutedSupports } from "../../support/plan/routed-supports.ts";
import type { Touchpoint } from "../../support/points/touchpoint.ts";
import type { SupportSettings } from "../../support/support-settings.ts";
import { type RequestContext, readsScene } from "../../api/endpoint.ts";
import { field, object, strictObject } from "../../api/field.ts";
import { modelId, sceneId, uuid } from "../../api/schema.ts";
import { supportSettingsOf } from "../support/endpoint.ts";
import { settingFields } from "../support/setting-fields.ts";
import { type SupportTarget, singleRequestOf, supportModels } from "../support/support-models.ts";
import { routedOfPoints } from "../support-preview/draft-of-points.ts";
import { areaOnWire, onWire } from "./areas-on-wire.ts";
import { areaReply, pointReply } from "./plan-fields.ts";
import { planHash, planOf, pointsOfPose } from "./plan-of-model.ts";

const mm = v.number();
const strutReply = v.tuple([mm, mm, mm, mm, mm, mm, mm, mm, v.picklist(["TIP", "PILLAR", "BRACE"])]);
const settingsReply = object(settingFields);

export const getSupports = readsScene(
  {
    method: "POST",
    path: "/v1/scene/model/supports/get/",
    summary:
      "The support points of a model with what is known of each, the areas of its surface that supports avoid or hold more densely, and, if asked for, the struts of the supports. A model without supports that nobody edited has neither.",
    async: true,
    body: strictObject({
      scene_id: sceneId,
      model_id: modelId,
      include_struts: field(v.optional(v.boolean(), false), "Whether the reply has the struts."),
    }),
    reply: object({
      model_id: field(uuid, "Id of the model."),
      edited: field(v.boolean(), "Whether the points or areas were edited by hand."),
      hash: field(v.string(), "Hash of points, areas and settings, for based_on of supports/set."),
      settings: field(settingsReply, "The settings of the supports; those of the print setting if there are none."),
      points: field(v.array(pointReply), "The points."),
      areas: field(v.array(areaReply), "The areas."),
      struts: field(
        v.optional(v.array(strutReply)),
        "Each strut as x, y, z and radius of one end and of the other in the scene in mm, and its kind; only with include_struts.",
      ),
    }),
  },
  async (scene, { model_id, include_struts }, context) => {
    const model = findModel(scene, model_id);
    const plan = planOf(model);
    const routed = model.supports && (await routedOf(model, model.supports, scene, context));
    return {
      model_id: model.id,
      edited: model.supportPlan !== undefined,
      hash: planHash(model),
      settings: settingsOnWire(plan?.settings ?? supportSettingsOf(scene.setting)),
      points: pointsOnWire(model, routed),
      areas: (plan?.areas ?? []).map((area) => areaOnWire(area, model)),
      ...(include_struts && { struts: routed ? strutsOnWire(routed) : [] }),
    };
  },
);

/** How supports hold their model. */
interface KnownSupports {
  readonly routed: RoutedSupports;
  /** The place in the scene of a place in the coordinates of the struts. */
  readonly inScene: (place: Vec3) => Vec3;
}

const knownOf = (supports: Supports, routed: RoutedSupports): KnownSupports => ({
  routed,
  inScene: (place) => toSceneSpace(supports, place),
});

const known = new WeakMap<Supports, KnownSupports>();

/** How supports hold their model. Those of a file are routed anew, as `regenerate-supports` would; undefined if that leaves none. */
async function routedOf(
  model: Model,
  supports: Supports,
  scene: Scene,
  context: RequestContext,
): Promise<KnownSupports | undefined> {
  if (supports.routed) return knownOf(supports, supports.routed);
  const before = known.get(supports);
  if (before) return before;
  const { settings, touchpoints } = supports;
  const now = await routedAnew(
    { model, settings, touchpoints, areas: model.supportPlan?.areas },
    scene.setting,
    context,
  );
  if (now) known.set(supports, now);
  return now;
}

/** Routes supports anew, with their solid only where it decides about the struts: a person who begins to edit waits. */
async function routedAnew(
  target: SupportTarget & { readonly touchpoints: readonly Touchpoint[] },
  setting: Setting,
  context: RequestContext,
): Promise<KnownSupports | undefined> {
  const { model, touchpoints } = target;
  const { position } = model.pose;
  const { volume } = setting.printerType;
  const request = singleRequestOf(target, setting);
  const routed = await routedOfPoints({ request, touchpoints, position, volume }, context);
  if (routed) return { routed, inScene: (place) => place };
  const { models } = await supportModels([target], setting, context);
  const made = models[0]?.supports;
  return made?.routed && knownOf(made, made.routed);
}

/** The fields of `auto-support`: other settings are those of the material. Empty for powder. */
function settingsOnWire(settings: SupportSettings | undefined): v.InferInput<typeof settingsReply> {
  if (!settings) return {};
  const { selfSupportingAngleDeg: _angle, bridgingDistanceMm: _distance, ...own } = settings;
  return snakeKeys(own);
}

function pointsOnWire(model: Model, known: KnownSupports | undefined): v.InferInput<typeof pointReply>[] {
  const plan = planOf(model);
  if (!plan) return [];
  const { held, resting } = pointsOfPose(plan, model.pose);
  const isResting = new Set(resting);
  const touches = new Map(held.map((point, i) => [point, i]));
  const rotation = rotationMatrix(model.pose.orientation);
  return plan.points.map((point, index) => {
    const touch = touches.get(point) ?? -1;
    const tree = known?.routed.trees[touch] ?? -1;
    return {
      index,
      position: onWire(toSceneSpace(model, point.position)),
      normal: onWire(rotateVector(rotation, point.normal)),
      size_mm: point.sizeMm,
      cause: point.cause,
      origin: point.origin,
      locked: point.locked,
      resting: isResting.has(point),
      reached: tree >= 0,
      tree,
      load_n: wireN(known?.routed.touchLoadsN[touch] ?? 0),
    };
  });
}

type WireStrut = v.InferInput<typeof strutReply>;

function strutsOnWire({ inScene, routed: { tree } }: KnownSupports): WireStrut[] {
  const numberAt = (index: number): number => must(tree.nodes[index], "The ball of a strut");
  const endOf = (node: number): [number, number, number, number] => {
    const centre = vec3Of((axis) => numberAt(4 * node + axis));
    const { x, y, z } = onWire(inScene(centre));
    return [x, y, z, wireMm(numberAt(4 * node + 3))];
  };
  return tree.struts.map(({ from, to, kind }) => [...endOf(from), ...endOf(to), kind]);
}
