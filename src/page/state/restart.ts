import { effect } from "@preact/signals";
import type { PageSceneSummary, PageState } from "../../ui/replies.ts";
import { counted } from "../../core/quantities.ts";
import { type Notice, notify } from "./notices.ts";
import { keeping, pageState } from "./project.ts";

/** Maximum number of scenes that the message names. */
const MOST_NAMED = 10;

/** Message after a restart of the server; undefined if the same process still answers. */
export function restartNotice(
  before: PageState,
  now: PageState,
): Pick<Notice, "severity" | "text" | "details"> | undefined {
  if (before.process === now.process) return undefined;
  const { scenes } = before;
  const more = scenes.length - MOST_NAMED;
  return {
    severity: "warning",
    text:
      `Printwright was restarted, and ${counted(scenes.length, "earlier scene")} ${scenes.length === 1 ? "is" : "are"} gone: ` +
      "scenes are kept in the memory of the process.",
    details: [
      ...scenes.slice(0, MOST_NAMED).map(goneScene),
      ...(more > 0 ? [`and ${counted(more, "more scene")}`] : []),
      "Projects that were saved (.form) can be opened with “Open files”.",
    ],
  };
}

const goneScene = ({ name, model_count, setting }: PageSceneSummary): string =>
  `“${name}”: ${counted(model_count, "model")}, ${setting.printer_label}`;

/** Watches for restarts of the server, and reports which scenes were lost. */
export function watchRestarts(): void {
  let before: PageState | undefined;
  effect(() => {
    const now = pageState.value;
    // Kept scenes are offered again.
    const isKept = keeping.peek()?.folder != null;
    const notice = before && now && !isKept && restartNotice(before, now);
    before = now;
    if (notice) notify({ ...notice, sceneId: undefined });
  });
}
