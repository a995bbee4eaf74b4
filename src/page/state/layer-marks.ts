import { computed, effect, signal } from "@preact/signals";
import type { PageLayerMark, PageLayerMarks } from "../../ui/replies.ts";
import { get } from "../server/call.ts";
import { isLayerMode, layerIndex, sceneLayers, showLayer } from "./layers.ts";

/** The marks of one state of a scene. */
const known = signal<{
  readonly sceneId: string;
  readonly version: number;
  readonly marks: readonly PageLayerMark[];
}>();

/** Marks of the shown layers, from the platform upwards; undefined until they are known. */
export const layerMarks = computed(() => {
  const shown = sceneLayers.value;
  const found = known.value;
  return shown && found?.sceneId === shown.sceneId && found.version === shown.version ? found.marks : undefined;
});

/** The marks of the shown layer. */
export const marksHere = computed(() => layerMarks.value?.filter(({ layer }) => layer === layerIndex.value) ?? []);

/** Searches for marks once the layers are shown: the checks that find them take seconds for large parts. */
effect(() => {
  const shown = sceneLayers.value;
  if (!isLayerMode.value || !shown || shown.count === 0) return;
  const { sceneId } = shown;
  const before = known.peek();
  if (before?.sceneId === sceneId && before.version === shown.version) return;
  // A failure leaves the slider without marks: the checks say why.
  get<PageLayerMarks>(`/ui/scene/${sceneId}/layer-marks/`).then(
    ({ version, marks }) => (known.value = { sceneId, version, marks }),
    () => {},
  );
});

/** The layers with a mark of a kind, each once. */
const layersWith = (kind: PageLayerMark["kind"]): number[] => [
  ...new Set(layerMarks.value?.flatMap((mark) => (mark.kind === kind ? mark.layer : [])) ?? []),
];

/** The next layer with such a mark above the shown one (`step` 1), or below (−1); undefined if there is none. */
export function nextMarkedLayer(kind: PageLayerMark["kind"], step: 1 | -1): number | undefined {
  const layers = layersWith(kind);
  const here = layerIndex.value;
  return step === 1 ? layers.find((layer) => layer > here) : layers.findLast((layer) => layer < here);
}

export function showMarkedLayer(kind: PageLayerMark["kind"], step: 1 | -1): void {
  const layer = nextMarkedLayer(kind, step);
  if (layer !== undefined) showLayer(layer);
}
