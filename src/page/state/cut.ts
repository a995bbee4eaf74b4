import { computed, effect, signal, untracked } from "@preact/signals";
import { type Box, boxCentre, unionBoxes } from "../../geometry/box.ts";
import { type Vec3, distance, dot, times } from "../../geometry/vector.ts";
import { type ActionReply, createdModelIds } from "../action/reply-summary.ts";
import { toXyz } from "../action/surface-place.ts";
import type { PageOverlaps, PageScene } from "../../ui/replies.ts";
import { get, post } from "../server/call.ts";
import type { ProgressContext } from "../server/operation.ts";
import { product, translation } from "../view/instances.ts";
import { onPlane } from "../view/cut-plane.ts";
import type { CutEvents, CutPlane, ShownCut, ShownModel } from "../view/view.ts";
import { boxCorners } from "../view/orbit.ts";
import { openStep } from "./follow-address.ts";
import { openTile } from "./part-tile.ts";
import { applyTrial, dropTrial, trial, tryOut } from "./preview.ts";
import { placeAdded } from "./place-added.ts";
import { details, fetchedScene, scene, selectedIds, selection } from "./project.ts";
import { notifyDone } from "./run-action.ts";
import { shownModel } from "./shown-scene.ts";
import { selectCreated } from "./target-models.ts";
import { chooseTool, tool } from "./view-state.ts";

// The tool that cuts parts at a plane. The cut is tried out wherever the plane rests, and made by Enter or the button of its form.

const PATH = "/v1/scene/model/cut/";
/** Name of the tile whose form belongs to the tool. */
export const CUT_TILE = "Cut";

export interface CutSettings {
  readonly keep: "BOTH" | "ABOVE" | "BELOW";
  /** Whether there are keys, and who chooses their places. */
  readonly keys: "NONE" | "AUTO" | "PLACED";
  /** For keys at chosen places. */
  readonly kind: "PEG" | "DOWEL";
  readonly shape: "ROUND" | "SQUARE" | "HEXAGON";
  readonly sizeMm: number;
  readonly depthMm: number;
  /** Rotation about the normal of the plane. Automatic keys are round. */
  readonly turnDeg: number;
  /** Gap between a key and its hole on all sides, for all keys. */
  readonly playMm: number;
  /** Whether the parts are turned so that their cut faces face down. */
  readonly isLaidDown: boolean;
}

export const cutSettings = signal<CutSettings>({
  keep: "BOTH",
  keys: "AUTO",
  kind: "PEG",
  shape: "ROUND",
  sizeMm: 5,
  depthMm: 5,
  turnDeg: 0,
  playMm: 0.1,
  isLaidDown: false,
});
/** Places of keys, on the plane. */
export const cutKeys = signal<readonly Vec3[]>([]);
const chosenPlane = signal<CutPlane | undefined>(undefined);

/** The parts whose cut is being made: until it is, neither the selection nor all parts take their place. */
const cutNow = signal<readonly string[] | undefined>(undefined);

/** The parts to cut: the selected ones, or all. */
const cutIds = computed((): readonly string[] => {
  if (cutNow.value) return cutNow.value;
  return selectedIds.value.length > 0 ? selectedIds.value : (scene.value?.models ?? []).map(({ id }) => id);
});

/** Box of the parts to cut; undefined without parts. */
const cutBox = computed((): Box | undefined => {
  const boxes = cutIds.value.flatMap((id): Box[] => {
    const box = details.value.get(id)?.bounding_box;
    return box ? [{ min: cornerOf(box.min_corner), max: cornerOf(box.max_corner) }] : [];
  });
  return boxes.length === 0 ? undefined : boxes.reduce(unionBoxes);
});

const cornerOf = ({ x, y, z }: { readonly x: number; readonly y: number; readonly z: number }): Vec3 => [x, y, z];

/** The plane of the cut: through the middle of the parts, level, until it is moved. Undefined unless the tool is used on parts. */
export const cutPlane = computed((): CutPlane | undefined => {
  if (tool.value !== "cut" || !cutBox.value) return undefined;
  return chosenPlane.value ?? { normal: [0, 0, 1], atMm: boxCentre(cutBox.value)[2] };
});

/** Middle of the parts to cut. */
export const cutMiddle = computed((): Vec3 => (cutBox.value ? boxCentre(cutBox.value) : [0, 0, 0]));

/** Moves the plane. Keys that were placed move along with it. */
export function moveCut(plane: CutPlane): void {
  chosenPlane.value = plane;
  cutKeys.value = cutKeys.value.map((point) => onPlane(plane, point));
}

/** Where a box begins and ends along a direction, mm. */
function extentAlong(normal: Vec3, box: Box): { readonly fromMm: number; readonly toMm: number } {
  const along = boxCorners(box).map((corner) => dot(normal, corner));
  return { fromMm: Math.min(...along), toMm: Math.max(...along) };
}

/** How far the parts are shown apart, as a share of their size across the plane. */
const APART_SHARE = 0.3;

/** How far the upper part is shown from its place, so that the cut faces and the keys are seen, mm. */
const apartMm = computed((): number => {
  const { keep, isLaidDown } = cutSettings.value;
  if (keep !== "BOTH" || isLaidDown || !trial.value?.reply || !cutBox.value || !cutPlane.value) return 0;
  const { fromMm, toMm } = extentAlong(cutPlane.value.normal, cutBox.value);
  return APART_SHARE * (toMm - fromMm);
});

/** What the view shows of the cut. */
export const shownCut = computed((): ShownCut | undefined => {
  if (!cutPlane.value || !cutBox.value) return undefined;
  const { keys, shape, sizeMm, turnDeg } = cutSettings.value;
  const areKeysPlaced = keys === "PLACED";
  return {
    plane: cutPlane.value,
    modelIds: new Set(cutIds.value),
    box: cutBox.value,
    keys: areKeysPlaced ? cutKeys.value.map((point) => ({ point, shape, sizeMm, turnDeg })) : [],
    takesKeys: areKeysPlaced,
    apartMm: apartMm.value,
  };
});

export const CUT_EVENTS: CutEvents = {
  move: moveCut,
  key: toggleKey,
  apply: () => void applyCut(),
};

/** Adds a key, or removes the one at this place. */
function toggleKey(point: Vec3): void {
  const others = cutKeys.value.filter((one) => distance(one, point) > cutSettings.value.sizeMm / 2);
  cutKeys.value = others.length < cutKeys.value.length ? others : [...cutKeys.value, point];
}

/** The body of the request, without its scene. */
function cutBody(plane: CutPlane, settings: CutSettings): object {
  const { keep, keys, kind, shape, sizeMm, depthMm, turnDeg, playMm, isLaidDown } = settings;
  const placed = cutKeys.value.map((point) => ({
    position: toXyz(point),
    kind,
    shape,
    size_mm: sizeMm,
    depth_mm: depthMm,
    turn_deg: turnDeg,
  }));
  return {
    model_ids: cutIds.value,
    plane: { point: toXyz(times(plane.normal, plane.atMm)), normal: toXyz(plane.normal) },
    keep,
    keys: keys !== "PLACED" ? keys : placed.length === 0 ? "NONE" : placed,
    play_mm: playMm,
    place_on_cut: isLaidDown,
  };
}

interface CutReply extends ActionReply {
  readonly results: readonly {
    readonly source_model_id: string;
    readonly new_model_ids: readonly string[];
    readonly side: readonly ("ABOVE" | "BELOW")[];
    readonly dowel_model_ids: readonly string[];
  }[];
}

/** The parts in the colours of their sides, the upper ones apart. They are shown where they are cut: printers of resin move them to the platform. */
function arrangedParts(models: readonly ShownModel[], { results }: CutReply): readonly ShownModel[] {
  const { normal } = cutPlane.value ?? { normal: [0, 0, 1] as const };
  const sources = new Map((scene.value?.models ?? []).map((model) => [model.id, shownModel(model)]));
  const sideOf = new Map<
    string,
    { readonly source: ShownModel | undefined; readonly tint: "above" | "below" | "tried" }
  >();
  for (const { source_model_id, new_model_ids, side, dowel_model_ids } of results) {
    const source = sources.get(source_model_id);
    for (const [i, id] of new_model_ids.entries())
      sideOf.set(id, { source, tint: side[i] === "ABOVE" ? "above" : "below" });
    for (const id of dowel_model_ids) sideOf.set(id, { source, tint: "tried" });
  }
  return models.map((model) => {
    const { source, tint } = sideOf.get(model.id) ?? {};
    if (!tint || !source || cutSettings.value.isLaidDown) return tint ? { ...model, tint } : model;
    const byMm = { above: apartMm.value, tried: apartMm.value / 2, below: 0 }[tint];
    return { ...model, tint, matrix: product(translation(times(normal, byMm)), source.matrix) };
  });
}

/** Makes the cut that is tried out, and ends the tool. Pieces that would be in others get places of their own. */
export async function applyCut(): Promise<void> {
  const before = selection.value;
  const target = fetchedScene();
  const { isLaidDown } = cutSettings.value;
  cutNow.value = cutIds.value;
  try {
    const outcome = await applyTrial((answer, context) => placePieces(target, answer as CutReply, isLaidDown, context));
    if (!outcome) return;
    notifyDone("Cut", outcome);
    selectCreated(createdModelIds(outcome.result), before);
    chooseTool("select");
  } finally {
    cutNow.value = undefined;
  }
}

/**
 * Gives pieces of a cut free places. The lower one stays where the part was, unless it is turned. Printers of resin have all parts on the
 * platform, so that the upper piece and the dowels would be in the lower one; in a chamber they would print as one with it. A single
 * piece moves only if it is in another part: on the platform it may have come down onto one.
 */
async function placePieces(
  target: PageScene,
  { results }: CutReply,
  isLaidDown: boolean,
  context: ProgressContext,
): Promise<void> {
  const pieces = results.flatMap(({ source_model_id, new_model_ids, side, dowel_model_ids }) => {
    const ids = [...new_model_ids, ...dowel_model_ids];
    const isLocked = target.models.find(({ id }) => id === source_model_id)?.lock === "FULLY_LOCKED";
    return ids.map((id, i) => ({
      id,
      isLocked,
      isSingle: ids.length === 1,
      staysThere: side[i] === "BELOW" && !isLaidDown,
    }));
  });
  const inOthers = pieces.some(({ isSingle }) => isSingle) ? await overlappingIn(target.id) : new Set();
  const moved = pieces.filter(({ id, isSingle, staysThere }) => (isSingle ? inOthers.has(id) : !staysThere));
  // An arrangement leaves locked parts where they are. What was locked is the part that is cut.
  const locked = moved.filter(({ isLocked }) => isLocked).map(({ id }) => id);
  if (locked.length > 0)
    await post("/v1/scene/model/update/", { scene_id: target.id, model_ids: locked, lock: "FREE" });
  const ids = moved.map(({ id }) => id);
  if (ids.length > 0) await placeAdded(target, ids, context);
}

/** Ids of the models of a scene that overlap others. */
async function overlappingIn(sceneId: string): Promise<ReadonlySet<string>> {
  const { overlaps } = await get<PageOverlaps>(`/ui/scene/${sceneId}/overlaps/`);
  return new Set(overlaps.flatMap(({ model_ids }) => model_ids));
}

/** Opens and closes the form with the tool. */
effect(() => {
  const isUsed = tool.value === "cut";
  untracked(() => {
    if (isUsed) [openStep.value, openTile.value] = ["parts", CUT_TILE];
    else if (openTile.value === CUT_TILE) openTile.value = undefined;
    [chosenPlane.value, cutKeys.value] = [undefined, []];
  });
});

/** A plane that crosses none of the parts that are selected now was meant for others. */
effect(() => {
  void cutIds.value;
  untracked(() => {
    if (!chosenPlane.value || !cutBox.value) return;
    const { fromMm, toMm } = extentAlong(chosenPlane.value.normal, cutBox.value);
    const { atMm } = chosenPlane.value;
    if (atMm < fromMm || atMm > toMm) [chosenPlane.value, cutKeys.value] = [undefined, []];
  });
});

let isTried = false;
/** Tries the cut out wherever the plane rests. */
effect(() => {
  const plane = cutPlane.value;
  const wanted = plane && cutBody(plane, cutSettings.value);
  const scene_id = scene.value?.id;
  untracked(() => {
    if (wanted && scene_id !== undefined)
      tryOut<CutReply>({
        title: "Cut",
        path: PATH,
        body: async () => ({ scene_id, ...wanted }),
        arrange: arrangedParts,
      });
    else if (isTried) dropTrial();
    isTried = wanted !== undefined;
  });
});
