import { useState } from "preact/hooks";
import type { Action } from "../../feature/page-row.ts";
import { actionFields } from "../action/actions.ts";
import { type Finding, MAX_SHOWN_FINDINGS } from "../action/findings.ts";
import { ENDPOINT_FORMS } from "../server/endpoints.ts";
import { type CheckResult, checkResults, chosenPlaces, isOutdated } from "../state/findings.ts";
import { details, selection } from "../state/project.ts";
import { formValues, obstacleOf, runAction, setValues } from "../state/run-action.ts";
import { view } from "../state/view-state.ts";
import type { Marker } from "../view/view.ts";
import { Icon } from "../widget/icon.tsx";
import { FormFields } from "./form-fields.tsx";

/** The checks of single kinds with their options, and what they found. */
export function Checks({ actions }: { actions: readonly Action[] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="options" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>One check at a time</summary>
      {isOpen && <Results />}
      {isOpen && actions.map((action) => <Check key={action.path} action={action} />)}
    </details>
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
      <FormFields
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
    <div class="results" role="region" aria-label="Results of single checks">
      {results.some(isOutdated) && <p class="note">The scene has changed. Check again.</p>}
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
        {findings.slice(0, MAX_SHOWN_FINDINGS).map((finding, i) => (
          <FindingRow key={i} finding={finding} hasPlaces={!isOutdated(result)} />
        ))}
      </ul>
      {findings.length > MAX_SHOWN_FINDINGS && <p class="note">and {findings.length - MAX_SHOWN_FINDINGS} more</p>}
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
  const [chosen, ...others] = chosenPlaces.value;
  const at = chosen && others.length === 0 ? places.indexOf(chosen) : -1;
  const shown = places[at];
  const step = (by: 1 | -1): void => {
    const from = shown ? at : by > 0 ? -1 : 0;
    const next = places.at((from + by) % places.length);
    if (next) show(modelIds, [next]);
  };
  return (
    <div class="place-steps">
      <button type="button" class="plain" aria-label="Previous place" onClick={() => step(-1)}>
        ‹
      </button>
      <span role="status">{shown ? `${at + 1} of ${places.length}: ${shown.label}` : `${places.length} places`}</span>
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
