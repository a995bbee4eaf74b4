import { useEffect, useRef, useState } from "preact/hooks";
import type { Action, Group } from "../../feature/page-row.ts";
import { GROUPS, actionsOf } from "../action/actions.ts";
import { ENDPOINT_FORMS } from "../server/endpoints.ts";
import { isPrintOpen } from "../state/phone.ts";
import { family, scene, selectedIds, selection } from "../state/project.ts";
import { NO_SELECTION } from "../state/selection.ts";
import { prepareScene } from "../state/run-action.ts";
import { tasks } from "../state/tasks.ts";
import { Icon, type IconName } from "../widget/icon.tsx";
import { counted } from "../../core/quantities.ts";
import { ActionForm } from "./action-form.tsx";
import { Checks } from "./checks.tsx";
import { HelpLine } from "./help-line.tsx";
import { ImportForm } from "./import-form.tsx";
import { JobFacts, JobTime } from "./job.tsx";
import { PictureForm } from "./picture-form.tsx";
import { PrintDialog } from "./print-dialog.tsx";
import { PrinterList } from "./printer-list.tsx";

const ACTIONS = actionsOf(ENDPOINT_FORMS);

const GROUP_TITLES: Readonly<Record<Group, readonly [title: string, icon: IconName]>> = {
  repair: ["Repair and split", "repair"],
  shape: ["Hollow, drill, label", "shape"],
  orient: ["Orient", "orient"],
  support: ["Support", "support"],
  arrange: ["Lay out", "arrange"],
  check: ["Check", "check"],
  more: ["More", "more"],
};

/** Panel of all actions, in the order of a usual job: from the import to the print. */
export function WorkPanel() {
  const isEmpty = (scene.value?.models.length ?? 0) === 0;
  const isBusy = tasks.value.length > 0;
  return (
    <section class="work" aria-label="Work">
      <div class="main-actions">
        <button type="button" class="primary" disabled={isEmpty || isBusy} onClick={() => void prepareScene()}>
          <Icon name="wand" />
          Prepare
        </button>
        <button type="button" class="primary" disabled={isEmpty} onClick={() => (isPrintOpen.value = true)}>
          <Icon name="printer" />
          Print…
        </button>
        <p>{prepareHint(isEmpty)}</p>
        <JobFacts />
      </div>
      <Target />
      <div class="groups">
        <Fold title="Import" icon="add">
          <ImportForm />
        </Fold>
        {GROUPS.map((group) => (
          <ActionGroup key={group} group={group} />
        ))}
        <Fold title="Time and material" icon="clock">
          <JobTime />
        </Fold>
        <Fold title="Printers" icon="printer">
          <PrinterList />
        </Fold>
        <Fold title="Picture" icon="picture">
          <PictureForm />
        </Fold>
      </div>
      <HelpLine />
      {isPrintOpen.value && <PrintDialog onClose={() => (isPrintOpen.value = false)} />}
    </section>
  );
}

function prepareHint(isEmpty: boolean): string {
  if (isEmpty) return "Drop a part into the view to begin.";
  return family.value === "resin"
    ? "Prepare orients, supports and lays out all models."
    : "Prepare packs all models into the chamber.";
}

/** Says on which models the actions below work. */
function Target() {
  const total = scene.value?.models.length ?? 0;
  const chosen = selectedIds.value.length;
  if (total === 0) return null;
  if (chosen === 0)
    return (
      <p class="target">
        Works on {total > 1 && "all "}
        {counted(total, "model")}
      </p>
    );
  return (
    <p class="target">
      Works on {counted(chosen, "selected model")}
      {chosen < total && (
        <button type="button" class="link" onClick={() => (selection.value = NO_SELECTION)}>
          Use all {total.toLocaleString("en")}
        </button>
      )}
    </p>
  );
}

function ActionGroup({ group }: { group: Group }) {
  const actions = ACTIONS.filter((action) => action.group === group);
  if (actions.length === 0) return null;
  const [title, icon] = GROUP_TITLES[group];
  return (
    <Fold title={group === "arrange" && family.value === "powder" ? "Pack and cage" : title} icon={icon}>
      {group === "check" ? <Checks actions={actions} /> : suitableFirst(actions).map(form)}
    </Fold>
  );
}

const form = (action: Action) => <ActionForm key={action.path} action={action} />;

/** Sorts actions: those for the other kind of printer come last. */
function suitableFirst(actions: readonly Action[]): readonly Action[] {
  const isSuitable = (action: Action): boolean => (action.family ?? family.value) === family.value;
  return [...actions.filter(isSuitable), ...actions.filter((action) => !isSuitable(action))];
}

/** A foldable section of the panel. Only one is open at a time. */
function Fold(props: { title: string; icon: IconName; children: preact.ComponentChildren }) {
  const { title, icon, children } = props;
  const [isOpen, setOpen] = useState(false);
  const ref = useRef<HTMLDetailsElement>(null);
  // An opened section is scrolled up as far as its content needs.
  useEffect(() => {
    const fold = ref.current!;
    const room = fold.parentElement!;
    const below = fold.getBoundingClientRect().bottom - room.getBoundingClientRect().bottom;
    const above = fold.getBoundingClientRect().top - room.getBoundingClientRect().top;
    if (isOpen && below > 0) room.scrollTop += Math.min(below, above);
  }, [isOpen]);
  return (
    <details ref={ref} name="work" class="fold" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Icon name={icon} />
        {title}
        <span class="chevron">
          <Icon name="chevron" />
        </span>
      </summary>
      {isOpen && <div class="fold-body">{children}</div>}
    </details>
  );
}
