import type { Watch } from "../../core/watch.ts";
import * as support from "../../support/support-model.ts";
import { partOf, type Share } from "../share.ts";

export const supportModel = (share: Share<support.SupportRequest>, watch: Watch): Promise<support.SupportedModel> =>
  support.supportModel(share.request, partOf(share, watch));
