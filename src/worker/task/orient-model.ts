import type { Watch } from "../../core/watch.ts";
import type { EulerDeg } from "../../mesh/pose.ts";
import * as orient from "../../orient/orient-model.ts";

export interface OrientJob {
  readonly request: orient.OrientRequest;
  /** Shares of the whole progress at which this model begins and ends. */
  readonly from: number;
  readonly to: number;
}

export const orientModel = ({ request, from, to }: OrientJob, watch: Watch): EulerDeg =>
  orient.orientModel(request, watch.part(from, to));
