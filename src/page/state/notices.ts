import { computed, signal } from "@preact/signals";
import { inPageWords } from "../action/page-words.ts";

export type Severity = "success" | "info" | "warning" | "error";

/** What can be done about a notice. */
export interface NoticeAction {
  readonly label: string;
  run(): void;
}

/** A message to the person in front of the page. */
export interface Notice {
  readonly id: number;
  readonly severity: Severity;
  readonly text: string;
  /** Further lines, such as the warnings of a result. */
  readonly details: readonly string[];
  /** The code of an error, for programs. */
  readonly code: string | undefined;
  readonly actions: readonly NoticeAction[];
  readonly time: Date;
}

type NoticeInput = Pick<Notice, "severity" | "text"> & Partial<Omit<Notice, "id" | "time">>;

/** Good news go by themselves; what may need an answer stays until it is dismissed. */
const GOOD_NEWS_MS = 4500;
/** Those that have more to say, as that a hollow part needs holes, are there long enough to be read. */
const REMARKS_MS = 15_000;
/** Messages that can be read again. */
const LONGEST_LOG = 100;
/** Good news that are shown at once; older ones are in the log. */
const MOST_PASSING = 3;
/** What may need an answer and is shown with all of its words; earlier ones are folded to a line until they are dismissed. */
const MOST_IN_FULL = 3;

/** The notices that are shown now, the newest last. */
export const notices = signal<readonly Notice[]>([]);
/** All notices of this visit, the newest first. */
export const noticeLog = signal<readonly Notice[]>([]);

let lastId = 0;

/** Whether it goes by itself. */
const isPassing = ({ severity, actions }: Notice): boolean =>
  (severity === "success" || severity === "info") && actions.length === 0;

/** What may need an answer and is folded to a line, since others came after it. */
export const foldedNotices = computed((): readonly Notice[] =>
  notices.value.filter((notice) => !isPassing(notice)).slice(0, -MOST_IN_FULL),
);

/** Shows a notice, and reads it out to those who cannot see it. */
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

/** Takes all away; they can be read again in the log. */
export function dismissAll(): void {
  notices.value = [];
}

/** Takes the message of an earlier failure away when the same is tried again. */
export function forgetFailure(title: string): void {
  notices.value = notices.value.filter(({ severity, text }) => severity !== "error" || !text.startsWith(`${title}: `));
}
