import { type Model, type Scene, quotedName } from "../scene/project.ts";

/** A warning for each model whose supports a change removes. */
export function lostSupportsWarnings(before: Scene, after: Scene): string[] {
  if (before.models === after.models) return [];
  const next = new Map(after.models.map((model) => [model.id, model]));
  return before.models.flatMap((model) => {
    const now = next.get(model.id);
    if (!now) return [];
    const dropped = droppedPointsWarning(model, now);
    if (!model.supports || now.supports) return dropped;
    const cause = causeOf(model, now) ?? causeOfSetting(before, after);
    return cause === undefined ? dropped : [lostSupportsWarning(model, cause), ...dropped];
  });
}

/** A warning where another mesh of a model is not where points of its plan are. */
function droppedPointsWarning(before: Model, after: Model): string[] {
  const [points, left] = [before, after].map(({ supportPlan }) => supportPlan?.points.length ?? 0);
  if (before.mesh.hash === after.mesh.hash || points === undefined || left === undefined || left >= points) return [];
  return [
    `${points - left} of ${points} support points of ${quotedName(after)} were dropped, because its new surface is not where they were.`,
  ];
}

/** Warning that the supports of a model were removed; also for a model that other models replace. */
export const lostSupportsWarning = (model: Model, cause: string): string =>
  `The supports of ${quotedName(model)} were removed, because ${cause}.`;

const NEW_ONES = "generate new ones with /v1/scene/model/auto-support/";
export const MESH_CHANGED = `its mesh changed: ${NEW_ONES}`;

/** Undefined if the model has the same pose: then it was supported again, and needs no supports. */
function causeOf(before: Model, after: Model): string | undefined {
  if (before.units !== after.units) return `its units changed: ${NEW_ONES}`;
  if (before.mesh.hash !== after.mesh.hash) return MESH_CHANGED;
  if (before.pose.scale !== after.pose.scale) return `its scale changed: ${NEW_ONES}`;
  const [was, is] = [before.pose.orientation, after.pose.orientation];
  if (was.x !== is.x || was.y !== is.y || was.z !== is.z) return `it was turned: ${NEW_ONES}`;
  return undefined;
}

function causeOfSetting(before: Scene, after: Scene): string | undefined {
  if (before.setting === after.setting) return undefined;
  if (after.setting.printerType.family === "powder") return "powder carries the parts";
  return `the new print setting supports parts in another way: ${NEW_ONES}`;
}
