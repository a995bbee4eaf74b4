import { computed, effect, signal } from "@preact/signals";
import type { PageOverlaps } from "../../ui/replies.ts";
import { getSlowly } from "../server/call.ts";
import type { Marker } from "../view/view.ts";
import { scene } from "./project.ts";
import { isFailure } from "./tasks.ts";

/** The last answer, and its scene. It stays until that of the next state, so that hatching does not flicker. */
const last = signal<(PageOverlaps & { readonly sceneId: string }) | undefined>(undefined);

/** Pairs of parts of the shown scene that overlap. */
export const overlaps = computed(() => (last.value?.sceneId === scene.value?.id ? (last.value?.overlaps ?? []) : []));

/** Ids of the parts of the shown scene that overlap another one. */
export const overlappingIds = computed((): readonly string[] => [
  ...new Set(overlaps.value.flatMap(({ model_ids }) => model_ids)),
]);

/** Radius of a mark at an overlap, mm. */
const MARK_MM = 2;

/** Marks where parts overlap; none while the scene is newer than the answer, since the parts may have moved. */
export const overlapMarkers = computed((): readonly Marker[] =>
  last.value?.version !== scene.value?.version
    ? []
    : overlaps.value.map(({ point }) => ({ point, radiusMm: MARK_MM, severity: "error", label: "Overlap" })),
);

let running = new AbortController();

/** Looks for overlaps after each change of the shown scene. */
export function watchOverlaps(): void {
  effect(() => {
    const shown = scene.value;
    if (!shown || (shown.id === last.peek()?.sceneId && shown.version === last.peek()?.version)) return;
    running.abort();
    running = new AbortController();
    void look(shown.id, running.signal);
  });
}

async function look(sceneId: string, signal: AbortSignal): Promise<void> {
  try {
    const found = await getSlowly<PageOverlaps>(`/ui/scene/${sceneId}/overlaps/`, signal);
    if (!signal.aborted) last.value = { ...found, sceneId };
  } catch (thrown) {
    // The next change looks again, and the checks before a print tell of overlaps as well.
    if (!signal.aborted && !isFailure(thrown)) throw thrown;
  }
}
