import type { Watch } from "../../core/watch.ts";
import type { FormDocument } from "../../format/form/document.ts";
import { writeForm } from "../../format/form/write.ts";

export interface SaveFormRequest {
  readonly file: string;
  readonly document: FormDocument;
}

export const saveForm = ({ file, document }: SaveFormRequest, watch: Watch): Promise<void> =>
  writeForm(file, document, watch);
