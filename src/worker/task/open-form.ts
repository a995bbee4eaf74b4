import { remembered } from "../../core/remembered.ts";
import type { Watch } from "../../core/watch.ts";
import { type FormDocument, type FormModel, meshesOf } from "../../format/form/document.ts";
import { readForm } from "../../format/form/read.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import type { Outline } from "../../mesh/outline.ts";
import { outlineOf } from "../../mesh/outline-of.ts";
import { type Pose, toMatrix, turnKey } from "../../mesh/pose.ts";
import { withSolidVolume } from "../../mesh/solid-volume.ts";

export interface OpenedForm {
  readonly document: FormDocument;
  /** Of each model of each scene, in the document's order; bodies that are turned alike share one. */
  readonly outlines: readonly (readonly ModelOutlines[])[];
}

export interface ModelOutlines {
  readonly model: Outline;
  readonly supports?: Outline;
}

/** Shares of the progress at which the file is read and checked, and its meshes are looked over. */
const READ = 0.7;
const LOOKED = 0.85;

export async function openForm(file: string, watch: Watch): Promise<OpenedForm> {
  const document = withSolidVolumes(await readForm(file, watch.part(0, READ)), watch.part(READ, LOOKED));
  const turning = watch.part(LOOKED, 1);
  const total = document.scenes.reduce((sum, { models }) => sum + models.length, 0);
  const known = new Map<string, Outline>();
  let done = 0;
  const outlineFor = ({ mesh, pose: { orientation } }: { readonly mesh: Mesh; readonly pose: Pose }): Outline =>
    remembered(known, turnKey(mesh.hash, orientation), () => outlineOf(mesh, toMatrix(orientation)));
  const outlinesFor = (model: FormModel): ModelOutlines => {
    turning.report(done++ / total);
    return { model: outlineFor(model), supports: model.supports && outlineFor(model.supports) };
  };
  return { document, outlines: document.scenes.map(({ models }) => models.map(outlinesFor)) };
}

/** The document with every mesh as its import would make it. */
function withSolidVolumes(document: FormDocument, watch: Watch): FormDocument {
  const used = document.scenes.flatMap(({ models }) => models.flatMap(meshesOf));
  const distinct = new Map(used.map((mesh) => [mesh.hash, mesh]));
  const meshes = new Map(
    [...distinct.values()].map((mesh, i) => {
      const part = watch.part(i / distinct.size, (i + 1) / distinct.size);
      return [mesh.hash, withSolidVolume(mesh, part)];
    }),
  );
  const known = ({ hash }: Mesh): Mesh => meshes.get(hash)!;
  const scenes = document.scenes.map((scene) => ({
    ...scene,
    models: scene.models.map((model) => ({
      ...model,
      mesh: known(model.mesh),
      supports: model.supports && { ...model.supports, mesh: known(model.supports.mesh) },
      hollowed: model.hollowed && { ...model.hollowed, solid: known(model.hollowed.solid) },
    })),
  }));
  return { ...document, scenes };
}
