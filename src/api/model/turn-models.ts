import type { Setting } from "../../catalog/setting.ts";
import { turnKey } from "../../mesh/pose.ts";
import { bodiesOf, type Body, type Model } from "../../scene/model.ts";
import { stand } from "../../scene/stand.ts";
import type { Kit } from "../endpoint.ts";

/**
 * The models and their supports with the outlines that their poses and meshes ask for, standing as their printer has it.
 * Equal turns are computed once.
 */
export async function turnModels(
  models: readonly Model[],
  setting: Setting,
  kit: Pick<Kit, "compute">,
): Promise<Model[]> {
  const keyOf = ({ mesh, pose }: Body): string => turnKey(mesh.hash, pose.orientation);
  const turns = new Map(
    models.flatMap(bodiesOf).map((body) => [keyOf(body), { mesh: body.mesh, orientation: body.pose.orientation }]),
  );
  const outlines = await kit.compute("turnMeshes", [...turns.values()]);
  const outlineByKey = new Map([...turns.keys()].map((key, i) => [key, outlines[i]!]));
  const turned = <B extends Body>(body: B): B => ({ ...body, outline: outlineByKey.get(keyOf(body))! });
  return models.map((model) => stand({ ...turned(model), supports: model.supports && turned(model.supports) }, setting));
}
