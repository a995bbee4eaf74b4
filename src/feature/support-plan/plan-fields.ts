import * as v from "valibot";
import { field, object, strictObject } from "../../api/field.ts";
import { finiteNumber, integer, oneOf, scenePosition } from "../../api/schema.ts";

// Fields of points and areas of supports in requests and replies.

/** Places of one stroke. */
const MAX_STROKE = 1000;

/** The range of `auto-support` (interface supplement, section 6). */
const sizeMm = v.pipe(v.number(), v.minValue(0.1), v.maxValue(5));
const index = v.pipe(integer, v.minValue(0));

const direction = v.pipe(
  strictObject({
    x: field(finiteNumber, "Along the width."),
    y: field(finiteNumber, "Along the depth."),
    z: field(finiteNumber, "Along the height."),
  }),
  v.check(({ x, y, z }) => Math.hypot(x, y, z) > 1e-9, "must not have length 0"),
);
const outward = (what: string) =>
  field(v.optional(direction), `Direction out of the part ${what} in the scene; that of the surface if absent.`);

const SIZE = "Diameter of the touch in mm";
const LOCKED = "Whether the point stays where it is when automatic points are chosen anew";

export const newPoint = strictObject({
  position: field(scenePosition, "Place on the part in the scene; it moves to the nearest surface."),
  normal: outward("there"),
  size_mm: field(v.optional(sizeMm), `${SIZE}; that of the settings if absent.`),
  locked: field(v.optional(v.boolean()), `${LOCKED}; false if absent.`),
});

export const listedPoint = strictObject({
  position: field(
    scenePosition,
    "Place on the part in the scene. At a present point (to 1 µm) it is that point; any other moves to the nearest surface.",
  ),
  normal: outward("there"),
  size_mm: field(v.optional(sizeMm), `${SIZE}; that of the present point or of the settings if absent.`),
  locked: field(v.optional(v.boolean()), `${LOCKED}; that of the present point, or false, if absent.`),
});

export const pointEdit = strictObject({
  add: field(v.optional(v.array(newPoint), []), "New points."),
  move: field(
    v.optional(
      v.array(
        strictObject({
          index: field(index, "Index of the point as of supports/get."),
          position: field(scenePosition, "New place on the part in the scene; it moves to the nearest surface."),
        }),
      ),
      [],
    ),
    "Points to move. A moved point counts as put by hand.",
  ),
  update: field(
    v.optional(
      v.array(
        strictObject({
          indices: field(v.array(index), "Indices of the points as of supports/get."),
          size_mm: field(v.optional(sizeMm), `${SIZE}; unchanged if absent.`),
          locked: field(v.optional(v.boolean()), `${LOCKED}; unchanged if absent.`),
        }),
      ),
      [],
    ),
    "Points that change without a move.",
  ),
  delete: field(v.optional(v.array(index), []), "Indices of the points to delete, as of supports/get."),
});

/** Radii of areas, mm. */
const radiusMm = field(v.pipe(v.number(), v.minValue(0.01), v.maxValue(1000)), "Radius in the scene in mm.");

const ball = strictObject({
  kind: field(v.literal("BALL"), "The surface inside a ball."),
  centre: field(scenePosition, "Centre in the scene."),
  normal: outward("at the centre"),
  radius_mm: radiusMm,
});
const stroke = v.pipe(
  strictObject({
    kind: field(v.literal("STROKE"), "The surface that a ball passes."),
    points: field(
      v.pipe(v.array(scenePosition), v.minLength(1), v.maxLength(MAX_STROKE)),
      "Places of its centre in the scene, in their order.",
    ),
    normals: field(
      v.optional(v.array(direction)),
      "Direction out of the part at each of the points; those of the surface if absent.",
    ),
    radius_mm: radiusMm,
  }),
  v.forward(
    v.partialCheck(
      [["points"], ["normals"]],
      ({ points, normals }) => normals === undefined || normals.length === points.length,
      "must have one direction for each of the points",
    ),
    ["normals"],
  ),
);
const face = strictObject({
  kind: field(v.literal("FACE"), "A face, whatever its form."),
  point: field(scenePosition, "A place of the face in the scene."),
  normal: outward("there"),
  angle_deg: field(
    v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(180)), 15),
    "The face goes on over edges at which the directions of its facets differ by less than this angle, in degrees.",
  ),
});

const MODE =
  "NEVER: no support touches the surface there. ALWAYS: automatic points are half as far apart. Of balls and strokes only those places count where the direction out of the part is within 90° of that of the area.";

export const areaShape = oneOf<typeof ball | typeof stroke | typeof face>({ centre: ball, points: stroke }, face);

export const newArea = strictObject({
  mode: field(v.picklist(["NEVER", "ALWAYS"]), MODE),
  shape: field(areaShape, "Its shape."),
});

export type NewPointBody = v.InferOutput<typeof newPoint>;
export type NewAreaBody = v.InferOutput<typeof newArea>;
export type PointEditBody = v.InferOutput<typeof pointEdit>;

const numbers = object({
  x: field(v.number(), "Along the width."),
  y: field(v.number(), "Along the depth."),
  z: field(v.number(), "Along the height."),
});

export const pointReply = object({
  index: field(index, "Index of the point, 0-based: the automatic ones first, then those put by hand by their height."),
  position: field(numbers, "Place in the scene in mm."),
  normal: field(numbers, "Unit direction out of the part in the scene."),
  size_mm: field(v.number(), `${SIZE}.`),
  cause: field(
    v.picklist(["MINIMUM", "ISLAND", "PENINSULA", "OVERHANG", "MANUAL"]),
    "Why it is there: the part begins in the air, juts out or overhangs there, or it was put there by hand.",
  ),
  origin: field(v.picklist(["AUTOMATIC", "MANUAL"]), "Whether the program chose it, or it was put there by hand."),
  locked: field(v.boolean(), `${LOCKED}.`),
  resting: field(
    v.boolean(),
    "Whether it has no support because it faces up; it gets one when the model is turned back.",
  ),
  reached: field(v.boolean(), "Whether a support reaches it."),
  tree: field(integer, "Number of the tree that holds it; −1 if none does."),
  load_n: field(v.number(), "Largest force on it in N."),
});

const replyShape = v.union([
  object({
    kind: field(v.literal("BALL"), "The surface inside a ball."),
    centre: field(numbers, "Centre in the scene in mm."),
    normal: field(numbers, "Direction out of the part at the centre."),
    radius_mm: field(v.number(), "Radius in the scene in mm."),
  }),
  object({
    kind: field(v.literal("STROKE"), "The surface that a ball passes."),
    points: field(v.array(numbers), "Places of its centre in the scene in mm."),
    normals: field(v.array(numbers), "Direction out of the part at each of them."),
    radius_mm: field(v.number(), "Radius in the scene in mm."),
  }),
  object({
    kind: field(v.literal("FACE"), "A face."),
    point: field(numbers, "A place of the face in the scene in mm."),
    normal: field(numbers, "Direction out of the part there."),
    angle_deg: field(v.number(), "Angle of edges that bound the face, in degrees."),
  }),
]);

export const areaReply = object({
  mode: field(v.picklist(["NEVER", "ALWAYS"]), MODE),
  shape: field(replyShape, "Its shape."),
});
