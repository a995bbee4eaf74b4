import * as v from "valibot";
import { coordinateMm, finiteNumber } from "../api/schema.ts";
import { inputError } from "../core/api-error.ts";
import { type Vec3, cross, length, unit } from "../geometry/vector.ts";

/** A request of the HTTP interface, without the scene and the models. */
export interface ActionRequest {
  readonly request: string;
  readonly body: object;
}

const named = v.pipe(v.array(v.string()), v.minLength(1, "must name a part"));
const parts = v.optional(named);
const positive = v.pipe(coordinateMm, v.gtValue(0));
const degrees = v.optional(finiteNumber, 0);
const vector = v.pipe(v.array(coordinateMm), v.length(3, "must be three numbers: x, y and z"));

/** An action of edit_parts. Which parts it is for is in `parts`: all if it is absent. */
export const editAction = v.variant("do", [
  v.strictObject({ do: v.literal("turn"), parts, x_deg: degrees, y_deg: degrees, z_deg: degrees }),
  v.strictObject({ do: v.literal("move"), parts, by_mm: vector }),
  v.strictObject({ do: v.literal("place"), parts, at_mm: vector }),
  v.strictObject({ do: v.literal("scale"), parts, factor: v.pipe(v.number(), v.gtValue(0)) }),
  v.strictObject({
    do: v.literal("copy"),
    parts,
    count: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(10_000)),
  }),
  v.strictObject({ do: v.literal("delete"), parts: named }),
  v.strictObject({ do: v.literal("rename"), parts, name: v.pipe(v.string(), v.maxLength(1000)) }),
  v.strictObject({ do: v.literal("repair"), parts }),
  v.strictObject({ do: v.literal("hollow"), parts, wall_mm: v.pipe(coordinateMm, v.minValue(0.1)) }),
  v.strictObject({ do: v.literal("drain"), parts }),
  v.strictObject({ do: v.literal("drill"), parts, at_mm: vector, into: vector, diameter_mm: positive }),
  v.strictObject({
    do: v.literal("label"),
    parts,
    at_mm: vector,
    facing: vector,
    text: v.pipe(v.string(), v.minLength(1), v.maxLength(200)),
    size_mm: v.optional(v.pipe(coordinateMm, v.minValue(2), v.maxValue(20)), 5),
    depth_mm: v.optional(v.pipe(coordinateMm, v.minValue(0.2), v.maxValue(10)), 0.5),
    engrave: v.optional(v.boolean(), false),
  }),
  v.strictObject({ do: v.literal("remove_supports"), parts }),
  v.strictObject({
    do: v.literal("fix"),
    finding: v.string(),
    fix: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 0),
  }),
]);

/** What the actions take, for the description of the tool. */
export const ACTION_WORDS =
  "turn x_deg y_deg z_deg (sets the orientation: about z, then x, then y), move by_mm, place at_mm (of the part's middle), scale factor (1: as in the file), copy count, delete, rename name, repair, hollow wall_mm (without holes: drain adds them), drain (fewest holes that drain cavities; before prepare), drill at_mm into diameter_mm (through the wall; into is a direction), label at_mm facing text size_mm depth_mm engrave (on one part; facing is the direction out of its surface), remove_supports, fix finding fix (its number, of check)";

export type EditAction = v.InferOutput<typeof editAction>;

/** An action that a single request carries out. */
type SimpleAction = Exclude<EditAction, { do: "fix" }>;

/** The request of an action. Throws INPUT_ERROR for a direction of length 0. */
export function requestOf(action: SimpleAction): ActionRequest {
  switch (action.do) {
    case "turn": {
      const orientation = { x: action.x_deg, y: action.y_deg, z: action.z_deg };
      return { request: "scene/model/orient", body: { orientation } };
    }
    case "move":
      return { request: "scene/model/translate", body: { position: xyz(action.by_mm), mode: "RELATIVE" } };
    case "place":
      return { request: "scene/model/translate", body: { position: xyz(action.at_mm) } };
    case "scale":
      return { request: "scene/model/scale", body: { scale: action.factor } };
    case "copy":
      return { request: "scene/model/duplicate", body: { count: action.count } };
    case "delete":
      return { request: "DELETE /v1/scene/model/delete/", body: {} };
    case "rename":
      return { request: "scene/model/update", body: { name: action.name } };
    case "repair":
      return { request: "scene/model/repair", body: {} };
    case "hollow":
      return { request: "scene/model/hollow", body: { wall_thickness_mm: action.wall_mm } };
    case "drain":
      return { request: "scene/model/auto-drain", body: { before_supports: true } };
    case "drill": {
      const { at_mm, into, diameter_mm } = action;
      const hole = { orientation: drillAngles(directionOf("into", into)), position: xyz(at_mm), diameter_mm };
      return { request: "scene/model/drill", body: { drain_holes: [{ ...hole, depth_mm: "AUTO" }] } };
    }
    case "label": {
      const { text: label, at_mm, facing, size_mm: font_size_mm, depth_mm, engrave } = action;
      const orientation = { linear: textAxes(directionOf("facing", facing)) };
      const application_mode = engrave ? "ENGRAVE" : "EMBOSS";
      const body = { label, position: xyz(at_mm), orientation, font_size_mm, depth_mm, application_mode };
      return { request: "scene/model/label", body };
    }
    case "remove_supports":
      return { request: "DELETE /v1/scene/model/supports/delete/", body: {} };
  }
}

const xyz = ([x = 0, y = 0, z = 0]: readonly number[]) => ({ x, y, z });

function directionOf(field: string, [x = 0, y = 0, z = 0]: readonly number[]): Vec3 {
  if (length([x, y, z]) === 0) throw inputError(`"/${field}": must be a direction such as [0, 0, -1], not zero.`);
  return unit([x, y, z]);
}

const DEGREES = 180 / Math.PI;

/** The Euler angles, about x and then about y, that turn −z to a unit vector. */
export function drillAngles([x, y, z]: Vec3): { x: number; y: number; z: number } {
  return { x: Math.asin(Math.max(-1, Math.min(1, y))) * DEGREES, y: Math.atan2(-x, -z) * DEGREES, z: 0 };
}

/** A normal within about 25° of the vertical: there, text has its top away from the person at the printer. */
const LEVEL = 0.9;

/** The rotation, as rows, from the axes of a text to the scene: z to the unit vector `normal`, and y as upright as possible. */
export function textAxes(normal: Vec3): readonly Vec3[] {
  const up: Vec3 = Math.abs(normal[2]) > LEVEL ? [0, 1, 0] : [0, 0, 1];
  const right = unit(cross(up, normal));
  const top = cross(normal, right);
  return ([0, 1, 2] as const).map((row): Vec3 => [right[row], top[row], normal[row]]);
}
