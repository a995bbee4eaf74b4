import type { Watch } from "../../core/watch.ts";
import { readForm } from "../../format/form/read.ts";
import type { FormDocument } from "../../format/form/document.ts";
import type { Outline } from "../../mesh/outline.ts";
import { outlineOf } from "../../mesh/outline-of.ts";
import { toMatrix } from "../../mesh/pose.ts";

export interface OpenedForm {
  readonly document: FormDocument;
  /** Of each model of each scene, in the document's order. */
  readonly outlines: readonly (readonly Outline[])[];
}

/** Share of the progress that reading and checking the file takes. */
const READ_SHARE = 0.8;

export async function openForm(file: string, watch: Watch): Promise<OpenedForm> {
  const document = await readForm(file, watch.part(0, READ_SHARE));
  const turning = watch.part(READ_SHARE, 1);
  const outlines = document.scenes.map((scene, i) => {
    turning.report(i / document.scenes.length);
    return scene.models.map(({ mesh, pose }) => outlineOf(mesh, toMatrix(pose.orientation)));
  });
  return { document, outlines };
}
