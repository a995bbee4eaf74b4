import type { Bodies } from "../../place/layout/part-of.ts";
import type { Body, Model } from "../../scene/model.ts";

/** What a layout needs to see of a model. */
export const bodiesFor = ({ supports, ...model }: Model): Bodies => ({
  model: meshAndPose(model),
  supports: supports && meshAndPose(supports),
});

const meshAndPose = ({ mesh, pose }: Body): Bodies["model"] => ({ mesh, pose });
