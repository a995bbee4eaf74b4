import { counted } from "../../core/quantities.ts";
import { type Preparation, canPrepare, preparation, prepareScene, preparedCount } from "../state/prepare.ts";
import { canPrint, openPrint } from "../state/print.ts";
import { family, scene } from "../state/project.ts";
import { isUnchecked, light, openFindings } from "../state/scene-findings.ts";
import { Icon } from "../widget/icon.tsx";
import { RunningPrints } from "./running-prints.tsx";
import { shownTime } from "../widget/shown-time.ts";

/** Foot of the panel of the work: the buttons that prepare and print, and below them what they do, or how far the preparation is. */
export function WorkFoot() {
  const isEmpty = (scene.value?.models.length ?? 0) === 0;
  const running = preparation.value;
  return (
    <div class="work-foot">
      <div class="main-actions">
        <button
          type="button"
          class={light.value === "none" ? "primary" : "plain"}
          disabled={!canPrepare.value}
          onClick={() => void prepareScene()}
        >
          <Icon name="wand" />
          {isEmpty ? "Prepare" : `Prepare ${counted(preparedCount.value, "part")}`}
        </button>
        <PrintButton />
      </div>
      <RunningPrints />
      {running ? (
        <PrepareProgress running={running} />
      ) : (
        <p class="foot-note" role="status">
          {footNote(isEmpty)}
        </p>
      )}
    </div>
  );
}

/** The button that prints. Its colour says what the checks say, and the note below it says that in words. */
function PrintButton() {
  const count = light.value === "warning" ? openFindings.value.length : 0;
  return (
    <button type="button" class="print" data-light={light.value} disabled={!canPrint.value} onClick={openPrint}>
      <Icon name="printer" />
      {isUnchecked.value && light.value === "none" ? "Check and print…" : `Print…${count > 0 ? ` · ${count}` : ""}`}
    </button>
  );
}

function footNote(isEmpty: boolean): string {
  const isResin = family.value === "resin";
  if (isEmpty) return isResin ? "Prepare does steps 2 to 5 in one go." : "Prepare packs and checks in one go.";
  const open = openFindings.value;
  const errors = open.filter(({ severity }) => severity === "ERROR").length;
  const checkedAt = scene.value?.findings?.checked_at;
  const time = checkedAt === undefined ? "" : shownTime(checkedAt);
  switch (light.value) {
    case "error":
      return `Print: ${counted(errors, "thing")} must be solved.`;
    case "warning":
      return `Print: ${counted(open.length, "remark")} ${open.length === 1 ? "is" : "are"} open. Checked ${time}.`;
    case "ok":
      return `Print: all checks passed, ${time}.`;
    default:
      if (checkedAt !== undefined) return `Print: changed since the check of ${time}.`;
      return isResin ? "Prepare turns, supports, lays out and checks." : "Prepare packs the chamber and checks.";
  }
}

function PrepareProgress({ running: { stage, progress, cancel } }: { running: Preparation }) {
  const percent = Math.floor(progress * 100);
  return (
    <div class="foot-task">
      <span>
        {stage} · {percent} %
      </span>
      <button type="button" class="plain" aria-label="Cancel Prepare" disabled={!cancel} onClick={cancel}>
        Cancel
      </button>
      <progress aria-label="Prepare" max={1} value={progress} />
    </div>
  );
}
