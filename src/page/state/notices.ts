import { computed, effect, signal } from "@preact/signals";
import { inPageWords } from "../action/page-words.ts";
import { details as models, scene } from "./project.ts";

export type NoticeSeverity = "success" | "info" | "warning" | "error";

/** A button in a notice. */
export interface NoticeAction {
  readonly label: string;
  run(): void;
}

/** A message to the user. */
export interface Notice {
  readonly id: number;
  readonly severity: NoticeSeverity;
  readonly text: string;
  /** Further lines, such as the warnings of a result. */
  readonly details: readonly string[];
  /** The code of an error and the text of the server, which are shown on request. */
  readonly raw: readonly string[];
  readonly actions: readonly NoticeAction[];
  /** The scene to which it belongs; undefined: all scenes. It is shown only with this scene. */
  readonly sceneId: string | undefined;
  readonly time: Date;
}

/** `code` is the code of an error; `sceneId` is the shown scene if absent. */
type NoticeInput = Pick<Notice, "severity" | "text"> &
  Partial<Pick<Notice, "details" | "actions" | "sceneId">> & { readonly code?: string | undefined };

/** Display time of messages of success. Errors and questions stay until they are closed or solved, or the scene is left. */
export const FADE_MS = 6000;
/** Maximum number of messages in the log. */
const LONGEST_LOG = 100;

/** Notices that are not closed yet, of all scenes; the newest first. */
const open = signal<readonly Notice[]>([]);
/** All notices since the page was opened, the newest first. */
export const noticeLog = signal<readonly Notice[]>([]);
/** How long each fading notice has been shown, ms. */
const shownMs = new Map<number, number>();

/** Notices to show with the shown scene, the newest first. */
export const notices = computed((): readonly Notice[] =>
  open.value.filter(({ sceneId }) => sceneId === undefined || sceneId === scene.value?.id),
);

let lastId = 0;

/** Whether a notice disappears after some time. */
const isFading = ({ severity, actions }: Notice): boolean =>
  severity === "success" || (severity === "info" && actions.length === 0);

/** Shows a notice. Screen readers announce it. */
export function notify({ severity, text, code, actions = [], details = [], ...rest }: NoticeInput): void {
  const words = inPageWords(text, nameOfModel);
  const notice: Notice = {
    severity,
    text: words,
    details: details.map((line) => inPageWords(line, nameOfModel)),
    raw: code === undefined ? [] : words === text ? [code] : [code, text],
    actions,
    sceneId: "sceneId" in rest ? rest.sceneId : scene.peek()?.id,
    id: ++lastId,
    time: new Date(),
  };
  open.value = [notice, ...open.value.filter((one) => one.text !== words || one.sceneId !== notice.sceneId)].slice(
    0,
    LONGEST_LOG,
  );
  noticeLog.value = [notice, ...noticeLog.value].slice(0, LONGEST_LOG);
}

const nameOfModel = (id: string): string | undefined => models.peek().get(id)?.name;

/** Records that the notices of the shown scene were visible for some more time and nobody was reading them. */
export function elapse(ms: number): void {
  for (const notice of notices.value.filter(isFading)) {
    const total = (shownMs.get(notice.id) ?? 0) + ms;
    shownMs.set(notice.id, total);
    if (total >= FADE_MS) dismiss(notice.id);
  }
}

export function dismiss(id: number): void {
  shownMs.delete(id);
  open.value = open.value.filter((notice) => notice.id !== id);
}

/** Shows the next older notice instead of the present one, which becomes the last. */
export function showNext(): void {
  const [first] = notices.value;
  if (first) open.value = [...open.value.filter((one) => one !== first), first];
}

/** Hides the message of an earlier failure, when the same action is tried again. */
export function forgetFailure(title: string): void {
  open.value = open.value.filter(({ severity, text }) => severity !== "error" || !text.startsWith(`${title}: `));
}

let left: string | undefined;
/** Closes the notices of a scene that is left; they remain in the log. */
effect(() => {
  const id = scene.value?.id;
  if (left !== undefined && left !== id) open.value = open.peek().filter(({ sceneId }) => sceneId !== left);
  left = id;
});
