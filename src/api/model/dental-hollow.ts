import * as v from "valibot";
import { withinFault, withinFaultOf } from "../../core/fault.ts";
import { centreOf } from "../../core/geometry.ts";
import { newId } from "../../core/id.ts";
import { remembered } from "../../core/remembered.ts";
import { succeedModels } from "../../scene/edit.ts";
import { selectModels } from "../../scene/find.ts";
import type { Model } from "../../scene/model.ts";
import type { DentalModel, DentalRequest } from "../../solid/dental/dental-model.ts";
import { changesScene, type Kit } from "../endpoint.ts";
import { coordinateMm, ids, modelIds, sceneId } from "../schema.ts";
import { remakeModels } from "./remake-models.ts";

const sizeMm = v.pipe(coordinateMm, v.minValue(0));

/** What says how a base is hollow (interface, "dental-hollow"). */
const HOLLOW_FIELDS = {
  shell_thickness_mm: v.optional(sizeMm),
  wall_thickness_mm: v.optional(v.pipe(coordinateMm, v.minValue(0.01))),
  drain_hole_radius_mm: v.optional(sizeMm),
  drain_hole_height_ratio: v.optional(v.pipe(v.number(), v.finite(), v.gtValue(0))),
  drain_hole_suppression_distance_mm: v.optional(sizeMm),
  drain_hole_max_count: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  enable_honeycomb_infill: v.optional(v.boolean()),
};

const body = v.pipe(
  v.strictObject({
    scene_id: sceneId,
    model_ids: modelIds,
    extrude_distance_mm: sizeMm,
    cutoff_height_mm: v.optional(coordinateMm),
    cutoff_below_gumline_mm: v.optional(coordinateMm),
    hollow: v.optional(v.boolean(), false),
    ...HOLLOW_FIELDS,
    enable_smooth_contour_extended_sides: v.optional(v.boolean(), true),
    keep_disconnected_mesh_components: v.optional(v.boolean(), false),
  }),
  v.forward(
    v.partialCheck(
      [["cutoff_height_mm"], ["cutoff_below_gumline_mm"]],
      (cut) => cut.cutoff_height_mm === undefined || cut.cutoff_below_gumline_mm === undefined,
      "goes without cutoff_height_mm alone",
    ),
    ["cutoff_below_gumline_mm"],
  ),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed || dataset.value.hollow) return;
    const input = dataset.value;
    for (const key of Object.keys(HOLLOW_FIELDS) as (keyof typeof HOLLOW_FIELDS)[]) {
      const value = input[key];
      if (value === undefined) continue;
      addIssue({
        message: "goes with hollow true alone",
        path: [{ type: "object", origin: "value", input, key, value }],
      });
    }
  }),
);

type Body = v.InferOutput<typeof body>;

export const dentalHollow = changesScene(
  {
    method: "POST",
    path: "/v1/scene/model/dental-hollow/",
    summary:
      "Cuts dental arches, which stand with their teeth up, at a height of the scene or below their gumline, and extrudes the outline of the cut down to a flat bottom. Hollow ones are hollow upward from the bottom, as far as the shell goes. Drain holes are half ellipses at the foot of the side, drain_hole_height_ratio times as high as a half circle, evenly spread along each outer outline where they meet the hollow between honeycomb walls; one that would come closer to the next, from rim to rim, than drain_hole_suppression_distance_mm is left out. Where there are drain holes, honeycomb walls have openings at their feet, and what drains through none stays solid. Of pieces that the cut parts only the largest is kept unless keep_disconnected_mesh_components is true; it is false when omitted.",
    body,
    reply: v.object({
      results: v.array(v.object({ source_model_id: v.string(), new_model_ids: ids })),
      warnings: v.array(v.string()),
    }),
    async: true,
  },
  async (scene, request, kit) => {
    // Other endpoints answer NOT_FOUND for an unknown model, this one does not (interface, "dental-hollow").
    const sources = withinFault("OPERATION_FAILED", "Nothing was cut", () => selectModels(scene, request.model_ids));
    const made = await madeOf(sources, request, kit);
    const remade = await remakeModels(
      sources.map((model, i) => {
        const { mesh, hollowed } = made[i]!;
        return { model: { ...model, id: newId() }, mesh, hollowed };
      }),
      scene.setting,
      kit,
    );
    const successors = new Map(sources.map((source, i) => [source, [remade[i]!]]));
    const results = sources.map(({ id }, i) => ({ source_model_id: id, new_model_ids: [remade[i]!.id] }));
    const warnings = sources.flatMap(({ name }, i) => made[i]!.warnings.map((warning) => `"${name}" ${warning}.`));
    return [succeedModels(scene, successors), { results, warnings }];
  },
);

/** What a model becomes, and what it can be hollowed anew from. */
type Made = Omit<DentalModel, "solid"> & Pick<Model, "hollowed">;

/** What each of the models becomes, worked out on all threads, of copies once. */
function madeOf(models: readonly Model[], body: Body, kit: Kit): Promise<Made[]> {
  const known = new Map<string, Promise<DentalModel>>();
  const based = (request: DentalRequest, number: number): Promise<DentalModel> =>
    remembered(known, JSON.stringify([request.mesh.hash, request.standing]), () =>
      kit.compute("dentalHollow", { request, number, of: models.length }),
    );
  const make = (model: Model, number: number): Promise<Made> =>
    withinFaultOf(`Nothing was changed, for "${model.name}" cannot be put on a base`, async () => {
      const request = requestOf(model, body);
      const { solid, ...made } = await based(request, number);
      if (body.hollow || !model.hollowed) {
        const warnings = [...made.warnings, ...lostHoles(model.hollowed)];
        return { ...made, warnings, hollowed: solid && { solid, holes: [] } };
      }
      // It stays hollow, so what it was hollowed from goes onto a base, too.
      const { mesh } = await based({ ...request, mesh: model.hollowed.solid }, number);
      return { ...made, hollowed: { ...model.hollowed, solid: mesh } };
    });
  return Promise.all(models.map(make));
}

function lostHoles(hollowed: Model["hollowed"]): string[] {
  const lost = hollowed?.holes.length ?? 0;
  if (lost === 0) return [];
  return [`was hollowed anew from its solid, without the holes drilled since (${lost}): drill them again`];
}

function requestOf({ mesh, hollowed, pose }: Model, body: Body): DentalRequest {
  const { orientation, scale } = pose;
  return {
    // One that is hollow already is hollowed anew.
    mesh: body.hollow && hollowed ? hollowed.solid : mesh,
    standing: { origin: centreOf(mesh.box), orientation, scale, heightMm: pose.position[2] },
    cut:
      body.cutoff_height_mm === undefined
        ? { belowGumlineMm: body.cutoff_below_gumline_mm ?? 0 }
        : { heightMm: body.cutoff_height_mm },
    extrudeMm: body.extrude_distance_mm,
    isSmoothed: body.enable_smooth_contour_extended_sides,
    keepsPieces: body.keep_disconnected_mesh_components,
    hollow: body.hollow ? hollowOf(body) : undefined,
  };
}

/** With the interface's values for what is omitted. */
const hollowOf = (body: Body): DentalRequest["hollow"] => ({
  shellMm: body.shell_thickness_mm ?? 2.75,
  wallMm: (body.enable_honeycomb_infill ?? true) ? (body.wall_thickness_mm ?? 1) : undefined,
  drains: {
    radiusMm: body.drain_hole_radius_mm ?? 1.5,
    heightRatio: body.drain_hole_height_ratio ?? 1,
    apartMm: body.drain_hole_suppression_distance_mm ?? 2,
    mostPerContour: body.drain_hole_max_count ?? 2,
  },
});
