import { type ApiError, operationFailed } from "../../core/api-error.ts";
import { runStepwise } from "../../core/steps.ts";
import { faintBodies } from "../../scene/faint-bodies.ts";
import { layerBoundariesOf, layerThicknessOf } from "../../scene/layers.ts";
import { isInBounds } from "../../scene/placement.ts";
import { type Model, type PlacedBody, type Scene, quotedNames } from "../../scene/project.ts";
import type { Compute } from "../../worker/compute.ts";
import { mapDistinct } from "../mesh-tasks.ts";
import { leavesNoPixelTask } from "./task.ts";

/**
 * Warnings that name the models that a print would lack: they light no pixel of any layer. Throws OPERATION_FAILED if no pixel is lit
 * at all.
 */
export async function unlitWarnings(scene: Scene, context: Compute): Promise<string[]> {
  const unlit = await unlitOf(scene.models, scene, context);
  if (unlit.length === 0) return [];
  const supports = scene.models.flatMap((model) => model.supports ?? []);
  const isNothingLit =
    unlit.length === scene.models.length && (await unlitOf(supports, scene, context)).length === supports.length;
  if (isNothingLit) throw nothingToPrint(unlit, scene);
  return [`Nothing is printed of ${whyUnlit(unlit, scene)}`];
}

/** The error for a scene of which no pixel of any layer is lit. */
export const nothingToPrint = (models: readonly Model[], scene: Scene): ApiError =>
  operationFailed(`There is nothing to print of ${whyUnlit(models, scene)}`);

/** The names of models that light no pixel, the reason and the way out. */
function whyUnlit(models: readonly Model[], { setting }: Scene): string {
  const found = `${quotedNames(models)}: no pixel of any layer is lit there`;
  if (models.every((model) => !isInBounds(model, setting)))
    return `${found}, outside the build volume. Move it inside.`;
  const thickness = layerThicknessOf(setting);
  const layersMm = typeof thickness === "number" ? thickness : thickness.minMm;
  const pixelUm = Math.round(1000 * Math.max(...setting.printerType.raster.pixelMm));
  return (
    `${found}, since it is thinner than half a layer of ${layersMm} mm, or much thinner than a pixel of ${pixelUm} µm. ` +
    "Scale it up, turn it or choose thinner layers."
  );
}

async function unlitOf<Body extends PlacedBody>(
  bodies: readonly Body[],
  scene: Scene,
  context: Compute,
): Promise<Body[]> {
  const faint = await runStepwise(faintBodies(bodies, scene));
  const boundariesMm = await runStepwise(layerBoundariesOf(scene));
  const grid = scene.setting.printerType.raster;
  const areUnlit = await mapDistinct(
    faint,
    ({ key }) => key,
    async ({ body: { mesh, pose }, isBetweenLayers }, share) =>
      isBetweenLayers ||
      (await context.compute(leavesNoPixelTask, { input: { placed: [{ mesh, pose }], boundariesMm, grid }, ...share })),
  );
  return faint.flatMap(({ body }, i) => (areUnlit[i] ? [body] : []));
}
