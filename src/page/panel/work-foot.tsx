import { counted } from "../../core/quantities.ts";
import { isPrintOpen } from "../state/phone.ts";
import { type Preparation, preparation, prepareScene, preparedCount } from "../state/prepare.ts";
import { family, scene } from "../state/project.ts";
import { tasks } from "../state/tasks.ts";
import { Icon } from "../widget/icon.tsx";
import { PrintDialog } from "./print-dialog.tsx";

/** Foot of the panel of the work: the buttons that prepare and print, and below them what they do, or how far the preparation is. */
export function WorkFoot() {
  const isEmpty = (scene.value?.models.length ?? 0) === 0;
  const running = preparation.value;
  const isBusy = running !== undefined || tasks.value.length > 0;
  return (
    <div class="work-foot">
      <div class="main-actions">
        <button type="button" class="primary" disabled={isEmpty || isBusy} onClick={() => void prepareScene()}>
          <Icon name="wand" />
          {isEmpty ? "Prepare" : `Prepare ${counted(preparedCount.value, "part")}`}
        </button>
        <button type="button" class="print" onClick={() => (isPrintOpen.value = true)}>
          <Icon name="printer" />
          Print…
        </button>
      </div>
      {running ? <PrepareProgress running={running} /> : <p class="foot-note">{hint(isEmpty)}</p>}
      {isPrintOpen.value && <PrintDialog onClose={() => (isPrintOpen.value = false)} />}
    </div>
  );
}

function hint(isEmpty: boolean): string {
  const isResin = family.value === "resin";
  if (isEmpty) return isResin ? "Prepare does steps 2 to 5 in one go." : "Prepare packs and checks in one go.";
  return isResin ? "Prepare turns, supports, lays out and checks." : "Prepare packs the chamber and checks.";
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
