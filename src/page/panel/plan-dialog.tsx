import { useState } from "preact/hooks";
import { counted } from "../../core/quantities.ts";
import type { PlanPlate } from "../server/replies.ts";
import { type ShownPlan, isChamber, openPlate, plateName, shownPlan } from "../state/plan.ts";
import { Dialog } from "../widget/dialog.tsx";
import { shownTime } from "../widget/shown-time.ts";

const REASONS: Readonly<Record<string, string>> = {
  TOO_SHORT: "no printer could print it in time",
  MATERIAL: "changes of material",
  HOURS: "prints cannot be started at night",
  CAPACITY: "the printers have other plates",
};

/** Dialog with the plates and chambers of a plan; each can be opened as a scene. */
export function PlanDialog() {
  const plan = shownPlan.value;
  const [isBusy, setBusy] = useState(false);
  if (!plan) return null;
  const open = async (plate: PlanPlate): Promise<void> => {
    setBusy(true);
    await openPlate(plate);
    setBusy(false);
  };
  return (
    <Dialog title={`Plan ${plan.name}`} onClose={() => (shownPlan.value = undefined)} class="plan-dialog">
      <Summary plan={plan} />
      <div class="plan-plates" role="group" aria-label="Plates" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Plate</th>
              <th scope="col">Printer</th>
              <th scope="col">Printed</th>
              <th scope="col">Parts</th>
              <th scope="col">Due</th>
              <th scope="col" aria-label="Open" />
            </tr>
          </thead>
          <tbody>
            {plan.plates.map((plate) => (
              <PlateRow key={plate.plate} plate={plate} disabled={isBusy} onOpen={() => void open(plate)} />
            ))}
          </tbody>
        </table>
      </div>
      <Remarks plan={plan} />
    </Dialog>
  );
}

function PlateRow({ plate, disabled, onOpen }: { plate: PlanPlate; disabled: boolean; onOpen: () => void }) {
  const { plate: number, printer, starts_at, ends_at, parts, due, is_late, late_reason = "" } = plate;
  return (
    <tr class={is_late ? "late" : ""}>
      <th scope="row">{number}</th>
      <td>
        {printer}
        <small>
          {plate.material_code}, {plate.layer_thickness_mm} mm
        </small>
        {plate.height_mm !== undefined && (
          <small>
            Chamber, {Math.round(plate.height_mm)} mm high, {Math.round(100 * (plate.density ?? 0))} % full
          </small>
        )}
      </td>
      <td>
        {shownTime(starts_at)}
        <small>to {shownTime(ends_at)}</small>
      </td>
      <td>{parts.length}</td>
      <td>
        {due === undefined ? "–" : shownTime(due)}
        {is_late && <small class="why">Late: {REASONS[late_reason] ?? "the reason is unknown"}</small>}
      </td>
      <td>
        <button
          type="button"
          class="plain"
          disabled={disabled}
          onClick={onOpen}
          aria-label={`Open ${plateName(plate).toLowerCase()}`}
        >
          Open
        </button>
      </td>
    </tr>
  );
}

function Summary({ plan: { plates, late, is_cut_off } }: { plan: ShownPlan }) {
  const parts = plates.reduce((sum, plate) => sum + plate.parts.length, 0);
  const chambers = plates.filter(isChamber).length;
  const where = [
    ...(chambers < plates.length || plates.length === 0 ? [`on ${counted(plates.length - chambers, "plate")}`] : []),
    ...(chambers > 0 ? [`in ${counted(chambers, "chamber")}`] : []),
  ];
  return (
    <p class="note">
      {counted(parts, "part")} {where.join(" and ")}.{" "}
      {late.length === 0 ? "Nothing is late." : `${counted(late.length, "order")} will be late.`}
      {is_cut_off && " The time limit ended the search."}
    </p>
  );
}

/** What is not as it should be, in lists. */
function Remarks({ plan: { late, unplaced, split_groups } }: { plan: ShownPlan }) {
  return (
    <>
      <RemarkList
        title="Late orders"
        lines={late.map(({ order, due, ends_at, reason }) => {
          const why = REASONS[reason] ?? "the reason is unknown";
          return `${order}: due ${shownTime(due)}, printed ${shownTime(ends_at)}: ${why}`;
        })}
      />
      <RemarkList title="Left out" lines={unplaced.map(({ order, message }) => `${order}: ${message}`)} />
      <RemarkList
        title="Groups on more plates or chambers than they should be"
        lines={split_groups.map(({ group, plates }) => `${group}: ${plates.join(", ")}`)}
      />
    </>
  );
}

const RemarkList = ({ title, lines }: { title: string; lines: readonly string[] }) =>
  lines.length === 0 ? null : (
    <details class="options" open={lines.length <= FEW}>
      <summary>
        {title}: {lines.length}
      </summary>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </details>
  );

/** Longer lists are closed at first. */
const FEW = 8;
