import type { Body, CheckRequest } from "../../check/body.ts";
import { layersOf } from "../../scene/layers.ts";
import { bodiesOf } from "../../scene/model.ts";
import type { Scene } from "../../scene/project.ts";
import { bodyBox } from "../../scene/stand.ts";

/** What the checks look at in a scene: every model, visible or not, with its supports. */
export function checkRequestOf(scene: Scene): CheckRequest {
  const { models, setting } = scene;
  const bodies = models.flatMap((model, number) =>
    bodiesOf(model).map((body): Body => {
      const { mesh, pose } = body;
      return { placed: { mesh, pose }, box: bodyBox(body), model: number, isSupport: body === model.supports };
    }),
  );
  return {
    bodies,
    modelCount: models.length,
    boundariesMm: layersOf(scene),
    volume: setting.printerType.volume,
  };
}
