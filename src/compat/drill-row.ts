import { NO_HOLE_MEETS, drillModels } from "../feature/drill/endpoint.ts";
import { eulerOf, rotationSchema } from "../feature/placement/rotation.ts";
import { ApiError } from "../core/api-error.ts";
import { isRecord } from "../core/json.ts";
import { matchSchema } from "../core/match-schema.ts";
import { rotationMatrix, transpose } from "../geometry/pose.ts";
import type { Mat3 } from "../geometry/vector.ts";
import { schemaMismatch } from "../http/read-request.ts";
import { type Notices, modelNow, noticesOf } from "./answers.ts";
import { type Body, entry, orientationOf, pick, positionOf } from "./body.ts";
import type { Calls } from "./calls.ts";
import type { Row, RowRequest } from "./row.ts";

interface DrillAnswer extends Notices {
  readonly plugs: readonly { readonly plug_model_id: string }[];
}

const knownOrientation = (given: object) => matchSchema(rotationSchema, orientationOf(given), schemaMismatch);

/** The rotation of the axes of a hole, for an orientation in any of its forms. */
function rotationOf(given: object): Mat3 {
  const orientation = knownOrientation(given);
  const toAxes = rotationMatrix(eulerOf(orientation));
  // For z_direction and x_direction, `eulerOf` returns the inverse: the rotation that takes them to the axes.
  return "z_direction" in orientation ? transpose(toAxes) : toAxes;
}

/** The Euler angles of an orientation in any of its forms, turned by 180° about x if `turnsOver` is true: a hole runs along the rotated −z. */
function holeOrientation(given: unknown, turnsOver: boolean): unknown {
  if (!isRecord(given)) return given;
  const orientation = knownOrientation(given);
  if (!turnsOver && "x" in orientation) return orientation;
  const rotation = rotationOf(given);
  return eulerOf({ linear: rowsOf(turnsOver ? turnedOver(rotation) : rotation) });
}

type Point = Readonly<Record<"x" | "y" | "z", number>>;

/** The bounding box of a model. */
interface Box {
  readonly min_corner: Point;
  readonly max_corner: Point;
}

/** Whether a hole begins outside the box of its model and leads away from it: unchanged, it would at most scratch the nearest surface. */
function runsAway({ orientation, position }: Body, { min_corner: min, max_corner: max }: Box): boolean {
  const from = position as Point;
  const isOutside = (["x", "y", "z"] as const).some((axis) => from[axis] < min[axis] || from[axis] > max[axis]);
  const [, , zx, , , zy, , , zz] = rotationOf(orientation as object);
  const toMiddle = (axis: keyof Point): number => (min[axis] + max[axis]) / 2 - from[axis];
  return isOutside && zx * toMiddle("x") + zy * toMiddle("y") + zz * toMiddle("z") > 0;
}

const turnedOver = ([a, b, c, d, e, f, g, h, i]: Mat3): Mat3 => [a, -b, -c, d, -e, -f, g, -h, -i];

const rowsOf = ([a, b, c, d, e, f, g, h, i]: Mat3): [
  [number, number, number],
  [number, number, number],
  [number, number, number],
] => [
  [a, b, c],
  [d, e, f],
  [g, h, i],
];

/** One way of searching for the holes of a request. */
interface Attempt {
  readonly turnsOver: boolean;
  /** Search distance for holes to the cavity whose request has none, mm. */
  readonly searchMm?: number;
}

/** Our choice: clients give positions below the box of a part, which its supports lift by some millimetres. */
const SEARCH_MM = 25;

/**
 * Some clients give positions below a part with upright orientations, others above it. The first attempt that meets the model counts. It
 * uses the given direction, except for a hole that would run away from the model.
 */
const ATTEMPTS: readonly [Attempt, ...Attempt[]] = [
  { turnsOver: false },
  { turnsOver: true },
  { turnsOver: false, searchMm: SEARCH_MM },
  { turnsOver: true, searchMm: SEARCH_MM },
];

const holeOf = (given: unknown, { turnsOver, searchMm }: Attempt, box?: Box): unknown =>
  isRecord(given)
    ? {
        ...pick(given, "diameter_mm", "depth_mm", "outset_mm", "create_plug"),
        ...entry(
          "orientation",
          holeOrientation(given.orientation, turnsOver !== (box !== undefined && runsAway(given, box))),
        ),
        ...entry("position", positionOf(given.position)),
        // `/v1/` searches for the surface only for holes to the cavity.
        ...(given.depth_mm === "AUTO" && entry("max_search_distance_mm", given.max_search_distance ?? searchMm)),
      }
    : given;

function drillBody(
  { sceneId: scene_id, body: { model_id, drain_holes } }: RowRequest,
  attempt: Attempt,
  box?: Box,
): Body {
  const holes = Array.isArray(drain_holes)
    ? drain_holes.map((hole: unknown) => holeOf(hole, attempt, box))
    : drain_holes;
  return { scene_id, ...entry("drain_holes", holes), ...(model_id !== undefined && { model_ids: [model_id] }) };
}

const meetsNone = (thrown: unknown): thrown is ApiError =>
  thrown instanceof ApiError && thrown.message === NO_HOLE_MEETS;

/** If no hole meets the model, 0.9 reports that in a warning and changes nothing. */
async function drill(calls: Calls, request: RowRequest): Promise<DrillAnswer> {
  const { bounding_box } = await modelNow(calls, request.sceneId, request.body.model_id as string);
  for (const attempt of ATTEMPTS) {
    try {
      return await calls.call<DrillAnswer>(drillModels, drillBody(request, attempt, bounding_box as Box));
    } catch (thrown) {
      if (!meetsNone(thrown)) throw thrown;
    }
  }
  return { plugs: [], warnings: [NO_HOLE_MEETS], infos: [] };
}

export const DRILL_ROW: Row = {
  method: "POST",
  path: "/scene/:scene/add-drain-holes/",
  alsoOfNewest: true,
  changesScenes: true,
  async: true,
  first: (request) => [drillModels, drillBody(request, ATTEMPTS[0])],
  async run(calls, request) {
    const { plugs, ...answer } = await drill(calls, request);
    return { plugs: plugs.map(({ plug_model_id }) => plug_model_id), ...noticesOf(answer) };
  },
};
