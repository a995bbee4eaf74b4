import type { Watch } from "../../core/watch.ts";
import * as support from "../../support/support-model.ts";

export interface SupportJob {
  readonly request: support.SupportRequest;
  /** Shares of the whole progress at which this model begins and ends. */
  readonly from: number;
  readonly to: number;
}

export const supportModel = ({ request, from, to }: SupportJob, watch: Watch): Promise<support.SupportedModel> =>
  support.supportModel(request, watch.part(from, to));
