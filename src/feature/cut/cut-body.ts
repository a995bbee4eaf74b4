import * as v from "valibot";
import { field, strictObject } from "../../api/field.ts";
import { type OneOf, coordinateMm, finiteNumber, modelIds, sceneId, scenePosition } from "../../api/schema.ts";

const between = (min: number, max: number) => v.pipe(v.number(), v.minValue(min), v.maxValue(max));

const key = strictObject({
  position: field(scenePosition, "Centre of the key in the scene; it is moved to the plane along its normal."),
  kind: field(
    v.optional(v.picklist(["PEG", "DOWEL"]), "PEG"),
    "PEG: a peg of the lower part fits a hole in the upper one. DOWEL: a separate model fits holes in both.",
  ),
  shape: field(v.optional(v.picklist(["ROUND", "SQUARE", "HEXAGON"]), "ROUND"), "Cross-section of the key."),
  size_mm: field(between(1, 50), "Diameter, side of the square, or width across flats of the hexagon, in mm."),
  depth_mm: field(between(1, 100), "How far the key reaches into a part, in mm; a dowel is twice as long."),
  turn_deg: field(v.optional(finiteNumber, 0), "Rotation of the key about the normal of the plane, in degrees."),
});

const keyChoice = v.picklist(["NONE", "AUTO"]);
const keyList = v.pipe(v.array(key), v.maxLength(100));
type Keys = v.GenericSchema<unknown, "NONE" | "AUTO" | v.InferOutput<typeof keyList>>;

/** A word or a list: messages are about the one that was given. */
const keys = Object.assign(
  v.lazy((input): Keys => (Array.isArray(input) ? keyList : keyChoice) as Keys),
  { shapes: [keyChoice, keyList] },
) as OneOf<Keys>;

const direction = v.pipe(
  strictObject({
    x: field(coordinateMm, "Share along the width."),
    y: field(coordinateMm, "Share along the depth."),
    z: field(coordinateMm, "Share along the height."),
  }),
  v.check(({ x, y, z }) => Math.sqrt(x * x + y * y + z * z) >= 1e-6, "must not be of length 0"),
);

export const cutBody = strictObject({
  scene_id: sceneId,
  model_ids: modelIds,
  plane: field(
    strictObject({
      point: field(scenePosition, "A point of the plane in the scene."),
      normal: field(direction, "Direction across the plane, of any length; the part on its side is ABOVE."),
    }),
    "Plane of the cut.",
  ),
  keep: field(v.optional(v.picklist(["BOTH", "ABOVE", "BELOW"]), "BOTH"), "Parts that are kept."),
  keys: field(
    v.optional(keys, "NONE"),
    "Keys that join the parts: NONE, AUTO (one or two pegs on each cut face), or a list of at most 100.",
  ),
  play_mm: field(v.optional(between(0, 1), 0.1), "Gap between a key and its hole on all sides, in mm."),
  place_on_cut: field(
    v.optional(v.boolean(), false),
    "Whether parts are turned so that their cut faces face down. Parts with pegs stay as they are turned.",
  ),
});

export type CutBody = v.InferOutput<typeof cutBody>;
