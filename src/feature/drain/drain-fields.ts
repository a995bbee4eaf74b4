import * as v from "valibot";
import { field, object, strictObject } from "../../api/field.ts";
import {
  coordinateMm,
  count,
  modelIds,
  modifiedModelIds,
  positionReply,
  sceneId,
  uuid,
  warningsList,
} from "../../api/schema.ts";
import { drainHoleReply, plugsReply } from "../drill/hole-fields.ts";
import { areaShape } from "../support-plan/plan-fields.ts";

/** As the least hole that a resin printer keeps open at a wall of 2 mm; wider than a part makes no sense. */
const diameterMm = v.pipe(coordinateMm, v.minValue(0.5), v.maxValue(50));

/** Usual advice: holes of 2 mm let air in, resin runs out through 3.5 mm. No measurement was found. */
const VENT_MM = 2;
const DRAIN_MM = 3.5;
/** 50 mm³. */
const POOL_ML = 0.05;

export const drainBody = strictObject({
  scene_id: sceneId,
  model_ids: modelIds,
  max_pool_ml: field(
    v.optional(v.pipe(v.number(), v.minValue(0.001), v.maxValue(1000)), POOL_ML),
    "Resin in ml that may stay in one place of the part.",
  ),
  vent_diameter_mm: field(v.optional(diameterMm, VENT_MM), "Diameter in mm of holes that let air into cavities."),
  drain_diameter_mm: field(
    v.optional(diameterMm, DRAIN_MM),
    "Diameter in mm of holes through which resin leaves. Where one hole does both for a cavity, it is at least 5 mm wide.",
  ),
  plugs: field(v.optional(v.boolean(), false), "Whether a plug that fits each hole is made as a new model."),
  protected_areas: field(
    v.optional(v.array(areaShape), []),
    "Areas of the surface in which no hole ends, besides those that supports must never touch.",
  ),
  before_supports: field(
    v.optional(v.boolean(), false),
    "Whether models that have no supports get some afterwards, which lift them by the height above the raft of the print setting: holes may then end below them. Otherwise they are drained as they lie on the platform, which closes such holes.",
  ),
  dry_run: field(v.optional(v.boolean(), false), "Whether the holes are only returned, and no model is changed."),
});

export type DrainBody = v.InferOutput<typeof drainBody>;

const modelId = field(uuid, "Id of the model.");

export const drainReply = object({
  holes: field(
    v.array(
      object({
        model_id: modelId,
        kind: field(
          v.picklist(["VENT", "DRAIN", "BOTH"]),
          "VENT lets air in, DRAIN lets resin out, BOTH is wide enough for both at once.",
        ),
        drain_hole: field(drainHoleReply("Whether it gets a plug."), "The hole, as `drill` takes it."),
      }),
    ),
    "The holes.",
  ),
  filled: field(
    v.array(
      object({
        model_id: modelId,
        point: field(positionReply, "Point of the wall of the cavity in the scene."),
        volume_ml: field(v.number(), "Volume of the cavity in ml."),
      }),
    ),
    "Closed cavities that were filled because they are too small to drain.",
  ),
  proof: field(
    object({
      sealed_before: field(count, "Number of cups and pools without these holes."),
      cup_count: field(count, "Number of cups that are left: at least 0.001 ml is closed in while a layer is printed."),
      pool_count: field(count, "Number of pools that are left: more than max_pool_ml cannot run out toward the film."),
      largest_cup_ml: field(v.number(), "Volume in ml of the largest cup, also of one that is too small to count."),
      largest_pool_ml: field(v.number(), "Volume in ml of the largest pool, also of one that is too small to count."),
    }),
    "What the layers of the drilled models with their supports show, from the platform up and from the top down.",
  ),
  left: field(
    v.array(
      object({
        model_id: modelId,
        kind: field(v.picklist(["CUP", "POOL"]), "CUP has no air while it is printed, POOL keeps resin."),
        point: field(positionReply, "Point at the end of the cup or pool in the scene."),
        volume_ml: field(v.number(), "Its volume in ml."),
        reason: field(v.string(), "Why no hole opens it, as text for people."),
      }),
    ),
    "Cups and pools that are left.",
  ),
  plugs: plugsReply,
  modified_model_ids: modifiedModelIds,
  warnings: warningsList,
});
