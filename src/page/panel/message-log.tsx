import { useSignal } from "@preact/signals";
import { type Notice, noticeLog } from "../state/notices.ts";
import { Dialog } from "../widget/dialog.tsx";
import { Icon, IconButton } from "../widget/icon.tsx";
import { shownTime } from "../widget/shown-time.ts";

/** The bell: opens a list of all messages since the page was opened. */
export function MessageLog() {
  const isOpen = useSignal(false);
  const count = noticeLog.value.length;
  return (
    <>
      <IconButton
        icon="bell"
        name={count === 0 ? "Messages" : `Messages (${count})`}
        disabled={count === 0}
        onClick={() => (isOpen.value = true)}
      />
      {isOpen.value && (
        <Dialog title="Messages" onClose={() => (isOpen.value = false)}>
          <ul class="log">
            {noticeLog.value.map((notice) => (
              <li key={notice.id}>
                <time>{shownTime(notice.time)}</time>
                <Message notice={notice} />
              </li>
            ))}
          </ul>
        </Dialog>
      )}
    </>
  );
}

const ICONS = { success: "check", info: "info", warning: "warning", error: "error" } as const;

/** Icon, text and further lines of a notice; the code and the text of the server are under "Details". */
export function Message({ notice: { severity, text, details, raw } }: { notice: Notice }) {
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
        {raw.length > 0 && <RawText lines={raw} />}
      </div>
    </div>
  );
}

/** Text for programs and for reports of bugs. It is in the document only while it is open. */
function RawText({ lines }: { lines: readonly string[] }) {
  const isOpen = useSignal(false);
  return (
    <details class="raw" onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
      <summary>Details</summary>
      {isOpen.value && lines.map((line) => <code key={line}>{line}</code>)}
    </details>
  );
}
