import { counted } from "../../core/quantities.ts";
import { type SupportDraft, changeOnWire } from "../action/support-edits.ts";
import type { PagePlaces } from "../../ui/replies.ts";
import { ServerError } from "../server/call.ts";
import { type ProgressContext, runOperation } from "../server/operation.ts";
import { undoOrRedo } from "./edit.ts";
import { readAgain } from "./follow-support-mode.ts";
import { notify } from "./notices.ts";
import { scene } from "./project.ts";
import { asOneStep, runChange, runReading } from "./scene-work.ts";
import { supportStruts } from "./support-draft.ts";
import {
  type SupportMode,
  addPoints,
  editStack,
  isChangingSupports,
  leaveSupportMode,
  shiftBetween,
  supportDraft,
  supportMode,
} from "./support-mode.ts";
import { callEndpoint } from "./tasks.ts";

// Requests that change the supports whose points are edited. Each is one undo step.

interface SetReply {
  readonly point_count: number;
  readonly unreached_indices: readonly number[];
  readonly dropped: readonly { readonly reason: string }[];
  readonly warnings: readonly string[];
}

/** Builds the supports of the edited points, and ends the mode. */
export async function applyEdits(): Promise<void> {
  const mode = supportMode.value;
  const draft = supportDraft.value;
  const { done } = editStack.value;
  if (!mode || !draft || isChangingSupports.value) return;
  if (done.length === 0) return leaveSupportMode();
  const outcome = await whileChanging(() =>
    runChange("Apply", (context) =>
      sendTo(mode, draft, context).catch((thrown) => {
        if (thrown instanceof ServerError && thrown.code === "STALE_STATE") return "STALE" as const;
        throw thrown;
      }),
    ),
  );
  if (!outcome || supportMode.value?.modelId !== mode.modelId) return;
  if (outcome.result === "STALE") {
    await readAgain("KEEP");
    const { name } = mode.part;
    const edits = counted(editStack.value.done.length, "edit");
    const text = `The supports of “${name}” were changed elsewhere meanwhile. Your ${edits} now stand on the present points: look at them, and apply again.`;
    return notify({ severity: "warning", text });
  }
  leaveSupportMode();
  notifyApplied(mode, outcome.result);
}

async function whileChanging<Result>(work: () => Promise<Result>): Promise<Result> {
  isChangingSupports.value = true;
  try {
    return await work();
  } finally {
    isChangingSupports.value = false;
  }
}

/** Sends the edits to the part and its copies. */
async function sendTo(mode: SupportMode, draft: SupportDraft, context: ProgressContext): Promise<SetReply> {
  const { sceneId, copyIds, base, hash, part } = mode;
  const send = async (id: string): Promise<SetReply> => {
    const copy = scene.value?.models.find((model) => model.id === id) ?? part;
    const change = changeOnWire(base, draft, shiftBetween(part, copy));
    const body = { scene_id: sceneId, model_id: id, based_on: hash, ...change };
    return callEndpoint<SetReply>("/v1/scene/model/supports/set/", body, context);
  };
  const [first, ...others] = copyIds;
  if (first === undefined || others.length === 0) return send(mode.modelId);
  return asOneStep(sceneId, async () => {
    const reply = await send(first);
    for (const id of others) await send(id);
    return reply;
  });
}

function notifyApplied({ part, copyIds }: SupportMode, reply: SetReply): void {
  const { point_count, unreached_indices, dropped, warnings } = reply;
  const what = copyIds.length > 1 ? `${copyIds.length} copies of “${part.name}”` : `“${part.name}”`;
  const details = [
    ...(unreached_indices.length > 0 ? [`No support reaches ${counted(unreached_indices.length, "point")}.`] : []),
    ...[...Map.groupBy(dropped, ({ reason }) => reason)].map(
      ([reason, points]) => `${counted(points.length, "point")} left out: ${reason}.`,
    ),
    ...warnings,
  ];
  const severity = details.length > 0 ? "warning" : "success";
  notify({ severity, text: `${what}: ${counted(point_count, "point")} applied.`, details });
}

/** Chooses the automatic points anew, with the edits applied before. Points by hand, locked ones and areas stay. */
export async function chooseAutomaticPoints(): Promise<void> {
  const mode = supportMode.value;
  const draft = supportDraft.value;
  if (!mode || !draft || isChangingSupports.value) return;
  const { sceneId, copyIds } = mode;
  const isEdited = editStack.value.done.length > 0;
  const outcome = await whileChanging(async () => {
    const made = await runChange("Automatic points", (context) =>
      asOneStep(sceneId, async () => {
        if (isEdited) await sendTo(mode, draft, context);
        const body = { scene_id: sceneId, model_ids: copyIds };
        return callEndpoint<{ warnings: readonly string[] }>("/v1/scene/model/auto-support/", body, context);
      }),
    );
    if (made) await readAgain("DROP");
    return made;
  });
  const warnings = outcome?.result.warnings ?? [];
  if (warnings.length > 0) notify({ severity: "warning", text: "Automatic points: look at these.", details: warnings });
}

/** Removes the supports and all points, those of edits as well. The part comes down to the platform. */
export async function removeAllSupports(): Promise<void> {
  const mode = supportMode.value;
  if (!mode || isChangingSupports.value) return;
  const { sceneId, copyIds, part } = mode;
  const removed = await whileChanging(async () => {
    const outcome = await runChange("Remove all supports", (context) =>
      callEndpoint(
        "/v1/scene/model/supports/delete/",
        { scene_id: sceneId, model_ids: copyIds, keep_plan: false },
        context,
      ),
    );
    if (outcome) await readAgain("DROP");
    return outcome;
  });
  if (!removed) return;
  const actions = [{ label: "Undo", run: () => void undoOrRedo("undo") }];
  notify({ severity: "success", text: `The supports of “${part.name}” are removed.`, actions });
}

/** A point this near to a low place holds it, mm. */
const HELD_MM = 0.5;

/** Adds points at the low places of the part that nothing holds. The points that there are stay. */
export async function holdIslands(): Promise<void> {
  const mode = supportMode.value;
  if (!mode) return;
  const loose = await looseIslands(mode, "Hold islands");
  if (!loose) return;
  addPoints(loose.map(({ point }) => ({ point, normal: [0, 0, -1] })));
  const text =
    loose.length === 0 ? "All islands are held." : `${counted(loose.length, "point")} added, one on each island.`;
  notify({ severity: "success", text });
}

/** The low places of the part that no point of the draft holds, the lowest first; undefined if they are not known. */
export async function looseIslands(
  { sceneId, modelId }: SupportMode,
  label: string,
): Promise<PagePlaces["places"] | undefined> {
  const outcome = await runReading(label, (context) => placesOfMinima(sceneId, modelId, context));
  if (!outcome || supportMode.value?.modelId !== modelId) return undefined;
  const present = supportDraft.value?.points ?? [];
  return outcome.result.places
    .filter(({ point: [x, y, z] }) =>
      present.every(({ position: [u, v, w] }) => Math.hypot(x - u, y - v, z - w) > HELD_MM),
    )
    .toSorted((a, b) => a.point[2] - b.point[2]);
}

const placesOfMinima = (scene_id: string, modelId: string, context: ProgressContext): Promise<PagePlaces> =>
  runOperation<PagePlaces>(
    "/ui/places/",
    { check: "/v1/scene/model/validate/minima/", scene_id, request: { scene_id }, found: [[modelId]] },
    context,
  );

/** How the weakest pillar bears its load; undefined if no draft says so. */
export function pillarStrength(): { readonly text: string; readonly isWeak: boolean } | undefined {
  const ratio = supportStruts.value?.loadRatioMin;
  if (ratio === undefined || ratio === null) return undefined;
  return { text: `holds ${ratio.toFixed(1)} × its load`, isWeak: ratio < LEAST_RATIO };
}

/** Supports are made for twice their load; less than that by more than rounding is weak. */
const LEAST_RATIO = 1.95;
