import { toXyz } from "../action/surface-place.ts";
import { copyOffsets } from "../action/copy-places.ts";
import type { PageScene } from "../../ui/replies.ts";
import type { Corner, ModelDetails } from "../server/replies.ts";
import { post } from "../server/call.ts";
import type { ProgressContext } from "../server/operation.ts";
import { asOneStep, runChange } from "./scene-work.ts";
import { callEndpoint } from "./tasks.ts";

/** Where imported parts are, by their ids, as their files say. */
export type FilePlaces = ReadonlyMap<string, Corner>;

/** What was done with added parts. */
export interface Placing {
  readonly places: FilePlaces;
  /** Number of parts beside the build volume because nothing is free in it. */
  readonly besideCount: number;
}

/** Whether this browser keeps imported parts at the places that their files say. */
const KEEP_KEY = "printwright.keep-file-positions";
export const keepsFilePlaces = (): boolean => localStorage.getItem(KEEP_KEY) === "true";
export const rememberFilePlaces = (isKept: boolean): void => localStorage.setItem(KEEP_KEY, String(isKept));

const modelsOf = async (scene_id: string): Promise<readonly ModelDetails[]> =>
  (await post<{ models: readonly ModelDetails[] }>("/v1/scene/model/list/", { scene_id })).models;

/**
 * Gives parts that were added free places in the scene, without turning them. Undefined if they stay where they are, because one part is
 * alone in its scene. Part of the undo step that added them.
 */
export async function placeAdded(
  { id: sceneId, volume }: Pick<PageScene, "id" | "volume">,
  ids: readonly string[],
  context: ProgressContext,
): Promise<Placing | undefined> {
  const all = await modelsOf(sceneId);
  const added = new Set(ids);
  const placed = all.filter(({ id }) => added.has(id));
  const [first] = placed;
  if (!first || (all.length === 1 && first.in_bounds)) return undefined;
  const others = all.filter(({ id }) => !added.has(id));
  const places = new Map(placed.map(({ id, position }) => [id, position]));
  const besideCount =
    volume.family === "powder"
      ? await spread(sceneId, placed, others, volume.dimensions_mm)
      : await layOut(sceneId, ids, context);
  return { places, besideCount };
}

/** Lays parts out on the platform between the others; returns how many are beside it. */
async function layOut(scene_id: string, model_ids: readonly string[], context: ProgressContext): Promise<number> {
  const body = { scene_id, model_ids, lock_rotation: true, overflow: "BESIDE" };
  const path = "/v1/scene/model/auto-layout/";
  const { unplaced_model_ids } = await callEndpoint<{ unplaced_model_ids: readonly string[] }>(path, body, context);
  return unplaced_model_ids.length;
}

/** Moves parts to places in the chamber where no box is; returns how many stay where they are. */
async function spread(
  sceneId: string,
  placed: readonly ModelDetails[],
  others: readonly ModelDetails[],
  dimensionsMm: readonly [number, number, number],
): Promise<number> {
  const taken = others.map(({ bounding_box }) => bounding_box);
  let missing = 0;
  for (const { id, bounding_box: box } of placed) {
    const [offset] = copyOffsets([box], taken, dimensionsMm, 1);
    if (!offset) {
      missing++;
      taken.push(box);
      continue;
    }
    const by = toXyz(offset);
    taken.push({ min_corner: moved(box.min_corner, by), max_corner: moved(box.max_corner, by) });
    if (offset.every((mm) => mm === 0)) continue;
    await post("/v1/scene/model/translate/", { scene_id: sceneId, model_ids: [id], position: by, mode: "RELATIVE" });
  }
  return missing;
}

const moved = (a: Corner, b: Corner): Corner => ({ x: a.x + b.x, y: a.y + b.y, z: a.z + b.z });

/** Moves imported parts back to the places that their files say, and remembers this for later imports. */
export async function keepFilePlaces(scene_id: string, places: FilePlaces): Promise<void> {
  rememberFilePlaces(true);
  await runChange("Keep file positions", () =>
    asOneStep(scene_id, async () => {
      const present = new Set((await modelsOf(scene_id)).map(({ id }) => id));
      for (const [id, position] of places) {
        if (!present.has(id)) continue;
        await post("/v1/scene/model/translate/", { scene_id, model_ids: [id], position });
      }
    }),
  );
}
