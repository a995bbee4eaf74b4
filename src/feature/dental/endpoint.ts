import * as v from "valibot";
import { inputError, withErrorPrefix, withErrorPrefixAsync } from "../../core/api-error.ts";
import { newId } from "../../core/id.ts";
import { paired } from "../../core/paired.ts";
import { boxCentre } from "../../geometry/box.ts";
import { requirePlainMeshes } from "../../scene/model-mesh.ts";
import { substituteModels } from "../../scene/edit.ts";
import { selectModels } from "../../scene/find.ts";
import { type Model, quotedName } from "../../scene/project.ts";
import type { DentalModel, DentalRequest } from "../../solid/dental/dental-model.ts";
import type { HollowBaseOptions } from "../../solid/dental/hollow-base.ts";
import { type RequestContext, changesScene } from "../../api/endpoint.ts";
import { field, object, strictObject } from "../../api/field.ts";
import { coordinateMm, modelIds, newModelsOfEach, requiring, sceneId, warningsList } from "../../api/schema.ts";
import { MESH_CHANGED, lostSupportsWarning } from "../../api/lost-supports.ts";
import { mapDistinct, replaceMeshes } from "../mesh-tasks.ts";
import { makeDentalModelTask } from "./task.ts";

const sizeMm = v.pipe(coordinateMm, v.minValue(0));

/** The fields that need hollow true (interface, "dental-hollow"). */
const HOLLOW_FIELDS = {
  shell_thickness_mm: field(
    v.optional(sizeMm),
    "Thickness of the shell around the cavity in mm; 2.75 if absent. Only for hollow true.",
  ),
  wall_thickness_mm: field(
    v.optional(v.pipe(coordinateMm, v.minValue(0.01))),
    "Thickness of the honeycomb walls in mm; 1 if absent. Only for hollow true.",
  ),
  drain_hole_radius_mm: field(
    v.optional(sizeMm),
    "Radius of the drain holes in mm; 1.5 if absent. Only for hollow true.",
  ),
  drain_hole_height_ratio: field(
    v.optional(v.pipe(v.number(), v.finite(), v.gtValue(0))),
    "Height of the drain holes relative to a half circle; 1 if absent. Only for hollow true.",
  ),
  drain_hole_suppression_distance_mm: field(
    v.optional(sizeMm),
    "Least distance between the rims of drain holes, in mm; 2 if absent. Only for hollow true.",
  ),
  drain_hole_max_count: field(
    v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
    "Largest number of drain holes of each outline; 2 if absent. Only for hollow true.",
  ),
  enable_honeycomb_infill: field(
    v.optional(v.boolean()),
    "Whether honeycomb walls fill the cavity; true if absent. Only for hollow true.",
  ),
};

const body = v.pipe(
  strictObject({
    scene_id: sceneId,
    model_ids: modelIds,
    extrude_distance_mm: field(coordinateMm, "Height of the base below the cut in mm."),
    cutoff_height_mm: field(
      v.optional(coordinateMm),
      "Height of the cut in the scene, in mm; excludes cutoff_below_gumline_mm.",
    ),
    cutoff_below_gumline_mm: field(
      v.optional(coordinateMm),
      "Depth of the cut below the detected gumline, in mm; 0 if absent. Excludes cutoff_height_mm.",
    ),
    hollow: field(v.optional(v.boolean(), false), "Whether the base has a cavity."),
    ...HOLLOW_FIELDS,
    enable_smooth_contour_extended_sides: field(
      v.optional(v.boolean(), true),
      "Whether the sides of the base are smoother than the outline of the cut.",
    ),
    keep_disconnected_mesh_components: field(
      v.optional(v.boolean(), false),
      "Whether all pieces above the cut are kept, not only the largest.",
    ),
  }),
  v.forward(
    v.partialCheck(
      [["cutoff_height_mm"], ["cutoff_below_gumline_mm"]],
      (cut) => cut.cutoff_height_mm === undefined || cut.cutoff_below_gumline_mm === undefined,
      "cannot be combined with cutoff_height_mm: leave one of the two out",
    ),
    ["cutoff_below_gumline_mm"],
  ),
  v.metadata({
    not: {
      properties: { cutoff_height_mm: {}, cutoff_below_gumline_mm: {} },
      required: ["cutoff_height_mm", "cutoff_below_gumline_mm"],
    },
  }),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed || dataset.value.hollow) return;
    const input = dataset.value;
    for (const key of Object.keys(HOLLOW_FIELDS) as (keyof typeof HOLLOW_FIELDS)[]) {
      const value = input[key];
      if (value === undefined) continue;
      addIssue({
        message: "is for hollow true alone: set hollow to true, or leave this field out",
        path: [{ type: "object", origin: "value", input, key, value }],
      });
    }
  }),
  requiring(Object.keys(HOLLOW_FIELDS), "hollow", { const: true }),
);

type DentalBody = v.InferOutput<typeof body>;

export const dentalHollow = changesScene(
  {
    method: "POST",
    path: "/v1/scene/model/dental-hollow/",
    summary:
      "Cuts dental arches, teeth up, at a height of the scene or below their gumline, and extrudes the outline of the cut down to a flat bottom. With hollow true, each arch has a cavity inside its shell, open at the bottom. Drain holes are half ellipses at the lower edge of the sides, drain_hole_height_ratio times as high as a half circle. They are evenly spaced along each outer outline, at points where they meet the cavity between honeycomb walls; a hole whose rim would be closer to the rim of the next hole than drain_hole_suppression_distance_mm is omitted. If there are drain holes, honeycomb walls have openings at their lower edge, and cells that still cannot drain stay solid. If the cut leaves several pieces, only the largest is kept unless keep_disconnected_mesh_components is true (default false).",
    body,
    reply: object({
      results: newModelsOfEach,
      warnings: warningsList,
    }),
    async: true,
    // The schema of the interface has no bound for it.
    check: ({ extrude_distance_mm }) => {
      if (extrude_distance_mm >= 0) return;
      throw inputError(
        `Nothing was cut: extrude_distance_mm is ${extrude_distance_mm}, and bases are extruded downwards, by 0 mm or more.`,
      );
    },
  },
  async (scene, request, context) => {
    // Unlike other endpoints, this one does not answer NOT_FOUND for an unknown model (interface, "dental-hollow").
    const sources = withErrorPrefix("OPERATION_FAILED", "Nothing was cut", () =>
      selectModels(scene, request.model_ids),
    );
    requirePlainMeshes(sources);
    const bases = await makeBases(sources, request, context);
    const replacements = paired(sources, bases).map(([model, { mesh, hollowed }]) => ({
      model: { ...model, id: newId() },
      mesh,
      hollowed,
    }));
    const models = await replaceMeshes(replacements, scene.setting, context);
    const substitutes = new Map(paired(sources, models).map(([source, model]) => [source, [model]]));
    const results = paired(sources, models).map(([{ id }, made]) => ({
      source_model_id: id,
      new_model_ids: [made.id],
    }));
    const warnings = [
      ...paired(sources, bases).flatMap(([model, base]) =>
        base.warnings.map((warning) => `${quotedName(model)} ${warning}.`),
      ),
      ...sources.filter(({ supports }) => supports).map((model) => lostSupportsWarning(model, MESH_CHANGED)),
    ];
    return [substituteModels(scene, substitutes), { results, warnings }];
  },
);

/** The mesh of a model on its base, and the source from which the model can be hollowed again. */
type ModelOnBase = Omit<DentalModel, "solid"> & Pick<Model, "hollowed">;

/** Puts the models on bases, on all threads. Copies at the same height are computed once. */
async function makeBases(models: readonly Model[], body: DentalBody, context: RequestContext): Promise<ModelOnBase[]> {
  const requests = models.map((model) => ({ model, input: requestOf(model, body) }));
  // A model that keeps its cavity needs the same base below the solid from which it was hollowed.
  const ofSolids = requests.flatMap(({ model, input }) =>
    model.hollowed && !body.hollow ? [{ model, input: { ...input, mesh: model.hollowed.solid } }] : [],
  );
  const made = await mapDistinct(
    [...requests, ...ofSolids],
    ({ input }) => JSON.stringify([input.mesh.hash, input.standing]),
    ({ model, input }, share) =>
      withErrorPrefixAsync(`Nothing was changed, for ${quotedName(model)} cannot be put on a base`, () =>
        context.compute(makeDentalModelTask, { input, ...share }),
      ),
  );
  const solids = new Map(paired(ofSolids, made.slice(models.length)).map(([{ model }, { mesh }]) => [model, mesh]));
  return paired(models, made.slice(0, models.length)).map(([model, { solid, ...base }]) => {
    const keptSolid = solids.get(model);
    if (model.hollowed && keptSolid) return { ...base, hollowed: { ...model.hollowed, solid: keptSolid } };
    const warnings = [...base.warnings, ...lostHolesWarning(model.hollowed)];
    return { ...base, warnings, hollowed: solid && { solid, holes: [] } };
  });
}

function lostHolesWarning(hollowed: Model["hollowed"]): string[] {
  const lost = hollowed?.holes.length ?? 0;
  if (lost === 0) return [];
  return [`was hollowed again from its solid, without the holes drilled since (${lost}): drill them again`];
}

function requestOf({ mesh, hollowed, pose }: Model, body: DentalBody): DentalRequest {
  const { orientation, scale } = pose;
  return {
    // A hollowed model is hollowed again from its solid.
    mesh: body.hollow && hollowed ? hollowed.solid : mesh,
    standing: { origin: boxCentre(mesh.box), orientation, scale, heightMm: pose.position[2] },
    cut:
      body.cutoff_height_mm === undefined
        ? { belowGumlineMm: body.cutoff_below_gumline_mm ?? 0 }
        : { heightMm: body.cutoff_height_mm },
    extrudeMm: body.extrude_distance_mm,
    isSmoothed: body.enable_smooth_contour_extended_sides,
    keepsAllPieces: body.keep_disconnected_mesh_components,
    ...(body.hollow && { hollow: hollowOptionsOf(body) }),
  };
}

/** Defaults from the interface. */
const hollowOptionsOf = (body: DentalBody): HollowBaseOptions => ({
  shellMm: body.shell_thickness_mm ?? 2.75,
  ...((body.enable_honeycomb_infill ?? true) && { wallMm: body.wall_thickness_mm ?? 1 }),
  drains: {
    radiusMm: body.drain_hole_radius_mm ?? 1.5,
    heightRatio: body.drain_hole_height_ratio ?? 1,
    apartMm: body.drain_hole_suppression_distance_mm ?? 2,
    mostPerContour: body.drain_hole_max_count ?? 2,
  },
});
