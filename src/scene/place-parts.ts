import type { Setting } from "../catalog/setting.ts";
import type { Steps } from "../core/steps.ts";
import { paired } from "../core/paired.ts";
import { unionBoxes } from "../geometry/box.ts";
import { convexHull } from "../geometry/convex-hull.ts";
import { IDENTITY_POSE } from "../geometry/pose.ts";
import { type Vec3, add, subtract } from "../geometry/vector.ts";
import { type Extent, inBounds, moveInside } from "../layout/bounds.ts";
import { shelve } from "../layout/shelve.ts";
import { bodyBox, placeModels, placeNewModels, snapsToPlatform } from "./placement.ts";
import type { Model } from "./project.ts";

/** Gap between parts that are laid out in rows, as in `auto-layout`. */
const GAP_MM = 2;

/**
 * Places the new models of one file: at the positions in the file if they fit there. Else all are moved inside the volume together,
 * or, if they do not fit, laid out in rows, if there is room.
 */
export function* placeParts(models: readonly Model[], setting: Setting): Steps<readonly Model[]> {
  const eachInside = yield* placeNewModels(models, setting);
  if (models.length === 1) return eachInside;
  const asInFile = yield* placeModels(models, setting);
  if (paired(asInFile, eachInside).every(([model, inside]) => isSameXy(model, inside))) return eachInside;
  const together = yield* movedTogether(asInFile, setting);
  if (together) return together;
  const rows = inRows(asInFile, setting);
  yield;
  return (yield* movedTogether(rows, setting)) ?? eachInside;
}

const isSameXy = (a: Model, b: Model): boolean =>
  a.pose.position[0] === b.pose.position[0] && a.pose.position[1] === b.pose.position[1];

/** The models moved inside the volume by one move; undefined if they do not fit. */
function* movedTogether(models: readonly Model[], setting: Setting): Steps<readonly Model[] | undefined> {
  const { volume } = setting.printerType;
  const whole = extentOf(models);
  yield;
  const axes = snapsToPlatform(setting) ? "xy" : "xyz";
  const pose = moveInside(whole, IDENTITY_POSE, volume, axes);
  if (!inBounds(whole, pose, volume)) return undefined;
  return models.map((model) => moved(model, pose.position));
}

const moved = (model: Model, by: Vec3): Model => ({
  ...model,
  pose: { ...model.pose, position: add(model.pose.position, by) },
});

/** The extent of all models in scene coordinates. */
function extentOf(models: readonly Model[]): Extent {
  const count = models.reduce((sum, { outline: { hullXy } }) => sum + hullXy.length / 2, 0);
  const [xs, ys] = [new Float64Array(count), new Float64Array(count)];
  let next = 0;
  for (const {
    outline: { hullXy },
    pose: {
      position: [x, y],
      scale,
    },
  } of models) {
    for (const [at, value] of hullXy.entries()) {
      if (at % 2 === 0) xs[next] = x + scale * value;
      else ys[next++] = y + scale * value;
    }
  }
  return { hullXy: convexHull(xs, ys), box: models.map(bodyBox).reduce(unionBoxes) };
}

/** The models on the floor, in rows as wide as the volume without its rounded corners; the deepest first. */
function inRows(models: readonly Model[], { printerType: { volume } }: Setting): readonly Model[] {
  const inset = volume.filletRadiusMm * (1 - Math.SQRT1_2);
  const widthMm = volume.dimensionsMm[0] - 2 * inset;
  const boxed = models.map((model) => {
    const { min, max } = bodyBox(model);
    return { model, min, size: subtract(max, min) };
  });
  const rows = shelve(
    boxed.map(({ size: [width, depth] }) => [width, depth]),
    widthMm,
    GAP_MM,
  );
  return paired(boxed, rows.places).map(([{ model, min }, [along, across]]) =>
    moved(model, subtract([along - widthMm / 2, across - rows.acrossMm / 2, 0], min)),
  );
}
