import { materialOf } from "../catalog/catalog.ts";
import { settingsOnWire } from "../catalog/setting.ts";
import { type Steps, mapSteps } from "../core/steps.ts";
import { memoize } from "../core/memoize.ts";
import { MM3_PER_ML } from "../core/units.ts";
import { boxCentre } from "../geometry/box.ts";
import { rotateVector, rotationMatrix } from "../geometry/pose.ts";
import { subtract, times } from "../geometry/vector.ts";
import { planNumbers } from "../feature/support-plan/plan-of-model.ts";
import { findingOnWire } from "../feature/findings/endpoint.ts";
import { solidVolumeMm3, triangleCount } from "../mesh/mesh.ts";
import { cageByMember } from "../scene/cages.ts";
import { entriesOnWire } from "../scene/on-wire.ts";
import { bodyBox } from "../scene/placement.ts";
import type { RunningRequest } from "../http/running-requests.ts";
import { type KeptFindings, type KnownFindings, compareFindings, isAccepted, statusOf } from "../scene/findings.ts";
import { sceneSteps } from "./scene-steps.ts";
import type { Model, PlacedBody, Project, Scene } from "../scene/project.ts";
import type { SceneHistory } from "./history.ts";
import type { PageBody, PageFindings, PageModel, PageScene, PageSceneSummary } from "./replies.ts";
import type { SceneVersions } from "./scene-versions.ts";
import { wireVolume } from "../scene/wire-numbers.ts";
import { must } from "../core/must.ts";

/** Data about scenes that the server keeps outside the project. */
export interface SceneRecords {
  readonly versions: SceneVersions;
  readonly history: SceneHistory;
  readonly keptFindings: KeptFindings;
  /** The requests that run. */
  readonly running: Iterable<RunningRequest>;
}

/** Version of a scene, and the lengths of its undo and redo lists. */
const stateOf = ({ id }: Scene, { versions, history }: SceneRecords) => ({
  id,
  version: versions.of(id),
  ...history.counts(id),
});

/** Describes all scenes in project order, without their models. */
export function summariesOf({ scenes }: Project, records: SceneRecords): PageSceneSummary[] {
  const names = distinctNames(scenes.map(({ name }, i) => name ?? `Scene ${i + 1}`));
  return scenes.map((scene, i) => ({
    ...stateOf(scene, records),
    name: must(names[i], "the name of the scene"),
    setting: {
      ...settingsOnWire(scene.setting),
      family: scene.setting.printerType.family,
      printer_label: scene.setting.printerType.label,
      material_label: materialOf(scene.setting).label,
      needs_makers_program: scene.setting.printerType.job === "form",
    },
    model_count: scene.models.length,
    has_errors: hasErrors(scene, records.keptFindings.of(scene)),
  }));
}

/** Whether a finding that is known and not old must be solved; lost supports are known without a check. */
const hasErrors = (scene: Scene, known: KnownFindings | undefined): boolean =>
  scene.models.some(({ lostSupports }) => lostSupports) ||
  (known?.findings ?? []).some((one) => one.severity === "ERROR" && !one.isOld && !isAccepted(scene, one));

/** Appends " (2)", " (3)" … to repeated names: scenes opened from different files can have the same name. */
function distinctNames(names: readonly string[]): string[] {
  const counts = new Map<string, number>();
  return names.map((name) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count === 1 ? name : `${name} (${count})`;
  });
}

/** Number of models described per step; one step takes about 1 ms. */
const MODELS_PER_STEP = 256;

/** Describes a scene as the page draws it. Works in steps, so that other requests are answered in between. */
export function* pageSceneOf(scene: Scene, records: SceneRecords): Steps<PageScene> {
  const state = stateOf(scene, records);
  const known = records.keptFindings.of(scene);
  const { volume, family } = scene.setting.printerType;
  const entries = yield* entriesOnWire(scene.models, scene);
  const cages = cageByMember(scene);
  const toPageModel = (model: Model, i: number): PageModel => {
    const cage = cages.get(model.id);
    return {
      ...bodyOf(model),
      id: model.id,
      name: model.name,
      kind: cage?.latticeId === model.id ? "lattice" : "part",
      visible: model.visible,
      in_bounds: must(entries[i], "the entry of the model").in_bounds,
      lock: model.lock,
      cage_id: cage?.id ?? null,
      supports: model.supports ? bodyOf(model.supports) : null,
      lost_supports: model.lostSupports ?? null,
      support_plan: model.supportPlan ? planNumbers(model.supportPlan) : null,
      volume_ml: wireVolume((solidVolumeMm3(model.mesh) * model.pose.scale ** 3) / MM3_PER_ML),
      above_plate_mm: bodyBox(model).min[2],
      support_points: model.supports?.touchpoints.length ?? 0,
      letters: model.letters ? [model.letters.axis, model.letters.side, model.letters.atMm] : null,
    };
  };
  return {
    ...state,
    ...(scene.name !== undefined && { name: scene.name }),
    models: yield* mapSteps(scene.models, toPageModel, MODELS_PER_STEP),
    cages: scene.cages.map(({ id, name }) => ({ id, name })),
    steps: sceneSteps({
      scene,
      outside: scene.models.filter((_, i) => !entries[i]?.in_bounds),
      known,
      running: records.running,
    }),
    volume: { dimensions_mm: volume.dimensionsMm, corner_radius_mm: volume.filletRadiusMm, family },
    findings: known ? pageFindingsOf(scene, known) : null,
  };
}

function pageFindingsOf(scene: Scene, { checkedMs, checks, findings }: KnownFindings): PageFindings {
  return {
    checked_at: new Date(checkedMs).toISOString(),
    status: statusOf(scene, findings),
    checks: checks.map(({ kind, oldModelIds }) => ({ kind, old_model_ids: oldModelIds })),
    findings: findings.toSorted(compareFindings).map((finding) => ({
      ...findingOnWire(scene, finding),
      is_old: finding.isOld,
    })),
  };
}

const bodyOf = memoize(({ mesh, pose }: PlacedBody): PageBody => {
  const { scale } = pose;
  const [a, b, c, d, e, f, g, h, i] = rotationMatrix(pose.orientation);
  const [x, y, z] = subtract(
    pose.position,
    times(rotateVector(rotationMatrix(pose.orientation), boxCentre(mesh.box)), pose.scale),
  );
  return {
    mesh: mesh.hash,
    triangles: triangleCount(mesh),
    matrix: [...times([a, d, g], scale), 0, ...times([b, e, h], scale), 0, ...times([c, f, i], scale), 0, x, y, z, 1],
  };
});
