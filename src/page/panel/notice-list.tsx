import { useSignal } from "@preact/signals";
import { type Notice, dismiss, dismissAll, foldedNotices, noticeLog, notices } from "../state/notices.ts";
import { type ShownTask, tasks } from "../state/tasks.ts";
import { Dialog } from "../widget/dialog.tsx";
import { Icon, IconButton } from "../widget/icon.tsx";

/** Running tasks with their progress, and messages. Screen readers announce both. */
export function NoticeList() {
  const isLogOpen = useSignal(false);
  const folded = foldedNotices.value;
  const toast = (notice: Notice) => <Toast key={notice.id} notice={notice} isFolded={folded.includes(notice)} />;
  return (
    <div class={folded.length > 0 ? "notices notices-many" : "notices"}>
      <ul class="tasks" aria-label="Running tasks">
        {tasks.value.map((task) => (
          <RunningTask key={task.id} task={task} />
        ))}
      </ul>
      <p class="hidden" role="status">
        {tasks.value.map(spokenProgress).join(" ")}
      </p>
      <div class="toasts" role="status" aria-live="polite">
        {notices.value.filter(({ severity }) => severity !== "error").map(toast)}
      </div>
      <div class="toasts" role="alert" aria-live="assertive">
        {notices.value.filter(({ severity }) => severity === "error").map(toast)}
      </div>
      {folded.length > 0 && (
        <button type="button" class="plain" onClick={dismissAll}>
          Dismiss all {notices.value.length} messages
        </button>
      )}
      {noticeLog.value.length > 0 && (
        <IconButton
          class="log-button"
          icon="messages"
          name={`Messages (${noticeLog.value.length})`}
          onClick={() => (isLogOpen.value = true)}
        />
      )}
      {isLogOpen.value && <NoticeLog onClose={() => (isLogOpen.value = false)} />}
    </div>
  );
}

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

function NoticeLog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Messages" onClose={onClose}>
      <ul class="log">
        {noticeLog.value.map((notice) => (
          <li key={notice.id}>
            <time>{notice.time.toLocaleTimeString()}</time>
            <Message notice={notice} />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

/** Progress for screen readers, in quarters, since announcing each percent would hide other messages. */
const spokenProgress = ({ title, progress = 0 }: ShownTask): string =>
  progress < 0.25 ? `${title}.` : `${title}: ${25 * Math.floor(4 * progress)} %.`;

/** A message. A folded one shows one line until the user unfolds it. */
function Toast({ notice, isFolded }: { notice: Notice; isFolded: boolean }) {
  const isOpen = useSignal(false);
  const isShort = isFolded && !isOpen.value;
  return (
    <div class={`toast toast-${notice.severity}${isShort ? " toast-folded" : ""}`}>
      <Message notice={notice} />
      {isShort && (
        <button type="button" class="link" aria-label={`Show: ${notice.text}`} onClick={() => (isOpen.value = true)}>
          Show
        </button>
      )}
      {notice.actions.length > 0 && (
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
        </div>
      )}
      <IconButton icon="close" name="Dismiss" onClick={() => dismiss(notice.id)} />
    </div>
  );
}

const ICONS = { success: "check", info: "info", warning: "warning", error: "error" } as const;

function Message({ notice: { severity, text, details, code } }: { notice: Notice }) {
  return (
    <div class={`message message-${severity}`}>
      <Icon name={ICONS[severity]} />
      <div>
        <p>{text}</p>
        {details.length > 0 && (
          <ul>
            {details.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        )}
        {code !== undefined && <code>{code}</code>}
      </div>
    </div>
  );
}
