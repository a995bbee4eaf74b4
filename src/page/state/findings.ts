import { computed, signal } from "@preact/signals";
import type { Finding } from "../action/findings.ts";
import type { Marker } from "../view/view.ts";
import { scene } from "./project.ts";

/** What the checks found last, each check by its path, and the state of the scene that it looked at. */
export interface CheckResult {
  readonly path: string;
  readonly title: string;
  readonly sceneId: string;
  readonly version: number;
  readonly findings: readonly Finding[];
}

const results = signal<readonly CheckResult[]>([]);

/** The results for the scene that is shown. */
export const checkResults = computed(() => results.value.filter(({ sceneId }) => sceneId === scene.value?.id));

export const isOutdated = ({ version }: CheckResult): boolean => version !== scene.value?.version;

/** Keeps a result in place of the earlier one of the same check. */
export function keepResult(result: CheckResult): void {
  const others = results.value.filter(({ path, sceneId }) => path !== result.path || sceneId !== result.sceneId);
  results.value = [...others, result];
}

export function clearResults(): void {
  results.value = [];
}

/** The places of a finding, or one of them, that are looked at. */
export const chosenPlaces = signal<readonly Marker[]>([]);

/** Places that checks found in the present state of the scene: those of another one would be beside what was found. */
export const findingMarkers = computed((): readonly Marker[] =>
  checkResults.value
    .filter((result) => !isOutdated(result))
    .flatMap(({ findings }) => findings.flatMap(({ places }) => places))
    .map((place) => (chosenPlaces.value.includes(place) ? { ...place, isChosen: true } : place)),
);
