import { computed, signal } from "@preact/signals";
import type { Finding } from "../action/findings.ts";
import type { Marker } from "../view/view.ts";
import { scene } from "./project.ts";

/** Last result of a check, identified by its path, and the version of the scene that it examined. */
export interface CheckResult {
  readonly path: string;
  readonly title: string;
  readonly sceneId: string;
  readonly version: number;
  readonly findings: readonly Finding[];
}

const results = signal<readonly CheckResult[]>([]);

/** Results for the shown scene. */
export const checkResults = computed(() => results.value.filter(({ sceneId }) => sceneId === scene.value?.id));

export const isOutdated = ({ version }: CheckResult): boolean => version !== scene.value?.version;

/** Keeps a result, and drops the earlier result of the same check. */
export function keepResult(result: CheckResult): void {
  const others = results.value.filter(({ path, sceneId }) => path !== result.path || sceneId !== result.sceneId);
  results.value = [...others, result];
}

/** Places that the user has chosen to see: all places of a finding, or one of them. */
export const chosenPlaces = signal<readonly Marker[]>([]);

/** Places of all findings for the present state of the scene. Places of earlier states may be wrong and are left out. */
export const findingMarkers = computed((): readonly Marker[] =>
  checkResults.value
    .filter((result) => !isOutdated(result))
    .flatMap(({ findings }) => findings.flatMap(({ places }) => places))
    .map((place) => (chosenPlaces.value.includes(place) ? { ...place, isChosen: true } : place)),
);
