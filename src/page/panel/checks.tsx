import { useState } from "preact/hooks";
import { type Action, actionFields } from "../action/actions.ts";
import type { Finding } from "../action/findings.ts";
import { ENDPOINT_FORMS } from "../server/endpoints.ts";
import { type CheckResult, checkResults, isOutdated } from "../state/findings.ts";
import { details, selection } from "../state/project.ts";
import { formValues, obstacleOf, runAction, runChecks, setValues } from "../state/run-action.ts";
import { view } from "../state/stage.ts";
import { Icon } from "../widget/icon.tsx";
import { Fields } from "./fields.tsx";

/** All checks: to run at once or one by one, with what they found below. */
export function Checks({ actions }: { actions: readonly Action[] }) {
  const [isDetailed, setDetailed] = useState(false);
  const obstacle = obstacleOf(actions[0]);
  return (
    <div class="action">
      <div class="submit">
        <button type="button" disabled={obstacle !== undefined} onClick={() => void runChecks(actions)}>
          Check everything
        </button>
        <small>{obstacle}</small>
      </div>
      <Results />
      <details class="options" onToggle={(event) => setDetailed(event.currentTarget.open)}>
        <summary>One check at a time</summary>
        {isDetailed && actions.map((action) => <Check key={action.path} action={action} />)}
      </details>
    </div>
  );
}

function Check({ action }: { action: Action }) {
  return (
    <form
      class="check"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void runAction(action);
      }}
    >
      <button type="submit" class="plain" disabled={obstacleOf(action) !== undefined}>
        {action.title}
      </button>
      <Fields
        fields={actionFields(action, ENDPOINT_FORMS)}
        basic={["threshold_mm", "collision_offset_mm"]}
        values={formValues.value[action.path] ?? {}}
        onChange={(values) => setValues(action.path, values)}
      />
    </form>
  );
}

/** What was found, check by check. A finding selects its models and brings them into view. */
function Results() {
  const results = checkResults.value;
  if (results.length === 0) return null;
  return (
    <div class="results" role="region" aria-label="Results of the checks">
      {results.some(isOutdated) && <p class="note">The scene has changed since: check again.</p>}
      {results.map((result) => (
        <Result key={result.path} result={result} />
      ))}
    </div>
  );
}

const MOST_SHOWN = 50;

function Result({ result: { title, findings } }: { result: CheckResult }) {
  if (findings.length === 0) {
    return (
      <p class="finding finding-success">
        <Icon name="check" />
        {title}: nothing found
      </p>
    );
  }
  return (
    <>
      <h4>{title}</h4>
      <ul>
        {findings.slice(0, MOST_SHOWN).map((finding, i) => (
          <li key={i}>
            <button type="button" class={`finding finding-${finding.severity}`} onClick={() => show(finding)}>
              <Icon name={finding.severity} />
              <span>
                {finding.text}
                <small>{finding.modelIds.map((id) => details.value.get(id)?.name ?? "deleted").join(" and ")}</small>
              </span>
            </button>
          </li>
        ))}
      </ul>
      {findings.length > MOST_SHOWN && <p class="note">and {findings.length - MOST_SHOWN} more</p>}
    </>
  );
}

function show({ modelIds }: Finding): void {
  selection.value = { ids: modelIds, anchor: modelIds[0] };
  view.value?.frame();
}
