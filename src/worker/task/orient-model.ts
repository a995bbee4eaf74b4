import type { Watch } from "../../core/watch.ts";
import type { EulerDeg } from "../../mesh/pose.ts";
import * as orient from "../../orient/orient-model.ts";
import { partOf, type Share } from "../share.ts";

export const orientModel = (share: Share<orient.OrientRequest>, watch: Watch): EulerDeg =>
  orient.orientModel(share.request, partOf(share, watch));
