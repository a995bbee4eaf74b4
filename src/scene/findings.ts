import { poseKey, type Pose } from "../geometry/pose.ts";
import { subtract } from "../geometry/vector.ts";
import type { AcceptedFinding, Model, Scene } from "./project.ts";

export const CHECK_KINDS = [
  "IN_BOUNDS",
  "INTERFERENCES",
  "MANIFOLDNESS",
  "CUPS",
  "MINIMA",
  "SUPPORTEDNESS",
  "SUPPORTS",
  "THIN_FEATURES",
] as const;
export type CheckKind = (typeof CHECK_KINDS)[number];

/** The kinds whose findings depend on where the models are on the platform. */
const KINDS_OF_PLACES: ReadonlySet<CheckKind> = new Set(["IN_BOUNDS", "INTERFERENCES"]);

export const SIZE_UNITS = ["mm3", "mm2", "mm", "PERCENT", "COUNT"] as const;
export type SizeUnit = (typeof SIZE_UNITS)[number];

/** A remedy: requests that are sent one after the other. */
export interface Fix {
  readonly title: string;
  readonly requests: readonly {
    readonly path: string;
    /** Absent: POST. */
    readonly method?: "DELETE";
    readonly body: Readonly<Record<string, unknown>>;
  }[];
}

/** What a check of a scene found at a model, at equal models, or between models. */
export interface Finding {
  /** 16 hex digits: equal for the same finding at the same mesh in the same tilt, wherever the model is. */
  readonly id: string;
  readonly kind: CheckKind;
  readonly severity: "WARNING" | "ERROR";
  readonly modelIds: readonly string[];
  /** Number of cups, places, edges or points. */
  readonly count: number;
  /** Sum over the models, or the largest for `mm` and `PERCENT`. */
  readonly size: number;
  readonly sizeUnit: SizeUnit;
  /** The count and the size at one of the models. */
  readonly each: Pick<AcceptedFinding, "count" | "size">;
  readonly text: string;
  readonly fixes: readonly Fix[];
}

/** The findings of a scene at one time. */
export interface SceneFindings {
  readonly checks: readonly CheckKind[];
  /** Most severe and largest first. */
  readonly findings: readonly Finding[];
}

/** Share by which an accepted finding may grow. */
const ACCEPTED_GROWTH = 0.1;

/** Whether a person accepted the finding, and it is no larger than then. */
export function isAccepted({ acceptedFindings = [] }: Scene, { id, each }: Finding): boolean {
  const accepted = acceptedFindings.find((one) => one.id === id);
  return accepted !== undefined && each.count <= accepted.count && each.size <= (1 + ACCEPTED_GROWTH) * accepted.size;
}

/** The worst severity among the findings that nobody accepted. */
export function statusOf(scene: Scene, findings: readonly Finding[]): "OK" | Finding["severity"] {
  const open = new Set(findings.filter((finding) => !isAccepted(scene, finding)).map(({ severity }) => severity));
  return open.has("ERROR") ? "ERROR" : open.has("WARNING") ? "WARNING" : "OK";
}

/** Orders findings: the most severe first, then by their kinds, then the largest first. */
export function compareFindings(a: Finding, b: Finding): number {
  if (a.severity !== b.severity) return a.severity === "ERROR" ? -1 : 1;
  return CHECK_KINDS.indexOf(a.kind) - CHECK_KINDS.indexOf(b.kind) || b.size - a.size || b.count - a.count;
}

/** A finding of an earlier check, as far as it is still known to be true. */
export interface KeptFinding extends Finding {
  /** Whether a model of the finding has changed since. */
  readonly isOld: boolean;
}

/** A kind that was checked, and the models for which its findings are not known in their present state. */
export interface CheckedKind {
  readonly kind: CheckKind;
  readonly oldModelIds: readonly string[];
}

/** What is known of a scene from earlier checks. */
export interface KnownFindings {
  /** When the scene was last checked, ms since 1970. */
  readonly checkedMs: number;
  readonly checks: readonly CheckedKind[];
  readonly findings: readonly KeptFinding[];
}

/** A check of a scene in one state. */
interface CheckRecord extends SceneFindings {
  readonly checkedMs: number;
  readonly setting: Scene["setting"];
  /** The content of each model, by its id. */
  readonly models: ReadonlyMap<string, ModelContent>;
}

interface ModelContent {
  /** Everything on which the findings at the model alone depend. */
  readonly own: string;
  readonly place: string;
}

/** Undo and redo rarely go back further than this. */
const MAX_RECORDS = 8;
/** Scenes whose findings are kept: those of the scenes that were checked last. */
const MAX_SCENES = 100;
/** Findings of a check that are kept; people do not read more. */
const MAX_FINDINGS = 500;

/**
 * The findings of the last checks of each scene. They are compared with the content of the models, not with versions of the scene, so that
 * they are valid again after an undo.
 */
export class KeptFindings {
  /** By the id of the scene, newest first. */
  readonly #records = new Map<string, readonly CheckRecord[]>();
  readonly #listeners = new Set<() => void>();

  /** Calls `listener` after each check, until the returned function is called. */
  watch(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** When the scene was last checked, ms since 1970. */
  checkedMs(sceneId: string): number | undefined {
    return this.#records.get(sceneId)?.[0]?.checkedMs;
  }

  keep({ id, setting, models }: Scene, { checks, findings }: SceneFindings, checkedMs = Date.now()): void {
    const contents = new Map(models.map((model) => [model.id, contentOf(model)]));
    const record = { checks, findings: findings.slice(0, MAX_FINDINGS), checkedMs, setting, models: contents };
    const earlier = this.#records.get(id) ?? [];
    this.#records.delete(id);
    this.#records.set(id, [record, ...earlier].slice(0, MAX_RECORDS));
    for (const oldest of this.#records.keys()) {
      if (this.#records.size <= MAX_SCENES) break;
      this.#records.delete(oldest);
    }
    for (const listener of this.#listeners) listener();
  }

  /** What earlier checks say about the scene; undefined if it was never checked. */
  of(scene: Scene): KnownFindings | undefined {
    const records = this.#records.get(scene.id) ?? [];
    const [newest] = records;
    if (!newest) return undefined;
    const contents = new Map(scene.models.map((model) => [model.id, contentOf(model)]));
    const state = { records, setting: scene.setting, contents };
    const known = CHECK_KINDS.flatMap((kind) => knownOfKind(kind, state));
    return {
      checkedMs: newest.checkedMs,
      checks: known.map(({ kind, oldModelIds }) => ({ kind, oldModelIds })),
      findings: known.flatMap(({ findings }) => findings),
    };
  }
}

/** The earlier checks of a scene, newest first, and its present state. */
interface PresentState {
  readonly records: readonly CheckRecord[];
  readonly setting: Scene["setting"];
  readonly contents: ReadonlyMap<string, ModelContent>;
}

/** What the checks of a kind say about the present state; nothing if the kind was never checked. */
function knownOfKind(
  kind: CheckKind,
  { records, setting, contents }: PresentState,
): (CheckedKind & Pick<KnownFindings, "findings">)[] {
  const ofKind = records.filter(({ checks }) => checks.includes(kind));
  const [newest] = ofKind;
  if (!newest) return [];
  const isSame = (record: CheckRecord, id: string, part: keyof ModelContent): boolean =>
    record.setting === setting && record.models.get(id)?.[part] === contents.get(id)?.[part];
  const ids = [...contents.keys()];
  if (KINDS_OF_PLACES.has(kind)) {
    // Only a check of the whole state tells which models are apart.
    const isWhole = (record: CheckRecord): boolean =>
      record.models.size === ids.length && ids.every((id) => isSame(record, id, "place"));
    const record = ofKind.find(isWhole) ?? newest;
    const isOld = (id: string): boolean => !isSame(record, id, "place");
    const findings = findingsOf(record, kind)
      .filter(({ modelIds }) => (modelIds.length > 0 || isWhole(record)) && modelIds.every((id) => contents.has(id)))
      .map((finding) => ({ ...finding, isOld: finding.modelIds.some(isOld) }));
    return [{ kind, oldModelIds: ids.filter(isOld), findings }];
  }
  const recordOf = new Map(ids.map((id) => [id, ofKind.find((record) => isSame(record, id, "own"))]));
  const isOld = (id: string): boolean => recordOf.get(id) === undefined;
  // A changed model keeps the findings of the last check.
  const isShownOf = (record: CheckRecord, id: string): boolean =>
    contents.has(id) && (recordOf.get(id) ?? newest) === record;
  const findings = ofKind.flatMap((record) =>
    findingsOf(record, kind).flatMap((finding): KeptFinding[] => {
      const modelIds = finding.modelIds.filter((id) => isShownOf(record, id));
      return modelIds.length === 0 ? [] : [{ ...finding, modelIds, isOld: modelIds.some(isOld) }];
    }),
  );
  return [{ kind, oldModelIds: ids.filter(isOld), findings }];
}

const findingsOf = ({ findings }: CheckRecord, kind: CheckKind): Finding[] =>
  findings.filter((finding) => finding.kind === kind);

function contentOf({ mesh, pose, supports, lostSupports }: Model): ModelContent {
  const supported = supports && poseKey(supports.mesh.hash, relativeTo(supports.pose, pose));
  const own = [poseKey(mesh.hash, relativeTo(pose, pose)), supported, lostSupports].join(" ");
  return { own, place: [poseKey(mesh.hash, pose), supports && poseKey(supports.mesh.hash, supports.pose)].join(" ") };
}

/** Differences of coordinates have rounding: they are compared in steps of a nanometre. */
const STEPS_PER_MM = 1e6;

/** A pose relative to x and y of another pose. */
function relativeTo(pose: Pose, { position }: Pose): Pose {
  const [x, y] = subtract(pose.position, position).map((mm) => Math.round(mm * STEPS_PER_MM) / STEPS_PER_MM + 0);
  return { ...pose, position: [x ?? 0, y ?? 0, pose.position[2]] };
}
