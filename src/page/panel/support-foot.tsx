import { counted } from "../../core/quantities.ts";
import { applyEdits } from "../state/apply-supports.ts";
import { draftProblem, supportStruts } from "../state/support-draft.ts";
import {
  discardEdits,
  editStack,
  isChangingSupports,
  isDiscardAsked,
  leaveSupportMode,
} from "../state/support-mode.ts";
import { Dialog } from "../widget/dialog.tsx";
import { Icon } from "../widget/icon.tsx";

/** Foot of the panel of the work while points are edited: the buttons that drop and apply the edits. */
export function SupportFoot() {
  const count = editStack.value.done.length;
  const isBusy = isChangingSupports.value;
  return (
    <div class="work-foot">
      <div class="main-actions">
        <button type="button" class="plain" disabled={isBusy} aria-keyshortcuts="Escape" onClick={discardEdits}>
          {count === 0 ? "Close" : "Discard"}
          <kbd aria-hidden="true">Esc</kbd>
        </button>
        <button
          type="button"
          class="primary"
          disabled={isBusy || count === 0}
          aria-keyshortcuts="Enter"
          onClick={() => void applyEdits()}
        >
          <Icon name="check" />
          {count === 0 ? "Apply" : `Apply ${count}`}
          <kbd aria-hidden="true">Enter</kbd>
        </button>
      </div>
      <p class="foot-note" role="status">
        {noteOf(count)}
      </p>
      {isDiscardAsked.value && (
        <Dialog title={`Discard ${counted(count, "edit")}?`} onClose={() => (isDiscardAsked.value = false)}>
          <p>The supports stay as they were before you began.</p>
          <footer>
            <button type="button" class="plain" onClick={() => (isDiscardAsked.value = false)}>
              Keep editing
            </button>
            <button type="button" class="primary" onClick={leaveSupportMode}>
              Discard
            </button>
          </footer>
        </Dialog>
      )}
    </div>
  );
}

function noteOf(count: number): string {
  if (isChangingSupports.value) return "Builds the supports …";
  if (draftProblem.value !== undefined) return `The draft is not up to date: ${draftProblem.value}`;
  const drawn = supportStruts.value;
  if (count === 0) return "Nothing is changed before you apply.";
  const time = drawn ? `Drawn in ${Math.round(drawn.tookMs)} ms. ` : "";
  return `${time}The solid is built when you apply, in about 1 s.`;
}
