import * as v from "valibot";
import { wireVolume } from "../../scene/wire-numbers.ts";
import { boxSize, placeBox } from "../../geometry/box.ts";
import type { Manifoldness } from "../../check/manifoldness.ts";
import { withErrorPrefix } from "../../core/api-error.ts";
import { paired } from "../../core/paired.ts";
import { orientationScaleKey, poseKey } from "../../geometry/pose.ts";
import { ORIGIN, times } from "../../geometry/vector.ts";
import { triangleCount } from "../../mesh/mesh.ts";
import { latticeOf } from "../../scene/cages.ts";
import { selectModels, selectWithContainers } from "../../scene/find.ts";
import { boxOnWire } from "../../scene/on-wire.ts";
import type { Model, Scene } from "../../scene/project.ts";
import { type FoundPlace, type RequestContext, readsScene } from "../../api/endpoint.ts";
import { field, object, strictObject } from "../../api/field.ts";
import {
  boundingBoxReply,
  coordinateMm,
  count,
  modelIds,
  perModelReply,
  perModelResults,
  sceneId,
} from "../../api/schema.ts";
import { alone, mapDistinct } from "../mesh-tasks.ts";
import { checkManifoldnessTask, findDefectPlacesTask } from "./task.ts";
import { type FoundThinFeatures, findThinFeatures, thinRegionsOf } from "./thin-features.ts";

export const validateManifoldness = readsScene(
  {
    method: "POST",
    path: "/v1/scene/model/validate/manifoldness/",
    summary:
      "Reports whether each model, without supports, is a closed manifold that an import accepts without repair, and its defects. Facets without area and bodies that intersect each other are reported, but a model with them is manifold. The container of a cage, which has no mesh, has no defects.",
    async: true,
    body: strictObject({ scene_id: sceneId, model_ids: modelIds }),
    reply: perModelReply(
      object({
        is_manifold: field(v.boolean(), "Whether the mesh is the closed, outward boundary of a solid."),
        open_edge_count: field(count, "Number of edges with a facet on one side only."),
        non_manifold_edge_count: field(count, "Number of edges between more than two facets."),
        degenerate_face_count: field(count, "Number of facets without area."),
        inverted_body_count: field(count, "Number of bodies whose facets face inward."),
        self_intersecting: field(v.boolean(), "Whether facets pass through one another."),
      }),
    ),
    places: (scene, _, found, context) => manifoldnessPlaces(scene, found.flat(), context),
  },
  async (scene, { model_ids }, context) => {
    const { models, containers } = selectWithContainers(scene, model_ids);
    const found = await manifoldnessOfModels(models, context);
    const results = [...found, ...containers.map(() => NO_MESH)].map((mesh) => ({
      is_manifold: mesh.isManifold,
      open_edge_count: mesh.openEdgeCount,
      non_manifold_edge_count: mesh.nonManifoldEdgeCount,
      degenerate_face_count: mesh.degenerateFaceCount,
      inverted_body_count: mesh.invertedBodyCount,
      self_intersecting: mesh.selfIntersecting,
    }));
    return perModelResults([...models, ...containers], results);
  },
);

/** The manifoldness of the mesh of each model. */
export const manifoldnessOfModels = (models: readonly Model[], context: RequestContext): Promise<Manifoldness[]> =>
  context.computeShared(
    (mesh, { compute }) => compute(checkManifoldnessTask, alone(mesh)),
    models.map(({ mesh }) => ({ key: `manifoldness ${mesh.hash}`, input: mesh, effort: triangleCount(mesh) })),
  );

/** The result for the container of a cage. */
const NO_MESH: Manifoldness = {
  isManifold: true,
  openEdgeCount: 0,
  nonManifoldEdgeCount: 0,
  degenerateFaceCount: 0,
  invertedBodyCount: 0,
  selfIntersecting: false,
};

/** The places where the meshes of these models are not closed, face the wrong way, or intersect themselves. */
async function manifoldnessPlaces(
  scene: Scene,
  modelIds: readonly string[],
  context: RequestContext,
): Promise<FoundPlace[]> {
  const models = selectModels(scene, modelIds);
  const found = await mapDistinct(
    models,
    ({ mesh, pose }) => poseKey(mesh.hash, pose),
    ({ mesh, pose }, share) => context.compute(findDefectPlacesTask, { input: { mesh, pose }, ...share }),
  );
  return paired(models, found).flatMap(([{ id }, places]) =>
    places.map((place) => ({ modelIds: [id], place, byMm: ORIGIN })),
  );
}

export const validateThinFeatures = readsScene(
  {
    method: "POST",
    path: "/v1/scene/model/validate/thin-features/",
    summary:
      "Finds the thin regions of each model, without supports: places where the largest inscribed ball that contains them has a diameter below threshold_mm. Edges and corners of thick bodies do not count, unless they are sharper than 65°. A model is TOO_SMALL if the smallest side of its box, before it is oriented, is below the threshold: it is thin as a whole. It is TOO_LARGE if a grid of a quarter of the threshold would need more than 200 million cells. It is a MESH_ERROR if its mesh is not closed: repair it. If the status is not ANALYZED, has_thin_walls is false and no regions are listed, although the walls may be thin. The container of a cage, whose box is empty, is TOO_SMALL.",
    async: true,
    body: strictObject({
      scene_id: sceneId,
      model_ids: modelIds,
      threshold_mm: field(v.pipe(coordinateMm, v.gtValue(0)), "Thickness below which walls count as thin, in mm."),
    }),
    reply: perModelReply(
      object({
        status: field(
          v.picklist(["ANALYZED", "TOO_SMALL", "TOO_LARGE", "MESH_ERROR"]),
          "ANALYZED, or the reason why the model was not analysed: its smallest side is below the threshold (TOO_SMALL), the grid for the threshold exceeds the limit of the server (TOO_LARGE), or the mesh encloses no solid (MESH_ERROR).",
        ),
        has_thin_walls: field(v.boolean(), "Whether there are thin regions; false unless status is ANALYZED."),
        thin_volume_mm3: field(v.number(), "Volume of all thin regions in mm³."),
        thin_region_count: field(count, "Number of thin regions."),
        thin_regions: field(
          v.array(
            object({
              volume_mm3: field(v.number(), "Volume of the region in mm³."),
              bounding_box: field(boundingBoxReply, "Box around the region in the scene."),
            }),
          ),
          "The thin regions, the largest first.",
        ),
      }),
    ),
  },
  async (scene, { model_ids, threshold_mm: thresholdMm }, context) => {
    // Unlike other endpoints, this one does not answer NOT_FOUND for an unknown model (interface, "thin-features").
    const { models, containers } = withErrorPrefix("OPERATION_FAILED", "Nothing was examined", () =>
      selectWithContainers(scene, model_ids),
    );
    const found = await thinFeaturesOfModels(models, thresholdMm, context);
    return perModelResults(
      [...models, ...containers],
      [
        ...paired(models, found).map(([model, features]) => thinFeaturesOnWire(features, model)),
        ...containers.map((cage) => thinFeaturesOnWire(TOO_SMALL, latticeOf(scene, cage))),
      ],
    );
  },
);

/** The thin features of each model. */
export const thinFeaturesOfModels = (
  models: readonly Model[],
  thresholdMm: number,
  context: RequestContext,
): Promise<FoundThinFeatures[]> =>
  context.computeShared(
    (input, compute) => findThinFeatures(alone(input), compute),
    models.map(({ mesh, pose }) => {
      const { orientation, scale } = pose;
      const input = { mesh, orientation, scale, sizeMm: times(boxSize(mesh.box), scale), thresholdMm };
      const key = `thin ${thresholdMm} ${orientationScaleKey(mesh.hash, pose)}`;
      return { key, input, effort: scale ** 2 * mesh.areaMm2 };
    }),
  );

const TOO_SMALL: FoundThinFeatures = { status: "TOO_SMALL", regions: new Float64Array() };

function thinFeaturesOnWire(found: FoundThinFeatures, { pose }: Model) {
  const onWire = thinRegionsOf(found).map(({ volumeMm3, box }) => ({
    volume_mm3: wireVolume(volumeMm3),
    bounding_box: boxOnWire(placeBox(box, 1, pose.position)),
  }));
  return {
    status: found.status,
    has_thin_walls: onWire.length > 0,
    // The sum of the rounded values in the reply.
    thin_volume_mm3: wireVolume(onWire.reduce((sum, { volume_mm3 }) => sum + volume_mm3, 0)),
    thin_region_count: onWire.length,
    thin_regions: onWire,
  };
}
