import { computed, signal } from "@preact/signals";
import type { PagePlaces } from "../../ui/replies.ts";
import { ACTIONS } from "../action/actions.ts";
import { placesRequest, withPlaces } from "../action/findings.ts";
import type { ShownFinding } from "../action/shown-findings.ts";
import { runOperation } from "../server/operation.ts";
import type { Marker } from "../view/view.ts";
import { fetchedScene, scene, selection } from "./project.ts";
import { isFailure } from "./tasks.ts";

/** The finding that a person looks at, and its places in one version of its scene. */
interface ChosenFinding {
  readonly id: string;
  readonly sceneId: string;
  readonly version: number;
  /** The largest first. */
  readonly places: readonly Marker[];
  /** Index of the place that is looked at; undefined: all. */
  readonly at: number | undefined;
}

const last = signal<ChosenFinding | undefined>(undefined);

export const chosenFinding = computed(() => (last.value?.sceneId === scene.value?.id ? last.value : undefined));

/** Numbered markers at the places of the chosen finding; none after a change of the scene, since they may have moved. */
export const chosenMarkers = computed((): readonly Marker[] => {
  const chosen = chosenFinding.value;
  if (!chosen || chosen.version !== scene.value?.version) return [];
  const { places, at } = chosen;
  return places.map((place, i) =>
    i === at
      ? { ...place, label: `${i + 1} of ${places.length} · ${place.label}`, isChosen: true }
      : { ...place, label: String(i + 1) },
  );
});

/** The checks of single kinds, which know the places of their findings. */
const PATHS: Readonly<Record<string, string>> = {
  IN_BOUNDS: "/v1/scene/model/validate/in-bounds/",
  INTERFERENCES: "/v1/scene/model/validate/interferences/",
  MANIFOLDNESS: "/v1/scene/model/validate/manifoldness/",
  CUPS: "/v1/scene/model/validate/cups/",
  MINIMA: "/v1/scene/model/validate/minima/",
  SUPPORTEDNESS: "/v1/scene/model/validate/supportedness/",
};

/** Radius of a mark at a point, mm. */
const POINT_MM = 2;

/** Selects the parts of a finding, and returns its places, when they are known. */
export async function chooseFinding(finding: ShownFinding): Promise<readonly Marker[]> {
  const { id: sceneId, version, models } = fetchedScene();
  const present = new Set(models.map(({ id }) => id));
  const ids = finding.model_ids.filter((id) => present.has(id));
  selection.value = { ids, anchor: ids[0] };
  const choice = { id: finding.id, sceneId, version, at: undefined };
  const severity = finding.severity === "ERROR" ? "error" : "warning";
  const points = finding.points.map((point): Marker => ({ point, radiusMm: POINT_MM, severity, label: "Overlap" }));
  last.value = { ...choice, places: points };
  if (points.length > 0 || finding.is_old) return points;
  const places = await placesOf(finding, ids, sceneId, version);
  // A person may have chosen another finding meanwhile.
  if (last.value.id === finding.id && places.length > 0) last.value = { ...choice, places };
  return last.value.id === finding.id ? places : [];
}

async function placesOf(
  { kind, text, severity }: ShownFinding,
  ids: readonly string[],
  sceneId: string,
  version: number,
): Promise<readonly Marker[]> {
  const action = ACTIONS.find(({ path }) => path === PATHS[kind]);
  if (!action?.check || ids.length === 0) return [];
  const groups = kind === "INTERFERENCES" ? [ids.slice(0, 2)] : ids.map((id) => [id]);
  const found = groups.map((modelIds) => ({
    severity: severity === "ERROR" ? ("error" as const) : ("warning" as const),
    text,
    modelIds,
    places: [],
  }));
  const request = placesRequest(action.path, action.check, { scene_id: sceneId }, found);
  if (!request) return [];
  try {
    const context = { signal: new AbortController().signal, progress: () => {} };
    const reply = await runOperation<PagePlaces>("/ui/places/", request, context);
    if (reply.version !== version) return [];
    return withPlaces(action.check, found, reply.places).flatMap(({ places }) => places);
  } catch (thrown) {
    // The parts are selected all the same.
    if (isFailure(thrown)) return [];
    throw thrown;
  }
}

/** Looks at the next or previous place of the chosen finding, and returns it. */
export function stepPlace(by: 1 | -1): Marker | undefined {
  const chosen = chosenFinding.value;
  if (!chosen || chosen.places.length === 0) return undefined;
  const { places } = chosen;
  const from = chosen.at ?? (by > 0 ? -1 : 0);
  const at = (from + by + places.length) % places.length;
  last.value = { ...chosen, at };
  return places[at];
}
