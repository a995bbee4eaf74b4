import type { PageBody, PageModel, PageScene } from "../../ui/replies.ts";
import { product, translation } from "../view/instances.ts";
import type { ShownBody, ShownModel, ShownScene } from "../view/view.ts";

const shownBody = ({ mesh, triangles, matrix }: PageBody): ShownBody => ({ mesh, triangles, matrix });

/** A model of the server as the view shows it. */
export const shownModel = (model: PageModel): ShownModel => ({
  ...shownBody(model),
  id: model.id,
  name: model.name,
  kind: model.kind,
  visible: model.visible,
  inBounds: model.in_bounds,
  supports: model.supports ? shownBody(model.supports) : undefined,
  letters: model.letters ?? undefined,
});

/** A scene of the server as the view shows it. `lifted`: a part that is shown above its place. */
export function shownScene(
  { id, models, volume }: PageScene,
  lifted: { readonly id: string | undefined; readonly byMm: number },
): ShownScene {
  const { dimensions_mm, corner_radius_mm, family } = volume;
  return {
    id,
    volume: { dimensionsMm: dimensions_mm, cornerRadiusMm: corner_radius_mm, family },
    models: models.map((model) => raisedModel(shownModel(model), model.id === lifted.id ? lifted.byMm : 0)),
  };
}

const raisedModel = (model: ShownModel, byMm: number): ShownModel =>
  byMm === 0 ? model : { ...model, matrix: product(translation([0, 0, byMm]), model.matrix) };
