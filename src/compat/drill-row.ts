import { NO_HOLE_MEETS, drillModels } from "../api/model/drill.ts";
import { eulerOf } from "../api/model/rotation.ts";
import { ApiError } from "../core/api-error.ts";
import { isRecord } from "../core/json.ts";
import { matchSchema } from "../core/match-schema.ts";
import { rotationSchema } from "../api/model/rotation.ts";
import { rotationMatrix, transpose } from "../geometry/pose.ts";
import type { Mat3 } from "../geometry/vector.ts";
import { schemaMismatch } from "../http/read-request.ts";
import { type Notices, noticesOf } from "./answers.ts";
import { type Body, entry, orientationOf, pick, positionOf } from "./body.ts";
import type { Row, RowRequest } from "./row.ts";

interface DrillAnswer extends Notices {
  readonly plugs: readonly { readonly plug_model_id: string }[];
}

/** The Euler angles of an orientation in any of its shapes, turned half around x where `turnsOver`: a hole runs along the turned −z. */
function holeOrientation(given: unknown, turnsOver: boolean): unknown {
  if (!isRecord(given)) return given;
  const orientation = matchSchema(rotationSchema, orientationOf(given), schemaMismatch);
  if (!turnsOver && "x" in orientation) return orientation;
  const toAxes = rotationMatrix(eulerOf(orientation));
  // Directions are those of the scene that the axes of the hole turn to; `eulerOf` takes them to the axes.
  const rotation = "z_direction" in orientation ? transpose(toAxes) : toAxes;
  return eulerOf({ linear: rowsOf(turnsOver ? turnedOver(rotation) : rotation) });
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

const holeOf = (given: unknown, turnsOver: boolean): unknown =>
  isRecord(given)
    ? {
        ...pick(given, "diameter_mm", "depth_mm", "outset_mm", "create_plug"),
        ...entry("orientation", holeOrientation(given.orientation, turnsOver)),
        ...entry("position", positionOf(given.position)),
        // `/v1/` looks for the surface of holes to the cavity alone.
        ...(given.depth_mm === "AUTO" && entry("max_search_distance_mm", given.max_search_distance)),
      }
    : given;

function drillBody({ sceneId: scene_id, body: { model_id, drain_holes } }: RowRequest, turnsOver: boolean): Body {
  const holes = Array.isArray(drain_holes) ? drain_holes.map((hole: unknown) => holeOf(hole, turnsOver)) : drain_holes;
  return { scene_id, ...entry("drain_holes", holes), ...(model_id !== undefined && { model_ids: [model_id] }) };
}

/** Where no hole meets the model, 0.9 says so in a warning, and changes nothing. */
const missed = ({ message }: ApiError): DrillAnswer => ({ plugs: [], warnings: [message], infos: [] });

const meetsNone = (thrown: unknown): thrown is ApiError =>
  thrown instanceof ApiError && thrown.message === NO_HOLE_MEETS;

/** Clients give places below a part with upright orientations, and others above it: where no hole meets the model, all are turned over. */
export const DRILL_ROW: Row = {
  method: "POST",
  path: "/scene/:scene/add-drain-holes/",
  alsoOfNewest: true,
  changesScenes: true,
  async: true,
  first: (request) => [drillModels, drillBody(request, false)],
  async run(calls, request) {
    const drill = (turnsOver: boolean): Promise<DrillAnswer> =>
      calls.call<DrillAnswer>(drillModels, drillBody(request, turnsOver));
    const { plugs, ...answer } = await drill(false)
      .catch((thrown: unknown) => {
        if (meetsNone(thrown)) return drill(true);
        throw thrown;
      })
      .catch((thrown: unknown) => {
        if (meetsNone(thrown)) return missed(thrown);
        throw thrown;
      });
    return { plugs: plugs.map(({ plug_model_id }) => plug_model_id), ...noticesOf(answer) };
  },
};
