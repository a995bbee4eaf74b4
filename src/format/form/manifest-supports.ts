import * as v from "valibot";
import { RAFT_TYPES } from "../../catalog/raft-type.ts";
import {
  atMost,
  coordinate,
  directionSchema,
  finiteNumber,
  hashSchema,
  isUnit,
  positionSchema,
  positive,
} from "./manifest-values.ts";

/** The range of `auto-support` (interface supplement, section 6). */
const touchpointSize = v.pipe(atMost(5), v.minValue(0.1));

/** x, y, z, the normal's x, y, z, and the cause. */
const PLAIN_POINT = [
  coordinate,
  coordinate,
  coordinate,
  finiteNumber,
  finiteNumber,
  finiteNumber,
  v.picklist(["MINIMUM", "ISLAND", "PENINSULA", "OVERHANG", "MANUAL"]),
] as const;

const PlainPointSchema = v.tuple(PLAIN_POINT);

/** From version 3 on: with its size, its origin, and whether it is locked. */
const WholePointSchema = v.tuple([...PLAIN_POINT, touchpointSize, v.picklist(["AUTOMATIC", "MANUAL"]), v.boolean()]);

type ManifestPoint = v.InferOutput<typeof PlainPointSchema> | v.InferOutput<typeof WholePointSchema>;

const TouchpointSchema = v.pipe(
  v.lazy((value): v.GenericSchema<ManifestPoint> =>
    Array.isArray(value) && value.length > PLAIN_POINT.length ? WholePointSchema : PlainPointSchema,
  ),
  v.check(([, , , x, y, z]) => isUnit(x, y, z), "expected a normal of length 1"),
);

export type ManifestTouchpoint = v.InferOutput<typeof TouchpointSchema>;

const SettingsSchema = v.object({
  density: v.pipe(finiteNumber, v.minValue(0)),
  slope_multiplier: v.pipe(finiteNumber, v.minValue(0)),
  only_minima: v.boolean(),
  raft_type: v.picklist(RAFT_TYPES),
  raft_label_enabled: v.boolean(),
  breakaway_structure_enabled: v.boolean(),
  internal_supports_enabled: v.boolean(),
  // The ranges of `auto-support` (interface supplement, section 6).
  touchpoint_size_mm: touchpointSize,
  raft_thickness_mm: atMost(10),
  height_above_raft_mm: atMost(50),
  z_compression_correction_mm: atMost(5),
  early_layer_merge_mm: atMost(5),
  self_supporting_angle_deg: atMost(90),
  bridging_distance_mm: atMost(1000),
});

const PointSchema = v.tuple([coordinate, coordinate, coordinate]);

export const SupportsSchema = v.object({
  position: positionSchema,
  turn_deg: finiteNumber,
  mesh: hashSchema,
  settings: SettingsSchema,
  touchpoints: v.array(TouchpointSchema),
  faults: v.optional(
    v.object({
      unreached: v.array(PointSchema),
      slender: v.array(PointSchema),
      unheld: v.optional(v.array(PointSchema), []),
      is_loose: v.boolean(),
    }),
  ),
});

const ShapeSchema = v.variant("kind", [
  v.object({ kind: v.literal("BALL"), centre: positionSchema, normal: directionSchema, radius: positive }),
  v.pipe(
    v.object({
      kind: v.literal("STROKE"),
      points: v.pipe(v.array(positionSchema), v.minLength(1)),
      normals: v.array(directionSchema),
      radius: positive,
    }),
    v.check(({ points, normals }) => points.length === normals.length, "expected a normal of each point"),
  ),
  v.object({ kind: v.literal("FACE"), point: positionSchema, normal: directionSchema, angle_deg: atMost(180) }),
]);

export type ManifestShape = v.InferOutput<typeof ShapeSchema>;

export const SupportPlanSchema = v.object({
  settings: SettingsSchema,
  points: v.array(TouchpointSchema),
  areas: v.array(v.object({ mode: v.picklist(["NEVER", "ALWAYS"]), shape: ShapeSchema })),
});

export type ManifestSupports = v.InferOutput<typeof SupportsSchema>;
export type ManifestSupportPlan = v.InferOutput<typeof SupportPlanSchema>;
