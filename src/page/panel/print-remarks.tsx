import { useEffect } from "preact/hooks";
import { counted } from "../../core/quantities.ts";
import { MAX_SHOWN_FINDINGS, type ShownFinding } from "../action/shown-findings.ts";
import { checkScene, isChecking } from "../state/check-scene.ts";
import { openStep } from "../state/follow-address.ts";
import { scene } from "../state/project.ts";
import { isUnchecked, openFindings } from "../state/scene-findings.ts";
import { Icon } from "../widget/icon.tsx";
import { namesOf, showFinding } from "./finding-cards.tsx";

/** What the checks say before a print. Checks first what is not checked in its present state. `onLeave` closes the dialog. */
export function PrintRemarks({ onLeave }: { onLeave: () => void }) {
  const id = scene.value?.id;
  useEffect(() => {
    if (isUnchecked.peek() && !isChecking(id)) void checkScene();
  }, [id]);
  const findings = openFindings.value;
  const rest = findings.length - MAX_SHOWN_FINDINGS;
  return (
    <div role="status" aria-label="Remarks before printing">
      {findings.length > 0 && (
        <ul class="remarks">
          {findings.slice(0, MAX_SHOWN_FINDINGS).map((finding) => (
            <Remark key={finding.id} finding={finding} onLeave={onLeave} />
          ))}
        </ul>
      )}
      {rest > 0 && <p class="note">and {counted(rest, "smaller one")}</p>}
      {isChecking(id) ? (
        <p class="note">Checking…</p>
      ) : (
        findings.length === 0 &&
        !isUnchecked.value &&
        (scene.value?.models.length ?? 0) > 0 && (
          <p class="finding finding-success">
            <Icon name="check" />
            All checks passed
          </p>
        )
      )}
    </div>
  );
}

function Remark({ finding, onLeave }: { finding: ShownFinding; onLeave: () => void }) {
  const severity = finding.severity === "ERROR" ? "error" : "warning";
  return (
    <li class={`finding finding-${severity}`}>
      <Icon name={severity} />
      <span>
        {finding.text}
        <small>{namesOf(finding.model_ids)}</small>
      </span>
      <button
        type="button"
        class="link"
        aria-label={`Show: ${finding.text}`}
        onClick={() => {
          onLeave();
          openStep.value = "check";
          void showFinding(finding);
        }}
      >
        Show
      </button>
    </li>
  );
}
