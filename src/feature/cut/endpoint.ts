import * as v from "valibot";
import { inputError, operationFailed, withErrorPrefixAsync } from "../../core/api-error.ts";
import { MAX_MODELS } from "../../core/limits.ts";
import { paired } from "../../core/paired.ts";
import { requirePlainMeshes } from "../../scene/model-mesh.ts";
import { appendModels, substituteModels } from "../../scene/edit.ts";
import { selectModels } from "../../scene/find.ts";
import { placeNewModel } from "../../scene/placement.ts";
import { type Model, type Scene, quotedName } from "../../scene/project.ts";
import type { CutSolid } from "../../solid/cut/cut-mesh.ts";
import { type RequestContext, changesScene } from "../../api/endpoint.ts";
import { field, object } from "../../api/field.ts";
import { ids, idsOf, uuid, warningsList } from "../../api/schema.ts";
import { MESH_CHANGED, lostSupportsWarning } from "../../api/lost-supports.ts";
import { mapDistinct, updateOutlines } from "../mesh-tasks.ts";
import { type CutBody, cutBody } from "./cut-body.ts";
import { type CutPart, dowelsOf, hasPegs, partsOf } from "./cut-parts.ts";
import { type ScenePlane, cutRequest, scenePlane } from "./cut-request.ts";
import { cutMeshTask } from "./task.ts";

export const cutModels = changesScene(
  {
    method: "POST",
    path: "/v1/scene/model/cut/",
    summary:
      "Cuts models at a plane into closed parts, which replace them, and joins the parts by keys. The lower part has the pegs. The parts keep their places, but resin models are placed on the platform. Dowels are new models. Supports are removed. Models that the plane does not cross stay as they are.",
    async: true,
    body: cutBody,
    reply: object({
      results: field(
        v.array(
          object({
            source_model_id: field(uuid, "Id of the model that was cut."),
            new_model_ids: field(ids, "Ids of its parts."),
            side: field(v.array(v.picklist(["ABOVE", "BELOW"])), "Side of the plane on which each of the parts was."),
            dowel_model_ids: field(ids, "Ids of the dowels that join the parts."),
          }),
        ),
        "Parts of each model that was cut.",
      ),
      warnings: warningsList,
    }),
  },
  async (scene, body, context) => {
    const models = selectModels(scene, body.model_ids);
    requirePlainMeshes(models);
    const plane = scenePlane(body.plane);
    const outcomes = paired(models, await cutAll(models, plane, body, context));
    const cuts = outcomes.flatMap(([model, cut]) => (cut ? [{ model, cut }] : []));
    if (cuts.length === 0) throw operationFailed(NO_MODEL_CROSSED);
    requireKeysOnFaces(cuts, body);
    const made = cuts.map((one) => ({ ...one, ...piecesOf(one, plane, body) }));
    requireRoom(scene, made);
    const placed = await placedPieces(made, scene, context);
    const missed = outcomes.flatMap(([model, cut]) => (cut ? [] : [missedWarning(model)]));
    return [
      appendModels(
        substituteModels(scene, new Map(placed.map(({ model, parts }) => [model, parts]))),
        placed.flatMap(({ dowels }) => dowels),
      ),
      {
        results: placed.map(({ model, sides, parts, dowels }) => ({
          source_model_id: model.id,
          new_model_ids: idsOf(parts),
          side: sides,
          dowel_model_ids: idsOf(dowels),
        })),
        warnings: [...missed, ...cuts.flatMap((one) => warningsOf(one, body))],
      },
    ];
  },
);

const NO_MODEL_CROSSED =
  "The plane crosses no model, and nothing was changed: move the plane, or choose models on both sides of it.";

interface CutModel {
  readonly model: Model;
  readonly cut: CutSolid;
}

/** Cuts the models on all threads. Equal cuts of equal meshes are computed once. */
function cutAll(
  models: readonly Model[],
  plane: ScenePlane,
  body: CutBody,
  context: RequestContext,
): Promise<(CutSolid | undefined)[]> {
  const requests = models.map((model) => ({ model, input: cutRequest(model, plane, body) }));
  return mapDistinct(
    requests,
    ({ input: { mesh, ...cut } }) => JSON.stringify([mesh.hash, cut]),
    ({ model, input }, share) =>
      withErrorPrefixAsync(`${quotedName(model)} cannot be cut`, () =>
        context.compute(cutMeshTask, { input, ...share }),
      ),
  );
}

/** Throws OPERATION_FAILED for a key that is on no cut face. */
function requireKeysOnFaces(cuts: readonly CutModel[], { keys }: CutBody): void {
  if (typeof keys === "string") return;
  const off = keys.findIndex((_, i) => cuts.every(({ cut }) => cut.offFace.includes(i)));
  if (off < 0) return;
  throw operationFailed(
    `Key ${off + 1} is not wholly on a cut face, and nothing was cut: move it away from the rim of the face, or make it smaller.`,
  );
}

interface Pieces {
  readonly parts: readonly CutPart[];
  readonly dowels: readonly Model[];
}

function piecesOf({ model, cut }: CutModel, plane: ScenePlane, body: CutBody): Pieces {
  const { frame } = cutRequest(model, plane, body);
  const { keep, place_on_cut: isOnCut } = body;
  return { parts: partsOf(model, cut, { frame, keep, normal: plane.s, isOnCut }), dowels: dowelsOf(model, cut) };
}

function requireRoom({ models }: Scene, made: readonly Pieces[]): void {
  const added = made.reduce((sum, { parts, dowels }) => sum + parts.length + dowels.length - 1, 0);
  if (models.length + added <= MAX_MODELS) return;
  throw inputError(
    `A scene holds at most ${MAX_MODELS} models; this one has ${models.length}, and the cut adds ${added}: cut fewer at a time, or delete some.`,
  );
}

/** The pieces of all models after the placement rules; dowels inside the build volume as well. */
async function placedPieces(made: readonly (CutModel & Pieces)[], { setting }: Scene, context: RequestContext) {
  const pieces = made.flatMap(({ parts, dowels }) => [...parts.map(({ model }) => model), ...dowels]);
  const placed = new Map((await updateOutlines(pieces, setting, context)).map((model) => [model.id, model]));
  const placedOf = (model: Model): Model => placed.get(model.id) ?? model;
  return made.map(({ model, parts, dowels }) => ({
    model,
    sides: parts.map(({ side }) => side),
    parts: parts.map((part) => placedOf(part.model)),
    dowels: dowels.map((dowel) => placeNewModel(placedOf(dowel), setting)),
  }));
}

const missedWarning = (model: Model): string => `The plane does not cross ${quotedName(model)}: it stays as it is.`;

function warningsOf({ model, cut }: CutModel, { keys, place_on_cut }: CutBody): string[] {
  const name = quotedName(model);
  return [
    ...(model.supports ? [lostSupportsWarning(model, MESH_CHANGED)] : []),
    ...(keys === "AUTO" && cut.keys.length === 0
      ? [`The cut faces of ${name} are too small, or its walls too thin, for keys: its parts have none.`]
      : []),
    ...cut.nearSurface.map(
      (i) => `Key ${i + 1} comes near the surface of ${name}, or through it: make it smaller or shorter, or move it.`,
    ),
    ...(place_on_cut && hasPegs(cut)
      ? [`The lower part of ${name} stays as it is turned, because it would stand on its pegs.`]
      : []),
  ];
}
