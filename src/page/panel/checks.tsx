import { useState } from "preact/hooks";
import type { Action } from "../../feature/page-row.ts";
import { actionFields } from "../action/actions.ts";
import { type Finding, MOST_SHOWN } from "../action/findings.ts";
import { ENDPOINT_FORMS } from "../server/endpoints.ts";
import { type CheckResult, checkResults, chosenPlaces, isOutdated } from "../state/findings.ts";
import { details, selection } from "../state/project.ts";
import { formValues, obstacleOf, runAction, runChecks, setValues } from "../state/run-action.ts";
import { view } from "../state/view-state.ts";
import type { Marker } from "../view/view.ts";
import { Icon } from "../widget/icon.tsx";
import { Fields } from "./fields.tsx";

/** All checks, to run together or one by one, and their findings. */
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

/** Findings, grouped by check. A click on a finding selects its models and shows its places. */
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

function Result({ result }: { result: CheckResult }) {
  const { title, findings } = result;
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
          <FindingRow key={i} finding={finding} hasPlaces={!isOutdated(result)} />
        ))}
      </ul>
      {findings.length > MOST_SHOWN && <p class="note">and {findings.length - MOST_SHOWN} more</p>}
    </>
  );
}

/** A finding. It shows its places when it is clicked, and has buttons to step through them. */
function FindingRow({ finding, hasPlaces }: { finding: Finding; hasPlaces: boolean }) {
  const { severity, text, modelIds } = finding;
  const places = hasPlaces ? finding.places : [];
  return (
    <li>
      <button type="button" class={`finding finding-${severity}`} onClick={() => show(modelIds, places)}>
        <Icon name={severity} />
        <span>
          {text}
          <small>{modelIds.map((id) => details.value.get(id)?.name ?? "deleted").join(" and ")}</small>
        </span>
      </button>
      {places.length > 1 && <PlaceSteps modelIds={modelIds} places={places} />}
    </li>
  );
}

function PlaceSteps({ modelIds, places }: { modelIds: readonly string[]; places: readonly Marker[] }) {
  const chosen = chosenPlaces.value;
  const at = chosen.length === 1 ? places.indexOf(chosen[0]) : -1;
  const step = (by: number): void => {
    const next = at < 0 ? (by > 0 ? 0 : places.length - 1) : (at + by + places.length) % places.length;
    show(modelIds, [places[next]]);
  };
  return (
    <div class="place-steps">
      <button type="button" class="plain" aria-label="Previous place" onClick={() => step(-1)}>
        ‹
      </button>
      <span role="status">
        {at < 0 ? `${places.length} places` : `${at + 1} of ${places.length}: ${places[at].label}`}
      </span>
      <button type="button" class="plain" aria-label="Next place" onClick={() => step(1)}>
        ›
      </button>
    </div>
  );
}

/** Selects models and frames places, or the models if there are no places. */
function show(modelIds: readonly string[], places: readonly Marker[]): void {
  selection.value = { ids: modelIds, anchor: modelIds[0] };
  chosenPlaces.value = places;
  view.value?.frame(places);
}
