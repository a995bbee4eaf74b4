import type { Watch } from "../../core/watch.ts";
import type { FormDocument, FormModel } from "../../format/form/document.ts";
import { readForm } from "../../format/form/read.ts";
import type { Outline } from "../../mesh/outline.ts";
import { outlineOf } from "../../mesh/outline-of.ts";
import { toMatrix, turnKey } from "../../mesh/pose.ts";
import { withSolidVolume } from "../../mesh/solid-volume.ts";

export interface OpenedForm {
  readonly document: FormDocument;
  /** Of each model of each scene, in the document's order; models that are turned alike share one. */
  readonly outlines: readonly (readonly Outline[])[];
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
  const outlineFor = ({ mesh, pose }: FormModel): Outline => {
    turning.report(done++ / total);
    const key = turnKey(mesh.hash, pose.orientation);
    const outline = known.get(key) ?? outlineOf(mesh, toMatrix(pose.orientation));
    known.set(key, outline);
    return outline;
  };
  return { document, outlines: document.scenes.map(({ models }) => models.map(outlineFor)) };
}

/** The document with every mesh as its import would make it. */
function withSolidVolumes(document: FormDocument, watch: Watch): FormDocument {
  const distinct = new Map(document.scenes.flatMap(({ models }) => models.map(({ mesh }) => [mesh.hash, mesh])));
  const meshes = new Map(
    [...distinct.values()].map((mesh, i) => {
      const part = watch.part(i / distinct.size, (i + 1) / distinct.size);
      return [mesh.hash, withSolidVolume(mesh, part)];
    }),
  );
  const scenes = document.scenes.map((scene) => ({
    ...scene,
    models: scene.models.map((model) => ({ ...model, mesh: meshes.get(model.mesh.hash)! })),
  }));
  return { ...document, scenes };
}
