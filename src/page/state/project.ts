import { must } from "../../core/must.ts";
import type { Box } from "../../geometry/box.ts";
import { batch, computed, signal } from "@preact/signals";
import type { PageChange, PageKeeping, PageScene, PageSceneSummary, PageState } from "../../ui/replies.ts";
import type { PageStep, PageSteps, PageWork } from "../../ui/work-replies.ts";
import { get, isServerGone, post } from "../server/call.ts";
import type { Metadata, ModelDetails } from "../server/replies.ts";
import { runningWork } from "./running-work.ts";
import { NO_SELECTION, type Selection, withoutGone } from "./selection.ts";

// The page's copy of the server's project. Only this file fetches it: at the start, and after each change event of the server.

/** Bounding box of a part with its supports, mm. */
export const boxOf = ({ bounding_box: { min_corner: a, max_corner: b } }: ModelDetails): Box => ({
  min: [a.x, a.y, a.z],
  max: [b.x, b.y, b.z],
});

/** Whether the server answers: unknown yet, yes, or no longer. */
export const connection = signal<"connecting" | "live" | "gone">("connecting");
export const pageState = signal<PageState | undefined>(undefined);
/** What the server keeps in its state folder, by its last event. */
export const keeping = signal<PageKeeping | undefined>(undefined);
/** The shown scene, as it is drawn. */
export const scene = signal<PageScene | undefined>(undefined);
/** States of the steps of the shown scene; they also change without the scene, when requests begin and end. */
export const steps = signal<readonly PageStep[]>([]);
/** Whether a preparation of the shown scene runs, at whose end some steps get other states. */
export const isPreparing = computed(() => steps.value.some(({ state }) => state === "WAITING"));
/** The shown scene; for work that starts only after the first fetch. */
export const fetchedScene = (): PageScene => must(scene.value, "The shown scene");
/** Models of the shown scene as `/v1/` describes them, by id. */
export const details = signal<ReadonlyMap<string, ModelDetails>>(new Map());
export const selection = signal<Selection>(NO_SELECTION);

const sceneId = signal<string | undefined>(undefined);
/** Whether another scene is to be shown, and not fetched yet. */
export const isSwitching = computed(() => sceneId.value !== scene.value?.id);
/** Last metadata, and the state of the scene to which they belong; `reply` is undefined if the request failed. */
const measured = signal<(Pick<PageScene, "id" | "version"> & { readonly reply: Metadata | undefined }) | undefined>(
  undefined,
);
/** Whether volumes and print time of the shown state are not known yet. */
export const isMeasuring = computed(
  () => measured.value?.id !== scene.value?.id || measured.value?.version !== scene.value?.version,
);
/** Volumes and print time of the shown state. They are known some time after a change. */
export const metadata = computed(() => (isMeasuring.value ? undefined : measured.value?.reply));

/** The shown scene in the list of scenes. */
export const summary = computed<PageSceneSummary | undefined>(() =>
  pageState.value?.scenes.find(({ id }) => id === scene.value?.id),
);
/** Known version of any scene, shown or not; 0 if it was deleted. */
export const knownVersionOf = (sceneId: string): number =>
  pageState.value?.scenes.find(({ id }) => id === sceneId)?.version ?? 0;
export const family = computed(() => scene.value?.volume.family ?? "resin");
export const selectedIds = computed(() => selection.value.ids);

/** Shows another scene, with these models selected. */
export function showScene(id: string, selected: readonly string[] = []): void {
  batch(() => {
    sceneId.value = id;
    selection.value = selected.length === 0 ? NO_SELECTION : { ids: selected, anchor: selected[0] };
  });
  void refresh();
}

/** Volumes are requested when the scene has not changed for this time. */
const METADATA_WAIT_MS = 350;
/** Interval of attempts to reconnect to a server that does not answer. */
const RETRY_MS = 1500;

let running: Promise<void> | undefined;
let isStale = false;

/** Fetches what has changed. Calls during a fetch lead to one more fetch; the promise resolves after the last one. */
export function refresh(): Promise<void> {
  isStale = true;
  running ??= refreshRounds().finally(() => (running = undefined));
  return running;
}

async function refreshRounds(): Promise<void> {
  while (isStale) {
    isStale = false;
    try {
      await fetchProject();
      connection.value = "live";
    } catch (thrown) {
      if (isServerGone(thrown)) {
        connection.value = "gone";
        return;
      }
      // The scene was deleted between two requests: the next change event leads to another fetch.
      if (connection.value === "connecting") throw thrown;
    }
  }
}

async function fetchProject(): Promise<void> {
  const state = await get<PageState>("/ui/state/");
  const entry = state.scenes.find(({ id }) => id === sceneId.value) ?? must(state.scenes[0], "The first scene");
  const shown = scene.value;
  const isSame = shown?.id === entry.id && shown.version === entry.version;
  if (isSame && !isCheckedSince(shown)) {
    pageState.value = state;
    sceneId.value = entry.id;
    return;
  }
  const [next, { models }] = await Promise.all([
    get<PageScene>(`/ui/scene/${entry.id}/`),
    post<{ models: ModelDetails[] }>("/v1/scene/model/list/", { scene_id: entry.id }),
  ]);
  batch(() => {
    pageState.value = state;
    sceneId.value = entry.id;
    scene.value = next;
    steps.value = next.steps;
    details.value = new Map(models.map((model) => [model.id, model]));
    selection.value = withoutGone(selection.value, new Set(next.models.map(({ id }) => id)));
  });
  if (!isSame) scheduleMetadata(next);
}

/** When each scene was last checked, according to the last change event; null: never. */
let checkedAt: ReadonlyMap<string, string | null> = new Map();

/** Whether the scene has other findings now. */
function isCheckedSince({ id, findings }: PageScene): boolean {
  const at = checkedAt.get(id);
  return at !== undefined && at !== (findings?.checked_at ?? null);
}

let metadataTimer: ReturnType<typeof setTimeout> | undefined;

function scheduleMetadata({ id, version }: PageScene): void {
  clearTimeout(metadataTimer);
  metadataTimer = setTimeout(() => {
    const keep = (reply?: Metadata): void => {
      if (scene.value?.id === id && scene.value.version === version) measured.value = { id, version, reply };
    };
    post<Metadata>("/v1/scene/metadata/", { scene_id: id }).then(keep, () => keep());
  }, METADATA_WAIT_MS);
}

let stages = "";

/** Keeps the running requests. When one of the shown scene begins, enters a stage or ends, the states of its steps are other ones. */
function noteWork({ operations }: PageWork): void {
  runningWork.value = operations;
  const id = scene.value?.id ?? "";
  const own = operations.filter(({ scene_ids }) => scene_ids.includes(id));
  const now = own.map((one) => `${one.id}:${one.stage?.index ?? 0}`).join();
  if (now === stages) return;
  stages = now;
  get<PageSteps>(`/ui/scene/${id}/steps/`).then(
    (reply) => {
      // Another stage may have begun meanwhile: its answer counts, even if it came first.
      const isNewest = stages === now && scene.value?.id === id && scene.value.version === reply.version;
      if (isNewest) steps.value = reply.steps;
    },
    // The scene was deleted, or the server is gone, which the events say as well.
    () => undefined,
  );
}

/** Listens to events of the server about changes and running requests, and reconnects when the server was gone. */
export function followServer(): void {
  const events = new EventSource("/ui/events/");
  events.addEventListener("change", ({ data }) => {
    const { scenes } = JSON.parse(data) as PageChange;
    checkedAt = new Map(scenes.map(({ id, checked_at }) => [id, checked_at]));
    void refresh();
  });
  events.addEventListener("kept", ({ data }) => (keeping.value = JSON.parse(data)));
  events.addEventListener("work", ({ data }) => {
    noteWork(JSON.parse(data));
  });
  events.onerror = () => {
    events.close();
    runningWork.value = [];
    connection.value = "gone";
    setTimeout(followServer, RETRY_MS);
  };
  void refresh();
}
