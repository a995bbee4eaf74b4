import { useLayoutEffect, useRef } from "preact/hooks";
import type { Action, Group } from "../../feature/page-row.ts";
import { actionsOf } from "../action/actions.ts";
import { STEPS, STEP_TITLES } from "../action/steps.ts";
import { ENDPOINT_FORMS } from "../server/endpoints.ts";
import { family } from "../state/project.ts";
import { openFindings } from "../state/scene-findings.ts";
import { supportMode } from "../state/support-mode.ts";
import { isPlacing, shownStep, stepState, toggleStep } from "../state/steps.ts";
import type { PageStep } from "../../ui/work-replies.ts";
import { Icon } from "../widget/icon.tsx";
import { ActionForm } from "./action-form.tsx";
import { CheckStep } from "./check-step.tsx";
import { FindingCards } from "./finding-cards.tsx";
import { ImportForm } from "./import-form.tsx";
import { PartTiles } from "./part-tiles.tsx";
import { EditPointsButton, SupportModePanel } from "./support-mode.tsx";

const ACTIONS = actionsOf(ENDPOINT_FORMS);

/** The steps of a job with their states. At most one is open, and shows its tools. */
export function Steps() {
  return (
    <ol class="steps" aria-label="Steps">
      {STEPS[family.value].map((step, i) => (
        <Step key={step} step={step} number={i + 1} state={stepState(step)} />
      ))}
    </ol>
  );
}

function Step({ step, number, state: known }: { step: Group; number: number; state: ReturnType<typeof stepState> }) {
  const isOpen = shownStep.value === step;
  const title = STEP_TITLES[step];
  const edited = step === "support" ? supportMode.value?.part.name : undefined;
  const { state, text } = edited === undefined ? known : ({ state: "TODO", text: `Editing ${edited}` } as const);
  const ref = useRef<HTMLLIElement>(null);
  const headId = `step-${step}`;
  // An opened step is scrolled up as far as its content needs, and its head stays in view.
  useLayoutEffect(() => {
    if (!isOpen) return;
    for (const one of [ref.current!, ref.current!.firstElementChild!]) one.scrollIntoView({ block: "nearest" });
  }, [isOpen]);
  return (
    <li ref={ref} class="step" data-state={state.toLowerCase()} data-open={isOpen} aria-labelledby={headId}>
      <button
        id={headId}
        type="button"
        class="step-head"
        aria-expanded={isOpen}
        aria-label={text === "" ? title : `${title}, ${text}`}
        onClick={() => toggleStep(step)}
      >
        <span class="step-mark">
          <StepMark state={state} number={number} />
        </span>
        <b>{title}</b>
        <span class="step-text">{text}</span>
        <Icon name="chevron" />
      </button>
      {isOpen && (
        <div class="step-body">
          <StepBody step={step} />
        </div>
      )}
    </li>
  );
}

function StepMark({ state, number }: { state: PageStep["state"]; number: number }) {
  if (state === "DONE") return <Icon name="check" />;
  if (state === "RUNNING") return <i class="ring" />;
  if (state === "WARNING" || state === "ERROR") return <>!</>;
  return <>{number}</>;
}

/** The kinds of findings that a step shows, as the step Check does. */
const KINDS: Partial<Readonly<Record<Group, readonly string[]>>> = {
  parts: ["MANIFOLDNESS", "INTERFERENCES"],
  support: ["SUPPORTS", "MINIMA"],
  layout: ["IN_BOUNDS", "INTERFERENCES"],
  pack: ["IN_BOUNDS", "INTERFERENCES"],
};

function StepBody({ step }: { step: Group }) {
  const actions = ACTIONS.filter(({ group, family: own }) => group === step && (own ?? family.value) === family.value);
  if (step === "check") return <CheckStep actions={actions} />;
  const kinds = KINDS[step] ?? [];
  const findings = openFindings.value.filter(
    ({ kind }) => kinds.includes(kind) && !(isPlacing.value && kind === "INTERFERENCES"),
  );
  const cards = <FindingCards findings={findings} label={`Findings: ${STEP_TITLES[step]}`} />;
  if (step === "support" && supportMode.value) return <SupportModePanel mode={supportMode.value} />;
  if (step !== "parts")
    return (
      <>
        {cards}
        {step === "support" && <EditPointsButton />}
        {actions.map(form)}
      </>
    );
  return (
    <>
      {cards}
      <ImportForm />
      <PartTiles actions={actions} />
    </>
  );
}

const form = (action: Action) => <ActionForm key={action.path} action={action} />;
