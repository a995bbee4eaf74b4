import { remembered } from "../../core/remembered.ts";
import { stanceKey } from "../../mesh/pose.ts";
import type { Region } from "../../place/layout/region.ts";
import type { Seen, SeenModel } from "../../place/layout/part-seen.ts";
import type { Body, Model } from "../../scene/model.ts";
import type { Kit } from "../endpoint.ts";

/** What models and their supports cover, worked out on all threads, of copies once. */
export function seenFromAbove(models: readonly Model[], kit: Kit): Promise<SeenModel[]> {
  const known = new Map<string, Promise<Region>>();
  const see = async ({ mesh, pose }: Body, number: number): Promise<Seen> => {
    const share = { request: { mesh, pose }, number, of: models.length };
    const region = await remembered(known, stanceKey(mesh.hash, pose), () => kit.compute("seeFromAbove", share));
    return { position: pose.position, region };
  };
  const seeModel = async ({ supports, ...model }: Model, number: number): Promise<SeenModel> => {
    const [body, under] = await Promise.all([see(model, number), supports && see(supports, number)]);
    return { ...body, supports: under };
  };
  return Promise.all(models.map(seeModel));
}
