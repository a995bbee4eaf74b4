import { batch, computed, effect, signal } from "@preact/signals";
import type { PageScene, PageSceneSummary, PageState } from "../../ui/replies.ts";
import { get, isServerGone, post } from "../server/call.ts";
import type { Metadata, ModelDetails } from "../server/replies.ts";
import { NOTHING, type Selection, withoutGone } from "./selection.ts";

// What the page knows of the server's project. It is fetched here and nowhere else, again after each change that the server tells of.

/** Whether the server answers: not asked yet, yes, or no more. */
export const connection = signal<"connecting" | "live" | "gone">("connecting");
export const pageState = signal<PageState | undefined>(undefined);
/** The scene that is looked at, as it is drawn. */
export const scene = signal<PageScene | undefined>(undefined);
/** Its models in the numbers of the interface, by their ids. */
export const details = signal<ReadonlyMap<string, ModelDetails>>(new Map());
export const selection = signal<Selection>(NOTHING);

const sceneId = signal<string | undefined>(undefined);
/** What was measured last, and of which state; no reply where that failed. */
const measured = signal<(Pick<PageScene, "id" | "version"> & { readonly reply: Metadata | undefined }) | undefined>(
  undefined,
);
/** Whether volumes and time of the shown state are still to come. */
export const isMeasuring = computed(
  () => measured.value?.id !== scene.value?.id || measured.value?.version !== scene.value?.version,
);
/** Volumes and time of the scene as it is shown, which come some time after a change. */
export const metadata = computed(() => (isMeasuring.value ? undefined : measured.value?.reply));

/** The entry of the shown scene in the list of scenes. */
export const summary = computed<PageSceneSummary | undefined>(() =>
  pageState.value?.scenes.find(({ id }) => id === scene.value?.id),
);
/** The version of a scene that the page knows, also of one that is not shown; 0 where it is gone. */
export const versionOf = (sceneId: string): number =>
  pageState.value?.scenes.find(({ id }) => id === sceneId)?.version ?? 0;
export const family = computed(() => scene.value?.volume.family ?? "resin");
export const selectedIds = computed(() => selection.value.ids);

/** Looks at another scene. */
export function showScene(id: string): void {
  batch(() => {
    sceneId.value = id;
    selection.value = NOTHING;
  });
  void refresh();
}

/** Volumes are computed on the server once changes have come to rest. */
const METADATA_WAIT_MS = 350;
/** A server that is gone is looked for this often. */
const RETRY_MS = 1500;

let running: Promise<void> | undefined;
let isStale = false;

/** Fetches what has changed. Calls that come meanwhile lead to one more round; the promise ends with the last. */
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
      // The scene was deleted between two requests: the next change event brings the new list.
      if (connection.value === "connecting") throw thrown;
    }
  }
}

async function fetchProject(): Promise<void> {
  const state = await get<PageState>("/ui/state/");
  const entry = state.scenes.find(({ id }) => id === sceneId.value) ?? state.scenes[0];
  const shown = scene.value;
  if (shown?.id === entry.id && shown.version === entry.version) {
    pageState.value = state;
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
    details.value = new Map(models.map((model) => [model.id, model]));
    selection.value = withoutGone(selection.value, new Set(next.models.map(({ id }) => id)));
  });
  scheduleMetadata(next);
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

/** Listens to the changes of the server from now on, and finds it again when it was gone. */
export function followServer(): void {
  const events = new EventSource("/ui/events/");
  events.addEventListener("change", () => void refresh());
  events.onerror = () => {
    events.close();
    connection.value = "gone";
    setTimeout(followServer, RETRY_MS);
  };
  void refresh();
}

/** The title of the window names the scene. */
effect(() => {
  if (summary.value) document.title = `${summary.value.name} – Printwright`;
});
