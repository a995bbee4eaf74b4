import { computed, signal } from "@preact/signals";
import { inPageWords } from "../action/page-words.ts";

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
  /** The code of an error, for programs. */
  readonly code: string | undefined;
  readonly actions: readonly NoticeAction[];
  readonly time: Date;
}

type NoticeInput = Pick<Notice, "severity" | "text"> & Partial<Omit<Notice, "id" | "time">>;

/** Display time of messages of success. Messages that may need an answer stay until they are dismissed. */
const GOOD_NEWS_MS = 4500;
/** Display time of messages of success with details, which take longer to read. */
const REMARKS_MS = 15_000;
/** Maximum number of messages in the log. */
const LONGEST_LOG = 100;
/** Maximum number of messages of success that are shown; older ones are only in the log. */
const MOST_PASSING = 3;
/** Maximum number of other messages that are shown in full; earlier ones are folded to one line. */
const MOST_IN_FULL = 3;

/** Shown notices, the newest last. */
export const notices = signal<readonly Notice[]>([]);
/** All notices since the page was opened, the newest first. */
export const noticeLog = signal<readonly Notice[]>([]);

let lastId = 0;

/** Whether a notice disappears after some time. */
const isPassing = ({ severity, actions }: Notice): boolean =>
  (severity === "success" || severity === "info") && actions.length === 0;

/** Notices that are folded to one line because newer ones are shown in full. */
export const foldedNotices = computed((): readonly Notice[] =>
  notices.value.filter((notice) => !isPassing(notice)).slice(0, -MOST_IN_FULL),
);

/** Shows a notice. Screen readers announce it. */
export function notify(input: NoticeInput): void {
  const words = { text: inPageWords(input.text), details: (input.details ?? []).map(inPageWords) };
  const notice: Notice = { code: undefined, actions: [], ...input, ...words, id: ++lastId, time: new Date() };
  notices.value = withoutOld([...notices.value.filter(({ text }) => text !== notice.text), notice]);
  noticeLog.value = [notice, ...noticeLog.value].slice(0, LONGEST_LOG);
  if (isPassing(notice)) setTimeout(() => dismiss(notice.id), notice.details.length > 0 ? REMARKS_MS : GOOD_NEWS_MS);
}

function withoutOld(all: readonly Notice[]): readonly Notice[] {
  const passing = new Set(all.filter(isPassing).slice(-MOST_PASSING));
  return all.filter((notice) => !isPassing(notice) || passing.has(notice)).slice(-LONGEST_LOG);
}

export function dismiss(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id);
}

/** Hides all notices; they remain in the log. */
export function dismissAll(): void {
  notices.value = [];
}

/** Hides the message of an earlier failure, when the same action is tried again. */
export function forgetFailure(title: string): void {
  notices.value = notices.value.filter(({ severity, text }) => severity !== "error" || !text.startsWith(`${title}: `));
}
