import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Action } from "../../feature/page-row.ts";
import { actionFields } from "../action/actions.ts";
import { withDefaults } from "../action/field-defaults.ts";
import { problemOf } from "../action/form-values.ts";
import { ENDPOINT_FORMS } from "../server/endpoints.ts";
import { formValues, obstacleOf, runAction, setValues } from "../state/run-action.ts";
import { formDefaults } from "../state/form-defaults.ts";
import { followForm } from "../state/form-preview.ts";
import { FormFields } from "./form-fields.tsx";
import { Places } from "./places.tsx";
import { TrialLine } from "./trial-line.tsx";

/** Form of an action: its fields, further ones, and the button that runs it. */
export function ActionForm({ action, children }: { action: Action; children?: ComponentChildren }) {
  const [problem, setProblem] = useState<string>();
  const fields = withDefaults(actionFields(action, ENDPOINT_FORMS), formDefaults.value[action.path]);
  const values = formValues.value[action.path] ?? {};
  const obstacle = obstacleOf(action);
  useEffect(() => followForm(action), [action]);
  const id = `action${action.path.replaceAll("/", "-")}`;

  // Without basic fields the button alone is enough, so that the heading is hidden.
  const isSimple = action.places === undefined && (action.basic ?? []).length === 0;

  const submit = (event: Event): void => {
    event.preventDefault();
    const found = problemOf(fields, values, action.conditions);
    setProblem(found);
    if (found === undefined && obstacle === undefined) void runAction(action);
  };
  return (
    <form class="action" aria-labelledby={id} noValidate onSubmit={submit}>
      <h3 id={id} class={isSimple ? "hidden" : ""}>
        {action.title}
      </h3>
      {action.note !== undefined && <p class="note">{action.note}</p>}
      {action.places && <Places path={action.path} need={action.places} />}
      <FormFields
        fields={fields}
        basic={action.basic ?? []}
        values={values}
        conditions={action.conditions}
        onChange={(next) => {
          setProblem(undefined);
          setValues(action.path, next);
        }}
      />
      {children}
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {action.preview && <TrialLine path={action.path} />}
      <div class="submit">
        <button type="submit" disabled={obstacle !== undefined} aria-describedby={`${id}-why`}>
          {action.title}
        </button>
        <small id={`${id}-why`}>{obstacle}</small>
      </div>
    </form>
  );
}
