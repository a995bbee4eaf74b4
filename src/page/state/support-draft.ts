import { computed, effect, signal } from "@preact/signals";
import type { Vec3 } from "../../geometry/vector.ts";
import type { SupportPoint } from "../action/support-edits.ts";
import { classOf } from "../action/support-edits.ts";
import { toXyz } from "../action/surface-place.ts";
import { post } from "../server/call.ts";
import type { PointEvents, ShownPoint, ShownStrut, ShownSupportEdit } from "../view/view.ts";
import { newestRequests } from "./newest-requests.ts";
import {
  type SupportMode,
  addPoints,
  areSupportsHidden,
  edit,
  editLive,
  editStack,
  editedAtMs,
  isChangingSupports,
  liveEdit,
  selectedPoints,
  supportDraft,
  supportMode,
  supportTool,
} from "./support-mode.ts";
import { shownAreas, shownBrush } from "./support-areas.ts";
import { sliceShare } from "./support-slice.ts";
import { isFailure } from "./tasks.ts";

// The draft of the supports that the edits would give, and how the view shows it.

interface DraftReply {
  readonly removed_trees: readonly number[];
  readonly trees: readonly { readonly id: number; readonly struts: readonly ShownStrut[] }[];
  readonly unreached_indices: readonly number[];
  readonly load_ratio_min: number | null;
  readonly lift_mm: number;
}

export interface SupportStruts {
  readonly mode: SupportMode;
  readonly trees: ReadonlyMap<number, readonly ShownStrut[]>;
  /** All struts of the trees. */
  readonly struts: readonly ShownStrut[];
  readonly unreached: ReadonlySet<number>;
  /** Load at which the weakest strut buckles as a multiple of its load; null if none bears a load. */
  readonly loadRatioMin: number | null;
  /** How far the supports raise the part. */
  readonly liftMm: number;
  /** Time from the edit until its struts were here. */
  readonly tookMs: number;
  readonly editedAtMs: number;
}

/** The last draft of the part that is edited. */
export const supportStruts = signal<SupportStruts | undefined>(undefined);
/** Why the last draft could not be made. */
export const draftProblem = signal<string | undefined>(undefined);

/** At most ten drafts a second. */
const EVERY_MS = 100;

interface DraftRequest {
  readonly mode: SupportMode;
  readonly points: readonly SupportPoint[];
  readonly editedAtMs: number;
}

const requests = newestRequests(async ({ mode, points: all, editedAtMs: madeAtMs }: DraftRequest, isWanted) => {
  const points = all.filter(({ isResting }) => !isResting);
  const before = supportStruts.peek()?.trees ?? new Map<number, readonly ShownStrut[]>();
  try {
    const reply = await post<DraftReply>("/v1/scene/model/supports/preview/", {
      scene_id: mode.sceneId,
      model_id: mode.modelId,
      points: points.map(({ position, sizeMm }) => ({ position: toXyz(position), size_mm: sizeMm })),
      known_trees: [...before.keys()],
    });
    if (!isWanted()) return;
    const trees = new Map(before);
    for (const id of reply.removed_trees) trees.delete(id);
    for (const { id, struts } of reply.trees) trees.set(id, struts);
    draftProblem.value = undefined;
    supportStruts.value = {
      mode,
      trees,
      struts: [...trees.values()].flat(),
      unreached: new Set(reply.unreached_indices.flatMap((index) => points[index]?.key ?? [])),
      loadRatioMin: reply.load_ratio_min,
      liftMm: points.length === 0 ? 0 : reply.lift_mm,
      tookMs: performance.now() - madeAtMs,
      editedAtMs: madeAtMs,
    };
  } catch (thrown) {
    // A draft that is missing is told at the foot; the next edit tries again.
    if (isWanted() && isFailure(thrown)) draftProblem.value = thrown.message;
  }
}, EVERY_MS);

/** Asks for a draft after each edit. */
export function followDraft(): void {
  let shown: string | undefined;
  effect(() => {
    const { value: mode } = supportMode;
    const points = supportDraft.value?.points;
    if (!mode || !points || mode.modelId !== shown) {
      requests.stop();
      supportStruts.value = undefined;
      draftProblem.value = undefined;
    }
    shown = mode?.modelId;
    if (mode && points && !isChangingSupports.value) requests.send({ mode, points, editedAtMs: editedAtMs.peek() });
  });
}

const raised = ([x, y, z]: Vec3, byMm: number): Vec3 => [x, y, z + byMm];

/** How far the part is shown above its place, because the draft raises it. */
export const shownLiftMm = computed(() => (editStack.value.done.length > 0 ? (supportStruts.value?.liftMm ?? 0) : 0));

/** What the view shows of the edit. Before the first edit it shows the present supports. */
export const shownSupportEdit = computed((): ShownSupportEdit | undefined => {
  const { value: mode } = supportMode;
  const points = supportDraft.value?.points;
  if (!mode || !points) return undefined;
  const { unreached = NONE, struts, editedAtMs: madeAtMs = 0 } = supportStruts.value ?? {};
  const isEdited = editStack.value.done.length > 0 || liveEdit.value !== undefined;
  const liftMm = shownLiftMm.value;
  return {
    modelId: mode.modelId,
    points: points.map((point): ShownPoint => ({
      key: point.key,
      point: raised(point.position, liftMm),
      normal: point.normal,
      sizeMm: point.sizeMm,
      size: classOf(point.sizeMm, mode.usualMm),
      shape: shapeOf(point, unreached.has(point.key) || point.isResting),
      isSelected: selectedPoints.value.has(point.key),
    })),
    struts: isEdited || !mode.part.supports ? struts : undefined,
    draftStruts: struts ?? [],
    areSupportsHidden: areSupportsHidden.value,
    sliceShare: sliceShare.value,
    editedAtMs: madeAtMs,
    areas: shownAreas.value,
    brush: shownBrush.value,
  };
});

const NONE: ReadonlySet<number> = new Set();

const shapeOf = ({ isByHand, isLocked }: SupportPoint, isUnreached: boolean): ShownPoint["shape"] =>
  isUnreached ? "CROSS" : isLocked ? "SQUARE" : isByHand ? "RING" : "BALL";

/** What gestures in the view do. */
export const POINT_EVENTS: PointEvents = {
  place({ point, normal }) {
    if (supportTool.value === "ADD") addPoints([{ point: raised(point, -shownLiftMm.value), normal }]);
  },
  choose(keys, choice) {
    const { value: present } = selectedPoints;
    const chosen = new Set(keys);
    if (choice === "ADD") selectedPoints.value = new Set([...present, ...keys]);
    else if (choice === "REMOVE") selectedPoints.value = new Set([...present].filter((key) => !chosen.has(key)));
    else selectedPoints.value = chosen;
  },
  slide(key, { point, normal }, isLast) {
    const move = { kind: "move", key, position: raised(point, -shownLiftMm.value), normal } as const;
    if (isLast) edit(move);
    else editLive(move);
  },
  slideBack: () => editLive(undefined),
};
