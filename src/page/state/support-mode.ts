import { batch, computed, signal } from "@preact/signals";
import type { Vec3 } from "../../geometry/vector.ts";
import type { PageModel } from "../../ui/replies.ts";
import {
  type EditStack,
  NO_EDITS,
  SIZE_CLASSES,
  type SizeClass,
  type SupportDraft,
  type SupportEdit,
  type SupportPoint,
  classSizeMm,
  draftAfter,
  freshKey,
  redoneOnce,
  undoneOnce,
  withEdit,
} from "../action/support-edits.ts";
import { counted } from "../../core/quantities.ts";
import { type PresentSupports, readSupports } from "./read-supports.ts";
import { openStep } from "./follow-address.ts";
import { notify } from "./notices.ts";
import { sliceShare } from "./support-slice.ts";
import { family, scene, selectedIds, selection } from "./project.ts";
import { notifyFailure } from "./tasks.ts";
import { forgetEdits, keptEdits } from "./kept-edits.ts";

// The edit of the support points and areas of one part. Nothing is changed on the server before the edits are applied.

/** What a click or a drag on the part does: adds points, chooses some, or marks areas where supports are never or always. */
export type SupportTool = "ADD" | "SELECT" | "NEVER" | "ALWAYS";

export interface SupportMode extends PresentSupports {
  /** The copies of a fold that get the same edits, this part first. */
  readonly copyIds: readonly string[];
}

export const supportMode = signal<SupportMode | undefined>(undefined);
export const supportTool = signal<SupportTool>("ADD");
export type SupportTab = "POINTS" | "PROTECT" | "ALWAYS" | "AUTOMATIC";
/** What the panel shows. */
export const supportTab = signal<SupportTab>("POINTS");
export const editStack = signal<EditStack>(NO_EDITS);
/** An edit that follows the pointer, before it is complete. */
export const liveEdit = signal<SupportEdit | undefined>(undefined);
export const selectedPoints = signal<ReadonlySet<number>>(new Set());
export const areSupportsHidden = signal(false);
/** Whether a request that changes these supports runs. */
export const isChangingSupports = signal(false);
/** Whether the person is asked if many edits are to be dropped. */
export const isDiscardAsked = signal(false);
/** When the last edit was made, ms of `performance.now`. */
export const editedAtMs = signal(0);

/** The typed or chosen diameter of new points, mm; undefined: the usual one. */
const chosenMm = signal<number | undefined>(undefined);
export const newSizeMm = computed(() => chosenMm.value ?? supportMode.value?.usualMm ?? 0.5);

/** The points and areas as the edits make them. */
export const supportDraft = computed((): SupportDraft | undefined => {
  const { value: mode } = supportMode;
  const { value: live } = liveEdit;
  return mode && draftAfter(mode.base, live ? [...editStack.value.done, live] : editStack.value.done);
});

const TOOL_OF_TAB = { POINTS: "ADD", PROTECT: "NEVER", ALWAYS: "ALWAYS", AUTOMATIC: "SELECT" } as const;
const TAB_OF_TOOL = { ADD: "POINTS", SELECT: "POINTS", NEVER: "PROTECT", ALWAYS: "ALWAYS" } as const;

export function chooseTab(tab: SupportTab): void {
  [supportTab.value, supportTool.value] = [tab, TOOL_OF_TAB[tab]];
}

export function chooseTool(tool: SupportTool): void {
  [supportTab.value, supportTool.value] = [TAB_OF_TOOL[tool], tool];
}

/** Makes an edit. */
export function edit(one: SupportEdit): void {
  batch(() => {
    liveEdit.value = undefined;
    editStack.value = withEdit(editStack.value, one);
    editedAtMs.value = performance.now();
  });
}

/** Shows an edit that follows the pointer; undefined takes it back. */
export function editLive(one: SupportEdit | undefined): void {
  batch(() => {
    liveEdit.value = one;
    editedAtMs.value = performance.now();
  });
}

/** Adds points of the chosen size at places of the part. */
export function addPoints(places: readonly { readonly point: Vec3; readonly normal: Vec3 }[]): void {
  const first = freshKey(editStack.value);
  const points = places.map(({ point, normal }, i): SupportPoint => {
    const own = { key: first - i, position: point, normal, sizeMm: newSizeMm.value };
    return { ...own, cause: "MANUAL", isByHand: true, isLocked: false, isResting: false };
  });
  if (points.length > 0) edit({ kind: "add", points });
}

/** Gives the selected points, or else new ones, this diameter. */
export function setSize(sizeMm: number): void {
  const keys = [...selectedPoints.value];
  if (keys.length > 0) edit({ kind: "size", keys, sizeMm });
  else chosenMm.value = sizeMm;
}

export const setSizeClass = (one: SizeClass): void => setSize(classSizeMm(one, supportMode.value?.usualMm ?? 0.5));

export function deletePoints(): void {
  const keys = [...selectedPoints.value];
  if (keys.length > 0) edit({ kind: "delete", keys });
  selectedPoints.value = new Set();
}

export const selectAllPoints = (): void => {
  selectedPoints.value = new Set(supportDraft.value?.points.map(({ key }) => key));
};

/** Selects the next or last point, and returns it. */
export function selectNext(by: 1 | -1): SupportPoint | undefined {
  const points = supportDraft.value?.points ?? [];
  const chosen = points.findIndex(({ key }) => selectedPoints.value.has(key));
  const from = chosen < 0 && by < 0 ? 0 : chosen;
  const next = points.at((from + by) % Math.max(1, points.length));
  if (next) selectedPoints.value = new Set([next.key]);
  return next;
}

export const undoEdit = (): void => step(undoneOnce);
export const redoEdit = (): void => step(redoneOnce);

function step(by: (stack: EditStack) => EditStack): void {
  batch(() => {
    editStack.value = by(editStack.value);
    editedAtMs.value = performance.now();
    const present = new Set(supportDraft.value?.points.map(({ key }) => key));
    selectedPoints.value = new Set([...selectedPoints.value].filter((key) => present.has(key)));
  });
}

/** The part whose supports “Edit points” edits, and its copies if a fold of them is selected; undefined if the selection does not say which one. */
export const editablePart = computed((): readonly PageModel[] => {
  const models = (scene.value?.models ?? []).filter(({ kind }) => kind === "part");
  if (family.value !== "resin") return [];
  const selected = new Set(selectedIds.value);
  const chosen = selected.size === 0 && models.length === 1 ? models : models.filter(({ id }) => selected.has(id));
  const [first] = chosen;
  return first && chosen.every((model) => isCopy(model, first)) ? chosen : [];
});

/** Whether parts have the same shape, orientation and supports. */
const isCopy = (one: PageModel, other: PageModel): boolean =>
  one.mesh === other.mesh &&
  one.supports?.mesh === other.supports?.mesh &&
  isMovedOnly(one, other) &&
  one.support_plan?.points === other.support_plan?.points;

export const isMovedOnly = ({ matrix: a }: PageModel, { matrix: b }: PageModel): boolean =>
  [0, 1, 2, 4, 5, 6, 8, 9, 10].every((i) => Math.abs((a[i] ?? 0) - (b[i] ?? 0)) < 1e-6);

export const shiftBetween = ({ matrix: from }: PageModel, { matrix: to }: PageModel): Vec3 => [
  to[12] - from[12],
  to[13] - from[13],
  to[14] - from[14],
];

/** Begins to edit the supports of a part, or of equal copies. Edits of the same state that were not applied come back. */
export async function editSupports(parts: readonly PageModel[]): Promise<void> {
  const [part] = parts;
  const sceneId = scene.value?.id;
  if (!part || sceneId === undefined) return;
  try {
    const state = await readSupports(sceneId, part);
    if (scene.value?.id !== sceneId) return;
    const kept = keptEdits(state);
    const lost = kept ? undefined : keptEdits({ sceneId, modelId: part.id });
    if (lost) {
      const edits = counted(lost.stack.done.length, "edit");
      notify({ severity: "info", text: `“${part.name}” has other supports now: ${edits} of before are dropped.` });
    }
    batch(() => {
      liveEdit.value = undefined;
      selectedPoints.value = new Set();
      chosenMm.value = undefined;
      areSupportsHidden.value = false;
      sliceShare.value = 0;
      chooseTab("POINTS");
      editStack.value = kept?.stack ?? NO_EDITS;
      editedAtMs.value = performance.now();
      supportMode.value = { ...state, copyIds: kept?.copyIds ?? parts.map(({ id }) => id) };
      selection.value = { ids: parts.map(({ id }) => id), anchor: part.id };
      openStep.value = "support";
    });
  } catch (thrown) {
    notifyFailure("Edit points", thrown, sceneId);
  }
}

export function editSelectedSupports(): void {
  if (supportMode.value || family.value !== "resin") return;
  if (editablePart.value.length > 0) void editSupports(editablePart.value);
  else notify({ severity: "info", text: "Select one part, or equal copies, to edit support points." });
}

/** Ends the mode. The edits are dropped. */
export function leaveSupportMode(): void {
  forgetEdits();
  closeSupportMode();
}

export function closeSupportMode(): void {
  batch(() => {
    supportMode.value = undefined;
    liveEdit.value = undefined;
    editStack.value = NO_EDITS;
    selectedPoints.value = new Set();
    isDiscardAsked.value = false;
  });
}

/** More edits than these are not dropped without a question. */
const MOST_UNASKED = 10;

export function discardEdits(): void {
  if (editStack.value.done.length > MOST_UNASKED && !isDiscardAsked.value) isDiscardAsked.value = true;
  else leaveSupportMode();
}

/** The class of a diameter, if it is exactly that. */
export const classOfSize = (sizeMm: number, usualMm: number): SizeClass | undefined =>
  (Object.keys(SIZE_CLASSES) as SizeClass[]).find((one) => classSizeMm(one, usualMm) === sizeMm);
