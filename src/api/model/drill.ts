import * as v from "valibot";
import { operationFailed, withinFaultOf } from "../../core/fault.ts";
import type { Vec3 } from "../../core/geometry.ts";
import { newId } from "../../core/id.ts";
import { remembered } from "../../core/remembered.ts";
import { shortened } from "../../core/shortened.ts";
import { toMatrix, turn } from "../../mesh/pose.ts";
import { rawDirection, rawPlace } from "../../mesh/raw-place.ts";
import { appendModels, replaceModels } from "../../scene/edit.ts";
import { enter } from "../../scene/enter.ts";
import { selectModels } from "../../scene/find.ts";
import type { Model } from "../../scene/model.ts";
import type { Hole } from "../../solid/drill/hole.ts";
import type { DrillRequest, DrillResult } from "../../worker/task/drill-model.ts";
import { changesScene, type Kit } from "../endpoint.ts";
import { coordinateMm, eulerAngles, modelIds, sceneId, scenePosition } from "../schema.ts";
import { type Remade, remakeModels } from "./remake-models.ts";

/** Between a plug and its hole all round (interface supplement, section 6). */
const PLAY_MM = 0.1;

const DEFAULT_OUTSET_MM = 1;

const lengthMm = v.pipe(coordinateMm, v.gtValue(0));

const drainHole = v.pipe(
  v.strictObject({
    orientation: eulerAngles,
    position: scenePosition,
    diameter_mm: lengthMm,
    depth_mm: v.union([v.literal("AUTO"), lengthMm], 'must be "AUTO" or a number of millimetres above 0'),
    outset_mm: v.optional(v.pipe(coordinateMm, v.minValue(0)), DEFAULT_OUTSET_MM),
    create_plug: v.optional(v.boolean(), false),
    max_search_distance_mm: v.optional(lengthMm),
  }),
  v.forward(
    v.partialCheck(
      [["depth_mm"], ["max_search_distance_mm"]],
      ({ depth_mm, max_search_distance_mm }) => max_search_distance_mm === undefined || depth_mm === "AUTO",
      'goes with depth_mm "AUTO" alone',
    ),
    ["max_search_distance_mm"],
  ),
);

type DrainHole = v.InferOutput<typeof drainHole>;

export const drillModels = changesScene(
  {
    method: "POST",
    path: "/v1/scene/model/drill/",
    summary:
      "Drills each hole into every selected model that it meets, along the turned -z. AUTO goes through the wall to the cavity, or to the far side. A plug is a new model that fits its hole; in resin scenes it stands on the platform.",
    body: v.strictObject({
      scene_id: sceneId,
      model_ids: modelIds,
      drain_holes: v.pipe(v.array(drainHole), v.nonEmpty()),
    }),
    reply: v.object({
      plugs: v.array(v.object({ plug_model_id: v.string(), drilled_model_id: v.string() })),
      warnings: v.array(v.string()),
      infos: v.array(v.string()),
    }),
    async: true,
  },
  async (scene, { model_ids, drain_holes }, kit) => {
    const { setting } = scene;
    const drilled = (await drillEach(selectModels(scene, model_ids), drain_holes, kit)).filter(({ result }) =>
      result.bores.some((bore) => bore !== undefined),
    );
    if (drilled.length === 0) throw operationFailed(`No hole meets a model: ${PLACE_IT}`);
    const remade = await remakeModels(drilled.map(remadeOf), setting, kit);
    const plugs = await remakeModels(drilled.flatMap(plugsOf), setting, kit);
    const holders = drilled.flatMap(({ model, result }) => result.plugs.map(() => model.id));
    const next = appendModels(
      replaceModels(scene, remade),
      plugs.map((plug) => enter(plug, setting)),
    );
    const answer = {
      plugs: plugs.map(({ id }, i) => ({ plug_model_id: id, drilled_model_id: holders[i]! })),
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
  /** In its raw coordinates. */
  readonly holes: readonly Hole[];
  readonly result: DrillResult;
}

/** Each model with all the holes, on all threads; what differs neither in mesh nor in holes once. */
function drillEach(models: readonly Model[], asked: readonly DrainHole[], kit: Kit): Promise<DrilledModel[]> {
  const plugged = asked.flatMap(({ create_plug }, i) => (create_plug ? [i] : []));
  const known = new Map<string, Promise<DrillResult>>();
  const drill = async (model: Model, number: number): Promise<DrilledModel> => {
    const holes = asked.map((hole) => rawHole(hole, model));
    const request: DrillRequest = { mesh: model.mesh, holes, plugged, playMm: PLAY_MM / model.pose.scale };
    const key = JSON.stringify([model.mesh.hash, holes, request.playMm]);
    const compute = () => kit.compute("drillModel", { request, number, of: models.length });
    const drilling = () => remembered(known, key, compute);
    return { model, holes, result: await withinFaultOf(`"${model.name}" cannot be drilled`, drilling) };
  };
  return Promise.all(models.map(drill));
}

const DOWN: Vec3 = [0, 0, -1];

/** The hole in the coordinates of the model's raw mesh. */
function rawHole(hole: DrainHole, model: Model): Hole {
  const { x, y, z } = hole.position;
  const raw = (mm: number): number => mm / model.pose.scale;
  return {
    position: rawPlace(model, [x, y, z]),
    direction: rawDirection(model.pose, turn(toMatrix(hole.orientation), DOWN)),
    diameterMm: raw(hole.diameter_mm),
    depthMm: hole.depth_mm === "AUTO" ? "AUTO" : raw(hole.depth_mm),
    outsetMm: raw(hole.outset_mm),
    searchMm: hole.max_search_distance_mm === undefined ? undefined : raw(hole.max_search_distance_mm),
  };
}

/** With the holes beside those that it was drilled with since it was hollowed. */
function remadeOf({ model, holes, result: { mesh, bores } }: DrilledModel): Remade {
  const { hollowed } = model;
  const met = holes.filter((_, i) => bores[i] !== undefined);
  return { model, mesh, hollowed: hollowed && { ...hollowed, holes: [...hollowed.holes, ...met] } };
}

/** Each plug as a model where its hole is. */
const plugsOf = ({ model, result }: DrilledModel): Remade[] =>
  result.plugs.map(({ mesh }, i) => ({
    model: {
      ...model,
      id: newId(),
      name: `${shortened(model.name)} plug ${i + 1}`,
      visible: true,
      lock: "FREE",
    },
    mesh,
  }));

const PLACE_IT =
  "give a position on the surface of a selected model and an orientation whose turned -z leads into it, or with depth_mm AUTO a max_search_distance_mm.";

function missedWarnings(drilled: readonly DrilledModel[], asked: readonly DrainHole[]): string[] {
  return asked.flatMap(({ position }, i) => {
    if (drilled.some(({ result }) => result.bores[i] !== undefined)) return [];
    const place = [position.x, position.y, position.z].map((mm) => mm.toFixed(2)).join(", ");
    return [`Hole ${i + 1} at (${place}) mm meets no model: ${PLACE_IT}`];
  });
}

function unpluggedWarnings({ model, result }: DrilledModel, asked: readonly DrainHole[]): string[] {
  return asked.flatMap(({ create_plug }, i) => {
    if (!create_plug || result.bores[i] === undefined || result.plugs.some(({ hole }) => hole === i)) return [];
    return [`Hole ${i + 1} in "${model.name}" has no plug: ${PLAY_MM} mm of play all round leaves nothing of it.`];
  });
}

function depthInfos({ model, result }: DrilledModel, asked: readonly DrainHole[]): string[] {
  return asked.flatMap(({ depth_mm }, i) => {
    const bore = result.bores[i];
    if (depth_mm !== "AUTO" || bore === undefined) return [];
    return [`Hole ${i + 1} in "${model.name}" is ${(bore.toMm * model.pose.scale).toFixed(2)} mm deep.`];
  });
}
