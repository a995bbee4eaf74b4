import type { Setting } from "../../catalog/setting.ts";
import { turnKey } from "../../mesh/pose.ts";
import type { Model } from "../../scene/model.ts";
import { stand } from "../../scene/stand.ts";
import type { Kit } from "../endpoint.ts";

/** The models with the outline that their pose and mesh ask for, standing as their printer has it. Equal turns are computed once. */
export async function turnModels(
  models: readonly Model[],
  setting: Setting,
  kit: Pick<Kit, "compute">,
): Promise<Model[]> {
  const keyOf = ({ mesh, pose }: Model): string => turnKey(mesh.hash, pose.orientation);
  const turns = new Map(
    models.map((model) => [keyOf(model), { mesh: model.mesh, orientation: model.pose.orientation }]),
  );
  const outlines = await kit.compute("turnMeshes", [...turns.values()]);
  const outlineByKey = new Map([...turns.keys()].map((key, i) => [key, outlines[i]!]));
  return models.map((model) => stand({ ...model, outline: outlineByKey.get(keyOf(model))! }, setting));
}
