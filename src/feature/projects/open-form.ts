import { ApiError } from "../../core/api-error.ts";
import { getOrInsert } from "../../core/memoize.ts";
import type { Progress } from "../../core/progress.ts";
import { type FormDocument, type FormModel, meshesOf } from "../../format/form/document.ts";
import { readForm } from "../../format/form/form-file.ts";
import { type Pose, orientationKey, rotationMatrix } from "../../geometry/pose.ts";
import { cachedMeshReport, describeDefects } from "../../mesh/mesh-report.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import { mapSource } from "../../scene/model-mesh.ts";
import { type Outline, outlineOf } from "../../mesh/outline.ts";
import { withOverlapsOnce, withSolidVolume } from "../../repair/solid-volume.ts";

export interface OpenedForm {
  readonly document: FormDocument;
  /** The outlines of each model of each scene, in the document's order. Copies in one orientation share an outline. */
  readonly outlines: readonly (readonly ModelOutlines[])[];
  /** The defects of meshes that enclose no solid, as text, by the hash of the mesh. */
  readonly defects: ReadonlyMap<string, readonly string[]>;
}

export interface ModelOutlines {
  readonly model: Outline;
  readonly supports?: Outline | undefined;
}

/** Share of the progress at which the file is read. */
export const READ_SHARE = 0.7;
/** Share of the rest at which the solid volumes are computed. What remains computes outlines. */
const VOLUMES_SHARE = 0.5;

interface OpenRequest {
  readonly file: string;
  /** Most scenes that the server keeps. */
  readonly maxScenes: number;
}

/** Reads a project file and computes the values of its scenes that the document does not store. */
export async function openForm({ file, maxScenes }: OpenRequest, progress: Progress): Promise<OpenedForm> {
  const saved = await readForm(file, progress.part(0, READ_SHARE));
  if (saved.scenes.length > maxScenes) {
    throw new ApiError(
      "BUILD_VOLUME_LIMIT_EXCEEDED",
      `The file holds ${saved.scenes.length} scenes, and this server keeps at most ${maxScenes}: start it with a higher --max-scenes.`,
    );
  }
  return completeForm(saved, progress.part(READ_SHARE, 1));
}

/** A document that was read, with the values of its scenes that it does not store. */
export function completeForm(saved: FormDocument, progress: Progress): OpenedForm {
  const { document, defects } = withSolidVolumes(saved, progress.part(0, VOLUMES_SHARE));
  const outlineProgress = progress.part(VOLUMES_SHARE, 1);
  const total = document.scenes.reduce((sum, { models }) => sum + models.length, 0);
  const known = new Map<string, Outline>();
  let done = 0;
  const outlineFor = ({ mesh, pose: { orientation } }: { readonly mesh: Mesh; readonly pose: Pose }): Outline =>
    getOrInsert(known, orientationKey(mesh.hash, orientation), () => outlineOf(mesh, rotationMatrix(orientation)));
  const outlinesFor = (model: FormModel): ModelOutlines => {
    outlineProgress.report(done++ / total);
    return { model: outlineFor(model), supports: model.supports && outlineFor(model.supports) };
  };
  return { document, outlines: document.scenes.map(({ models }) => models.map(outlinesFor)), defects };
}

/** The document with the solid volume of each mesh, computed as by an import, and the defects of the meshes that are not closed. */
function withSolidVolumes(document: FormDocument, progress: Progress): Pick<OpenedForm, "document" | "defects"> {
  const used = document.scenes.flatMap(({ models }) => models.flatMap(meshesOf));
  const distinct = new Map(used.map((mesh) => [mesh.hash, mesh]));
  const defects = new Map<string, readonly string[]>();
  const meshes = new Map(
    [...distinct.values()].map((mesh, i) => {
      // The volume of lattices is in the file: it takes long to measure, and their stand-in may have the gaps of their skin.
      if (mesh.latticed) return [mesh.hash, mesh];
      const meshProgress = progress.part(i / distinct.size, (i + 1) / distinct.size);
      const solid = withSolidVolume(mesh, meshProgress.part(0, 0.8));
      if (solid !== mesh) defects.set(mesh.hash, describeDefects(cachedMeshReport(mesh, meshProgress.silent())));
      return [mesh.hash, withOverlapsOnce(solid, meshProgress.part(0.8, 1))];
    }),
  );
  // Every mesh of the document is in the map.
  const known = ({ hash }: Mesh): Mesh => meshes.get(hash)!;
  const scenes = document.scenes.map((scene) => ({
    ...scene,
    models: scene.models.map((model) => ({
      ...model,
      mesh: known(model.mesh),
      ...(model.supports && { supports: { ...model.supports, mesh: known(model.supports.mesh) } }),
      ...(model.hollowed && { hollowed: mapSource(model.hollowed, known) }),
    })),
  }));
  return { document: { ...document, scenes }, defects };
}
