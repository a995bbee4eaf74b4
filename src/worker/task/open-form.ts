import type { Watch } from "../../core/watch.ts";
import type { FormDocument, FormModel } from "../../format/form/document.ts";
import { readForm } from "../../format/form/read.ts";
import type { Outline } from "../../mesh/outline.ts";
import { outlineOf } from "../../mesh/outline-of.ts";
import { toMatrix, turnKey } from "../../mesh/pose.ts";

export interface OpenedForm {
  readonly document: FormDocument;
  /** Of each model of each scene, in the document's order; models that are turned alike share one. */
  readonly outlines: readonly (readonly Outline[])[];
}

/** Share of the progress that reading and checking the file takes. */
const READ_SHARE = 0.8;

export async function openForm(file: string, watch: Watch): Promise<OpenedForm> {
  const document = await readForm(file, watch.part(0, READ_SHARE));
  const turning = watch.part(READ_SHARE, 1);
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
