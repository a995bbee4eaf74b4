import type { PageBody, PageModel, PageScene } from "../../ui/replies.ts";
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

/** A scene of the server as the view shows it. */
export function shownScene({ id, models, volume }: PageScene): ShownScene {
  const { dimensions_mm, corner_radius_mm, family } = volume;
  return {
    id,
    volume: { dimensionsMm: dimensions_mm, cornerRadiusMm: corner_radius_mm, family },
    models: models.map(shownModel),
  };
}
