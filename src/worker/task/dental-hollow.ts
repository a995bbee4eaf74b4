import type { Watch } from "../../core/watch.ts";
import { dentalModel, type DentalModel, type DentalRequest } from "../../solid/dental/dental-model.ts";
import { partOf, type Share } from "../share.ts";

export const dentalHollow = (share: Share<DentalRequest>, watch: Watch): Promise<DentalModel> =>
  dentalModel(share.request, partOf(share, watch));
