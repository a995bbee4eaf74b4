import type { Watch } from "../../core/watch.ts";
import { type Labelled, type LabelRequest, labelMesh } from "../../solid/label/label-mesh.ts";
import { partOf, type Share } from "../share.ts";

export const labelModel = (share: Share<LabelRequest>, watch: Watch): Promise<Labelled> =>
  labelMesh(share.request, partOf(share, watch));
