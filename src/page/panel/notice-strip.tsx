import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { type Notice, dismiss, elapse, notices, showNext } from "../state/notices.ts";
import { selectionArea } from "../state/view-state.ts";
import { type ShownTask, tasks } from "../state/tasks.ts";
import { IconButton } from "../widget/icon.tsx";
import { Message } from "./message-log.tsx";

/** Interval at which the display time of notices is counted. */
const TICK_MS = 250;

/**
 * Strip at the foot of the view: running tasks, and the newest notice with the number of the others. It moves to the top edge while it
 * would cover the selected part. Screen readers announce both.
 */
export function NoticeStrip() {
  const isRead = useSignal(false);
  useEffect(() => {
    const timer = setInterval(() => {
      if (!isRead.value && document.visibilityState === "visible") elapse(TICK_MS);
    }, TICK_MS);
    return () => clearInterval(timer);
  }, []);
  const box = useRef<HTMLDivElement>(null);
  const isHigh = useIsInTheWay(box);
  const [notice, ...others] = notices.value;
  const strip = notice && <Strip key={notice.id} notice={notice} otherCount={others.length} />;
  return (
    <div
      ref={box}
      class="notices"
      data-edge={isHigh ? "top" : "bottom"}
      onPointerEnter={() => (isRead.value = true)}
      onPointerLeave={() => (isRead.value = box.current!.contains(document.activeElement))}
      onFocusIn={() => (isRead.value = true)}
      onFocusOut={() => (isRead.value = box.current!.matches(":hover"))}
    >
      <ul class="tasks" aria-label="Running tasks">
        {tasks.value.filter(isInStrip).map((task) => (
          <RunningTask key={task.id} task={task} />
        ))}
      </ul>
      <p class="hidden" role="status">
        {tasks.value.map(spokenProgress).join(" ")}
      </p>
      <div role="status" aria-live="polite">
        {notice?.severity !== "error" && strip}
      </div>
      <div role="alert" aria-live="assertive">
        {notice?.severity === "error" && strip}
      </div>
    </div>
  );
}

/** Whether the strip at the foot of the view would cover the selected part. */
function useIsInTheWay(box: { readonly current: HTMLElement | null }): boolean {
  const size = useSignal({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const { width, height } = box.current!.getBoundingClientRect();
    if (width !== size.value.width || height !== size.value.height) size.value = { width, height };
  });
  return useComputed(() => {
    const area = selectionArea.value;
    if (!area || notices.value.length === 0) return false;
    const { picture } = area;
    const [left, top] = [(picture.width - size.value.width) / 2, picture.height - size.value.height - EDGE_PX];
    const isBeside = area.left > left + size.value.width || area.left + area.width < left;
    return !isBeside && area.top + area.height > top;
  }).value;
}

/** Distance of the strip from the edge of the view, see `messages.css`. */
const EDGE_PX = 12;

const isInStrip = ({ place }: ShownTask): boolean => place === "strip";

function RunningTask({ task: { title, progress, cancel } }: { task: ShownTask }) {
  return (
    <li class="task">
      <span>{title}</span>
      <span class="share">{progress !== undefined && `${Math.floor(progress * 100)} %`}</span>
      <progress max={1} {...(progress !== undefined && { value: progress })} aria-label={title} />
      <button type="button" class="plain" onClick={cancel} aria-label={`Cancel ${title}`}>
        Cancel
      </button>
    </li>
  );
}

/** Progress for screen readers, in quarters, since announcing each percent would hide other messages. */
const spokenProgress = ({ title, progress = 0 }: ShownTask): string =>
  progress < 0.25 ? `${title}.` : `${title}: ${25 * Math.floor(4 * progress)} %.`;

/** The newest notice. `otherCount` is the number of older ones, which "+2" shows one after the other. */
function Strip({ notice, otherCount }: { notice: Notice; otherCount: number }) {
  return (
    <div class={`toast toast-${notice.severity}`}>
      <Message notice={notice} />
      <div class="toast-actions">
        {notice.actions.map(({ label, run }) => (
          <button
            key={label}
            type="button"
            class="plain"
            onClick={() => {
              dismiss(notice.id);
              run();
            }}
          >
            {label}
          </button>
        ))}
        {otherCount > 0 && (
          <button
            type="button"
            class="plain count"
            aria-label={`Next message, ${otherCount} more`}
            title="Next message"
            onClick={showNext}
          >
            +{otherCount}
          </button>
        )}
        <IconButton icon="close" name="Dismiss" onClick={() => dismiss(notice.id)} />
      </div>
    </div>
  );
}
