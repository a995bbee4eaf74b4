import * as v from "valibot";
import { excerpt, operationFailed, withErrorPrefixAsync } from "../../core/api-error.ts";
import { newId } from "../../core/id.ts";
import { paired } from "../../core/paired.ts";
import { directionToModelSpace, rotateVector, rotationMatrix, toModelSpace } from "../../geometry/pose.ts";
import type { Vec3 } from "../../geometry/vector.ts";
import { requirePlainMeshes } from "../../scene/model-mesh.ts";
import { appendModels, replaceModels } from "../../scene/edit.ts";
import { selectModels } from "../../scene/find.ts";
import { placeNewModel } from "../../scene/placement.ts";
import { type Model, quotedName } from "../../scene/project.ts";
import type { Hole } from "../../solid/drill/bore.ts";
import type { DrillRequest, DrillResult } from "./drill-model.ts";
import { type RequestContext, changesScene } from "../../api/endpoint.ts";
import { field, object, strictObject } from "../../api/field.ts";
import {
  coordinateMm,
  eulerAnglesSchema,
  infosList,
  modelIds,
  requiring,
  sceneId,
  scenePosition,
  warningsList,
} from "../../api/schema.ts";
import { plugsReply } from "./hole-fields.ts";
import { type MeshReplacement, mapDistinct, replaceMeshes } from "../mesh-tasks.ts";
import { drillModelTask } from "./task.ts";

/** Gap between a plug and its hole on all sides (interface supplement, section 6). */
export const PLUG_CLEARANCE_MM = 0.1;

export const DEFAULT_OUTSET_MM = 1;

const lengthMm = v.pipe(coordinateMm, v.gtValue(0));

const drainHole = v.pipe(
  strictObject({
    orientation: field(
      eulerAnglesSchema,
      "Rotation of the hole, whose axis is the rotated -z: Euler angles in degrees, z applied first, then x, then y.",
    ),
    position: field(scenePosition, "Point of the surface in the scene where the hole begins."),
    diameter_mm: field(lengthMm, "Diameter of the hole in mm."),
    depth_mm: field(
      v.union([v.literal("AUTO"), lengthMm], 'must be "AUTO" or a number of millimetres above 0'),
      'Depth of the hole in mm, or "AUTO": through the wall to the cavity, or to the far side.',
    ),
    outset_mm: field(
      v.optional(v.pipe(coordinateMm, v.minValue(0)), DEFAULT_OUTSET_MM),
      "Distance outside the surface at which the hole begins, in mm.",
    ),
    create_plug: field(v.optional(v.boolean(), false), "Whether a plug that fits the hole is made as a new model."),
    max_search_distance_mm: field(
      v.optional(lengthMm),
      "Largest distance in mm by which the position is moved to the nearest point of the surface; it is not moved if absent. Only for depth_mm AUTO.",
    ),
  }),
  v.forward(
    v.partialCheck(
      [["depth_mm"], ["max_search_distance_mm"]],
      ({ depth_mm, max_search_distance_mm }) => max_search_distance_mm === undefined || depth_mm === "AUTO",
      'is for depth_mm "AUTO" alone: set depth_mm to "AUTO", or leave this field out',
    ),
    ["max_search_distance_mm"],
  ),
  requiring(["max_search_distance_mm"], "depth_mm", { const: "AUTO" }),
);

export type DrainHole = v.InferOutput<typeof drainHole>;

export const drillModels = changesScene(
  {
    method: "POST",
    path: "/v1/scene/model/drill/",
    summary:
      "Drills each hole along the rotated -z into every selected model that it meets. AUTO drills through the wall to the cavity, or to the far side. A plug is a new model that fits its hole; in resin scenes it is placed on the platform.",
    body: strictObject({
      scene_id: sceneId,
      model_ids: modelIds,
      drain_holes: field(v.pipe(v.array(drainHole), v.nonEmpty()), "The holes to drill."),
    }),
    reply: object({
      plugs: plugsReply,
      warnings: warningsList,
      infos: infosList,
    }),
    async: true,
  },
  async (scene, { model_ids, drain_holes }, context) => {
    const { setting } = scene;
    const selected = selectModels(scene, model_ids);
    requirePlainMeshes(selected);
    const outcomes = await drillAll(selected, drain_holes, context);
    const drilled = outcomes.filter(({ result }) => result.bores.some((bore) => bore !== undefined));
    if (drilled.length === 0) throw operationFailed(NO_HOLE_MEETS);
    const models = await replaceMeshes(drilled.map(meshReplacementOf), setting, context);
    const plugs = await replaceMeshes(drilled.flatMap(plugsOf), setting, context);
    const drilledIds = drilled.flatMap(({ model, result }) => result.plugs.map(() => model.id));
    const next = appendModels(
      replaceModels(scene, models),
      plugs.map((plug) => placeNewModel(plug, setting)),
    );
    const answer = {
      plugs: paired(plugs, drilledIds).map(([{ id }, drilledId]) => ({
        plug_model_id: id,
        drilled_model_id: drilledId,
      })),
      warnings: [
        ...missedWarnings(drilled, drain_holes),
        ...drilled.flatMap((one) => unpluggedWarnings(one, drain_holes)),
      ],
      infos: drilled.flatMap((one) => depthInfos(one, drain_holes)),
    };
    return [next, answer];
  },
);

interface DrilledModel {
  readonly model: Model;
  /** In raw coordinates. */
  readonly holes: readonly Hole[];
  readonly result: DrillResult;
}

/** Drills all holes into each model, on all threads. Models with the same mesh and holes are computed once. */
async function drillAll(
  models: readonly Model[],
  drainHoles: readonly DrainHole[],
  context: RequestContext,
): Promise<DrilledModel[]> {
  const plugged = drainHoles.flatMap(({ create_plug }, i) => (create_plug ? [i] : []));
  const requests = models.map((model) => {
    const clearanceMm = PLUG_CLEARANCE_MM / model.pose.scale;
    const holes = drainHoles.map((hole) => rawHole(hole, model));
    return { model, input: { mesh: model.mesh, holes, plugged, clearanceMm } satisfies DrillRequest };
  });
  const results = await mapDistinct(
    requests,
    ({ input: { mesh, holes, clearanceMm } }) => JSON.stringify([mesh.hash, holes, clearanceMm]),
    ({ model, input }, share) =>
      withErrorPrefixAsync(`${quotedName(model)} cannot be drilled`, () =>
        context.compute(drillModelTask, { input, ...share }),
      ),
  );
  return paired(requests, results).map(([{ model, input }, result]) => ({ model, holes: input.holes, result }));
}

const DOWN: Vec3 = [0, 0, -1];

/** The hole in the coordinates of the model's raw mesh. */
export function rawHole(hole: DrainHole, model: Model): Hole {
  const { x, y, z } = hole.position;
  const raw = (mm: number): number => mm / model.pose.scale;
  return {
    position: toModelSpace(model, [x, y, z]),
    direction: directionToModelSpace(model.pose, rotateVector(rotationMatrix(hole.orientation), DOWN)),
    diameterMm: raw(hole.diameter_mm),
    depthMm: hole.depth_mm === "AUTO" ? "AUTO" : raw(hole.depth_mm),
    outsetMm: raw(hole.outset_mm),
    ...(hole.max_search_distance_mm !== undefined && { searchMm: raw(hole.max_search_distance_mm) }),
  };
}

/** A hollowed model keeps the holes that were drilled after hollowing, so that they are drilled again when it is hollowed again. */
function meshReplacementOf({ model, holes, result: { mesh, bores } }: DrilledModel): MeshReplacement {
  const { hollowed } = model;
  const met = holes.filter((_, i) => bores[i] !== undefined);
  return { model, mesh, hollowed: hollowed && { ...hollowed, holes: [...hollowed.holes, ...met] } };
}

/** The plugs of a model as models, at the places of their holes. */
export const plugsOf = ({
  model,
  result,
}: {
  readonly model: Model;
  readonly result: Pick<DrillResult, "plugs">;
}): MeshReplacement[] =>
  result.plugs.map(({ mesh }, i) => ({
    model: {
      ...model,
      id: newId(),
      name: `${excerpt(model.name)} plug ${i + 1}`,
      visible: true,
      lock: "FREE",
    },
    mesh,
  }));

const PLACEMENT_HINT =
  "give a position on the surface of a selected model and an orientation whose rotated -z leads into it. With depth_mm AUTO, max_search_distance_mm may help.";

/** The error message if no hole meets a model. */
export const NO_HOLE_MEETS = `No hole meets a model: ${PLACEMENT_HINT}`;

function missedWarnings(drilled: readonly DrilledModel[], drainHoles: readonly DrainHole[]): string[] {
  return drainHoles.flatMap(({ position }, i) => {
    if (drilled.some(({ result }) => result.bores[i] !== undefined)) return [];
    const place = [position.x, position.y, position.z].map((mm) => mm.toFixed(2)).join(", ");
    return [`Hole ${i + 1} at (${place}) mm meets no model: ${PLACEMENT_HINT}`];
  });
}

function unpluggedWarnings({ model, result }: DrilledModel, drainHoles: readonly DrainHole[]): string[] {
  return drainHoles.flatMap(({ create_plug }, i) => {
    if (!create_plug || result.bores[i] === undefined || result.plugs.some(({ hole }) => hole === i)) return [];
    return [
      `Hole ${i + 1} in ${quotedName(model)} has no plug: it is too small for a plug with a gap of ${PLUG_CLEARANCE_MM} mm on all sides.`,
    ];
  });
}

function depthInfos({ model, result }: DrilledModel, drainHoles: readonly DrainHole[]): string[] {
  return drainHoles.flatMap(({ depth_mm }, i) => {
    const bore = result.bores[i];
    if (depth_mm !== "AUTO" || bore === undefined) return [];
    return [`Hole ${i + 1} in ${quotedName(model)} is ${(bore.depthMm * model.pose.scale).toFixed(2)} mm deep.`];
  });
}
