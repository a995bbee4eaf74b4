import * as v from "valibot";
import { inputError, operationFailed } from "../../core/api-error.ts";
import { newId } from "../../core/id.ts";
import { paired } from "../../core/paired.ts";
import { must } from "../../core/must.ts";
import { IDENTITY_POSE, poseKey } from "../../geometry/pose.ts";
import { cageByMember } from "../../scene/cages.ts";
import { appendModels, replaceModels } from "../../scene/edit.ts";
import { selectModels } from "../../scene/find.ts";
import { internMesh } from "../../scene/model-mesh.ts";
import { withPose } from "../../scene/pose.ts";
import { type Model, type Scene, printedBodies, quotedName } from "../../scene/project.ts";
import { cageFootprints } from "./cage-footprints.ts";
import type { TaskInput, TaskOutput } from "../../worker/task.ts";
import { type RequestContext, changesScene } from "../../api/endpoint.ts";
import { field, object, strictObject } from "../../api/field.ts";
import { coordinateMm, ids, idsOf, modelIds, name, sceneId, uuid, warningsReply } from "../../api/schema.ts";
import { requireFamily } from "../../api/preconditions.ts";
import { mapDistinct, mapDistinctMeshes, updateOutlines } from "../mesh-tasks.ts";
import { TURNS, packingDistances } from "../pack/endpoint.ts";
import { finishCageTask, packCageTask, stoppedOpeningTask } from "./task.ts";
import { computeOutlinesTask } from "../placement/task.ts";

/** Default in mm. Common in sinter boxes: wide enough for powder to run out, with bars that blasting does not break. */
const DEFAULT_BAR_SPACING_MM = 5;
const DEFAULT_BAR_THICKNESS_MM = 1.5;
/** Default in mm. In narrower gaps between parts and bars, powder cakes more. */
const DEFAULT_DISTANCE_MM = 2;

const lengthMm = (least: number, fallback: number) => v.optional(v.pipe(coordinateMm, v.minValue(least)), fallback);

const body = strictObject({
  scene_id: sceneId,
  model_ids: modelIds,
  packing_type: field(
    v.optional(v.picklist(["PACK_NORMAL", "PACK_VOLUME", "PACK_HEIGHT", "PACK_NONE"]), "PACK_VOLUME"),
    "How the models are packed: for the least volume (PACK_VOLUME), for the least height (PACK_HEIGHT), as by auto-pack (PACK_NORMAL), or not at all (PACK_NONE).",
  ),
  cage_label: field(v.optional(name), 'Name of the cage and text of its label; "Cage" with a number if absent.'),
  generate_mesh_label: field(
    v.optional(v.boolean(), false),
    "Whether the label is embossed on a plate in the largest side wall.",
  ),
  model_spacing_mm: field(
    v.optional(v.pipe(coordinateMm, v.minValue(0))),
    "Least distance in mm between the models, and between the cage and other models; the value of the print setting if absent.",
  ),
  bar_spacing_mm: field(
    v.optional(v.pipe(coordinateMm, v.gtValue(0)), DEFAULT_BAR_SPACING_MM),
    "Greatest width and height of an opening between bars in mm.",
  ),
  bar_thickness_mm: field(lengthMm(1, DEFAULT_BAR_THICKNESS_MM), "Thickness of the bars through the wall, in mm."),
  bar_width_mm: field(
    v.optional(v.pipe(coordinateMm, v.minValue(1))),
    "Width of the bars in the plane of the wall, in mm; their thickness if absent.",
  ),
  distance_to_cage_mm: field(
    lengthMm(0, DEFAULT_DISTANCE_MM),
    "Least distance between the models and the lattice in mm.",
  ),
  enable_round_edges: field(v.optional(v.boolean(), false), "Whether the outer edges of square bars are rounded."),
  enable_square_bars: field(v.optional(v.boolean(), true), "Whether bars are square; if false, they are round."),
});

type CageBody = v.InferOutput<typeof body>;

export const cageModels = changesScene(
  {
    method: "POST",
    path: "/v1/scene/model/cage/",
    errors: ["UNSUPPORTED_SCENE"],
    summary:
      "Packs models into a cage: a box of bars, which is one closed solid. The scene lists this lattice as a model, and a container for the lattice and the parts. No model passes through an opening: the convex hull of each model is at least 10 % too large to pass one by any motion, and openings are made smaller where needed. PACK_VOLUME packs for the least outer volume, PACK_HEIGHT for the least height on the whole footprint of the chamber, PACK_NORMAL into the chamber as auto-pack does. PACK_NONE keeps the models in their poses relative to each other. The cage is placed in the chamber, model_spacing_mm from the other models; with PACK_NONE it is moved only if it would leave the chamber or be within 0.5 mm of another model.",
    async: true,
    body,
    reply: object({
      cage_model_id: field(uuid, "Id of the container of the cage, which is listed among the models."),
      new_model_ids: field(ids, "Id of the lattice, which is a model."),
      modified_model_ids: field(ids, "Ids of the caged models that were moved or turned."),
      warnings: warningsReply,
    }),
    check: (request) => void requireSlenderBars(request),
  },
  async (scene, request, context) => {
    requireFamily(scene, "powder");
    const parts = selectModels(scene, request.model_ids);
    requireUncaged(scene, parts, request);
    const label = request.cage_label ?? `Cage ${scene.cages.length + 1}`;
    const openingMm = await openingFor(parts, request, context);
    const input = cageInput(scene, parts, { ...request, openingMm, label });
    const poses = await bestPacking(input, request, context);
    const finished = await context.compute(finishCageTask, { ...input, poses });
    const changed = paired(parts, finished.poses).flatMap(([model, pose]) =>
      poseKey(model.mesh.hash, model.pose) === poseKey(model.mesh.hash, pose) ? [] : [withPose(model, pose)],
    );
    const lattice = await latticeModel(`${label} lattice`, finished, context);
    const moved = await updateOutlines(changed, scene.setting, context);
    const cage = { id: newId(), name: label, latticeId: lattice.id, partIds: idsOf(parts) };
    const next = appendModels(replaceModels(scene, moved), [lattice], [cage]);
    return [next, { cage_model_id: cage.id, new_model_ids: [lattice.id], modified_model_ids: idsOf(moved) }];
  },
);

const barWidthOf = ({ bar_width_mm, bar_thickness_mm }: CageBody): number => bar_width_mm ?? bar_thickness_mm;
const thickestOf = (request: CageBody): number => Math.max(barWidthOf(request), request.bar_thickness_mm);

/** Throws INPUT_ERROR for bars that are wider than the openings between them: powder does not run out of these. */
function requireSlenderBars(request: CageBody): void {
  const barMm = thickestOf(request);
  if (barMm <= request.bar_spacing_mm) return;
  throw inputError(
    `Bars of ${barMm} mm are thicker than the spacing between them, ${request.bar_spacing_mm} mm: ` +
      "raise bar_spacing_mm, or lower bar_thickness_mm and bar_width_mm.",
  );
}

/** Throws OPERATION_FAILED for no models, models that are in a cage already, and models that packing may not move. */
function requireUncaged(scene: Scene, parts: readonly Model[], { packing_type }: CageBody): void {
  if (parts.length === 0) throw operationFailed("There is no model to cage: import some first.");
  const cages = cageByMember(scene);
  const caged = parts.find(({ id }) => cages.has(id));
  if (caged) {
    throw operationFailed(
      `${quotedName(caged)} is in the cage "${cages.get(caged.id)?.name}" already: delete that cage first, or name the models without a cage in model_ids.`,
    );
  }
  const fixed = packing_type === "PACK_NONE" ? undefined : parts.find(({ lock }) => lock === "FULLY_LOCKED");
  if (!fixed) return;
  throw operationFailed(
    `${quotedName(fixed)} is FULLY_LOCKED, so that it cannot be packed: set another lock, or use PACK_NONE.`,
  );
}

/** Least size of a model relative to an opening: bars bend, and wear in blasting. */
const STOPPED_BY = 1.1;

/** The largest opening that no model passes, at most `bar_spacing_mm`. Throws OPERATION_FAILED that names a model for which bars are too thick. */
async function openingFor(parts: readonly Model[], request: CageBody, context: RequestContext): Promise<number> {
  const stopped = await mapDistinctMeshes(parts, (item) => context.compute(stoppedOpeningTask, item));
  const openings = paired(parts, stopped).map(([model, mm]) => ({ model, mm: (mm * model.pose.scale) / STOPPED_BY }));
  const least = openings.reduce((a, b) => (b.mm < a.mm ? b : a));
  const barMm = thickestOf(request);
  if (least.mm >= barMm) return Math.min(request.bar_spacing_mm, least.mm);
  throw operationFailed(
    `${quotedName(least.model)} passes through openings of ${least.mm.toFixed(2)} mm, and bars of ${barMm} mm leave none that are ` +
      `smaller and stay open: ${barMm > 1 ? "lower bar_thickness_mm and bar_width_mm, or " : ""}leave it out of model_ids.`,
  );
}

type CageInput = TaskInput<typeof packCageTask>["input"]["request"];

function cageInput(
  scene: Scene,
  parts: readonly Model[],
  request: CageBody & { readonly openingMm: number; readonly label: string },
): CageInput {
  const caged = new Set(parts);
  const { spacingMm, wallDistanceMm } = packingDistances(scene);
  return {
    parts: parts.map((model) => ({
      mesh: model.mesh,
      pose: model.pose,
      turns: TURNS[model.lock],
      name: quotedName(model),
      isFixed: model.lock === "FULLY_LOCKED",
    })),
    obstacles: scene.models
      .filter((model) => !caged.has(model))
      .flatMap(printedBodies)
      .map(({ mesh, pose }) => ({ mesh, pose })),
    volume: scene.setting.printerType.volume,
    packing: request.packing_type,
    spacingMm: request.model_spacing_mm ?? spacingMm,
    wallDistanceMm,
    distanceMm: request.distance_to_cage_mm,
    shape: {
      openingMm: request.openingMm,
      barWidthMm: barWidthOf(request),
      barThicknessMm: request.bar_thickness_mm,
      bars: request.enable_square_bars ? "SQUARE" : "ROUND",
      roundsEdges: request.enable_round_edges,
    },
    label: request.generate_mesh_label ? request.label : undefined,
  };
}

/** The poses of the parts in the attempt with the least outer volume. Throws OPERATION_FAILED if no attempt fits all of them. */
async function bestPacking(
  request: CageInput,
  { packing_type }: CageBody,
  context: RequestContext,
): Promise<NonNullable<TaskOutput<typeof packCageTask>["poses"][number]>[]> {
  const attempts = packing_type === "PACK_VOLUME" ? [...cageFootprints(request.parts.length).keys()] : [0];
  const packings = await mapDistinct(attempts, String, (attempt, share) =>
    context.compute(packCageTask, { input: { request, attempt }, ...share }),
  );
  const best = packings.reduce((a, b) => (b.outerMm3 < a.outerMm3 ? b : a));
  const poses = best.poses.filter((pose) => pose !== undefined);
  if (poses.length === request.parts.length) return poses;
  const most = Math.max(...packings.map(({ placed }) => placed));
  throw operationFailed(
    `${most} of ${request.parts.length} models fit into the largest cage that the chamber holds: cage fewer models, scale them down, ` +
      "or lower model_spacing_mm, distance_to_cage_mm or bar_thickness_mm. Nothing was moved.",
  );
}

/** The lattice of a cage as a model. */
async function latticeModel(
  latticeName: string,
  { lattice, letters, position }: TaskOutput<typeof finishCageTask>,
  context: RequestContext,
): Promise<Model> {
  const mesh = internMesh(lattice);
  const pose = { ...IDENTITY_POSE, position };
  const [outline] = await context.compute(computeOutlinesTask, [{ mesh, orientation: pose.orientation }]);
  return {
    id: newId(),
    name: latticeName,
    originalFile: "",
    units: "MILLIMETERS",
    visible: true,
    lock: "FREE",
    mesh,
    pose,
    outline: must(outline, "The outline of the lattice"),
    ...(letters && { letters }),
  };
}
