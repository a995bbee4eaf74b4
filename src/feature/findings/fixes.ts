import { snakeKeys } from "../../core/json.ts";
import { boxSize, boxVolume } from "../../geometry/box.ts";
import { toSceneSpace } from "../../geometry/pose.ts";
import { inBounds, moveInside } from "../../layout/bounds.ts";
import { cageByMember } from "../../scene/cages.ts";
import type { Fix } from "../../scene/findings.ts";
import { bodyBox, sceneBox } from "../../scene/placement.ts";
import type { Model, Scene } from "../../scene/project.ts";
import type { SupportSettings } from "../../support/support-settings.ts";
import { idsOf } from "../../api/schema.ts";
import { planHash } from "../support-plan/plan-of-model.ts";
import type { CauseName, Found } from "./causes.ts";

/** A finding: the models at which it was found, and what was found at each. */
interface ToFix {
  readonly scene: Scene;
  readonly models: readonly Model[];
  readonly count: number;
  readonly same: readonly Pick<Found, "models" | "places">[];
}

/** The fixes of a finding; their requests are complete. Those whose requests the scene would refuse are left out. */
export const fixesOf = (cause: CauseName, finding: ToFix): readonly Fix[] => FIXES[cause]?.(finding) ?? [];

const FIXES: Partial<Readonly<Record<CauseName, (finding: ToFix) => readonly Fix[]>>> = {
  OUTSIDE: ({ scene, models }) => insideFixes(scene, models),
  BESIDE: ({ scene, models }) => [
    { title: `Move ${models.length} to a new scene`, requests: [request(scene, models, "move-to-scene")] },
    ...insideFixes(scene, models),
    removeFix(scene, models),
  ],
  OVERLAP: ({ scene, models }) => apartFixes(scene, models),
  NOT_CLOSED: ({ scene, models }) => repairFixes(scene, models),
  CROSSING: ({ scene, models }) => repairFixes(scene, models),
  CUPS: ({ scene, models, count }) => [
    {
      title: count === 1 ? "Vent" : `Vent all ${count}`,
      // The holes change the mesh, which removes its supports.
      requests: [request(scene, models, "vent"), ...supportsAsBefore(scene, models)],
    },
  ],
  IN_THE_AIR: ({ scene, models }) => [supportFix("Hold it", scene, models)],
  MINIMA: holdFixes,
  UNSUPPORTED: (finding) =>
    finding.models.some(({ supports }) => supports)
      ? holdFixes(finding)
      : [supportFix("Hold it", finding.scene, finding.models)],
  LOST: ({ scene, models }) => [supportFix("Support again", scene, models)],
  UNREACHED: ({ scene, models }) =>
    resupportFixes("Let supports stand on the part", scene, models, ({ internalSupportsEnabled }) =>
      internalSupportsEnabled ? undefined : { internalSupportsEnabled: true },
    ),
  SLENDER: denserFixes,
  UNHELD: denserFixes,
  LOOSE_RAFT: ({ scene, models }) =>
    resupportFixes("Full raft", scene, models, ({ raftType }) =>
      raftType === "FULL_RAFT" ? undefined : { raftType: "FULL_RAFT" },
    ),
};

/** Largest distance of the middle of a place from the surface: places are in layers of pixels. */
const SNAP_MM = 2;

/** A support point more at each place. The other points of the supports stay. */
function holdFixes({ scene, same }: ToFix): readonly Fix[] {
  const requests = same.flatMap(({ models: [model], places = [] }) => {
    if (!model || places.length === 0) return [];
    const add = places.map((place) => {
      const [x, y, z] = toSceneSpace(model, place);
      return { position: { x, y, z } };
    });
    const edit = { edit: { add }, based_on: planHash(model), snap_mm: SNAP_MM };
    return [{ path: "/v1/scene/model/supports/set/", body: { scene_id: scene.id, model_id: model.id, ...edit } }];
  });
  return requests.length === same.length ? [{ title: "Hold it", requests }] : [];
}

/** Factor by which supports become denser. */
const DENSER = 1.3;

function denserFixes({ scene, models }: ToFix): readonly Fix[] {
  return resupportFixes("Denser", scene, models, ({ density }) => ({ density: Math.max(1, density) * DENSER }));
}

const removeFix = (scene: Scene, models: readonly Model[]): Fix => ({
  title: models.length === 1 ? "Remove" : `Remove ${models.length}`,
  requests: [{ ...request(scene, models, "delete"), method: "DELETE" }],
});

export const request = (scene: Scene, models: readonly Model[], path: string, fields: object = {}) => ({
  path: `/v1/scene/model/${path}/`,
  body: { scene_id: scene.id, model_ids: idsOf(models), ...fields },
});

const supportFix = (title: string, scene: Scene, models: readonly Model[]): Fix => ({
  title,
  requests: [request(scene, models, "auto-support")],
});

/** New supports with the settings of the present ones, changed; none if nothing would change. */
function resupportFixes(
  title: string,
  scene: Scene,
  models: readonly Model[],
  change: (settings: SupportSettings) => Partial<SupportSettings> | undefined,
): readonly Fix[] {
  const changed = models.map(({ supports }) => supports && change(supports.settings));
  if (changed.some((one) => !one)) return [];
  return [{ title, requests: supportsAsBefore(scene, models, change) }];
}

/** Requests for supports with the present settings of each model, of those that have supports. Models with equal settings share a request. */
export function supportsAsBefore(
  scene: Scene,
  models: readonly Model[],
  change: (settings: SupportSettings) => Partial<SupportSettings> | undefined = () => ({}),
): Fix["requests"] {
  const supported = models.flatMap(({ supports, ...model }) =>
    supports ? [{ model, fields: settingFields({ ...supports.settings, ...change(supports.settings) }) }] : [],
  );
  return [...Map.groupBy(supported, ({ fields }) => JSON.stringify(fields)).values()].map((alike) =>
    request(
      scene,
      alike.map(({ model }) => model),
      "auto-support",
      alike[0]?.fields,
    ),
  );
}

/** The fields of `auto-support`; the print setting has the others. */
function settingFields({ selfSupportingAngleDeg: _angle, bridgingDistanceMm: _bridge, ...settings }: SupportSettings) {
  return snakeKeys(settings);
}

/** The new mesh has no supports: those from before are made again. */
function repairFixes(scene: Scene, models: readonly Model[]): readonly Fix[] {
  return [{ title: "Repair", requests: [request(scene, models, "repair"), ...supportsAsBefore(scene, models)] }];
}

/** Whether arrangements may move a model. */
export const isFree = (scene: Scene, { id, lock }: Model): boolean =>
  lock !== "FULLY_LOCKED" && !cageByMember(scene).has(id);

/** All but the largest of the models give way, or those that may move. */
function apartFixes(scene: Scene, models: readonly Model[]): readonly Fix[] {
  const largestFirst = models.toSorted((a, b) => boxVolume(sceneBox(b)) - boxVolume(sceneBox(a)));
  const stays = largestFirst.find((model) => !isFree(scene, model)) ?? largestFirst[0];
  const moving = largestFirst.filter((model) => model !== stays);
  if (moving.some((model) => !isFree(scene, model))) return [];
  return [{ title: "Move apart", requests: [layoutRequest(scene, moving)] }];
}

const layoutRequest = (scene: Scene, models: readonly Model[]) =>
  isPowder(scene)
    ? request(scene, models, "auto-pack")
    : request(scene, models, "auto-layout", { lock_rotation: true });

const isPowder = ({ setting }: Scene): boolean => setting.printerType.family === "powder";

/** Models that fit are moved inside; others are scaled down before. */
function insideFixes(scene: Scene, models: readonly Model[]): readonly Fix[] {
  if (models.some((model) => !isFree(scene, model))) return [];
  if (models.every((model) => fits(scene, model, 1)))
    return [{ title: "Move inside", requests: [layoutRequest(scene, models)] }];
  const shares = models.map((model) => largestPercent(scene, model));
  const percent = Math.min(...shares);
  if (percent < LEAST_PERCENT) return [];
  const scaled = [...Map.groupBy(models, ({ pose }) => pose.scale)].map(([scale, alike]) =>
    request(scene, alike, "scale", { scale: (scale * percent) / 100 }),
  );
  return [{ title: `Scale to ${percent} %`, requests: [...scaled, layoutRequest(scene, models)] }];
}

/** Smaller parts would be something else. */
const LEAST_PERCENT = 10;

/** Whether a model fits into the build volume without a turn: with its supports at its own size, or without them at another. */
function fits({ setting: { printerType } }: Scene, model: Model, factor: number): boolean {
  const { volume } = printerType;
  const [x, y, z] = factor === 1 ? boxSize(sceneBox(model)) : boxSize(bodyBox(model)).map((mm) => factor * mm);
  const [mostX, mostY, mostZ] = volume.dimensionsMm;
  if ((x ?? 0) > mostX || (y ?? 0) > mostY || (z ?? 0) > mostZ) return false;
  const pose = { ...model.pose, scale: factor * model.pose.scale };
  return inBounds(model.outline, moveInside(model.outline, pose, volume, "xyz"), volume);
}

/** The largest share of its size at which a model fits, percent; 0 if there is none. */
function largestPercent(scene: Scene, model: Model): number {
  for (let percent = 99; percent >= LEAST_PERCENT; percent--) if (fits(scene, model, percent / 100)) return percent;
  return 0;
}
