import { shortNumber } from "../../core/quantities.ts";
import { AXIS_INDICES, type Axis, dot, vec3Of } from "../../geometry/vector.ts";
import { type CutSettings, applyCut, cutKeys, cutMiddle, cutPlane, cutSettings, moveCut } from "../state/cut.ts";
import { trial } from "../state/preview.ts";
import { chooseTool } from "../state/view-state.ts";
import { AXIS_NAMES } from "../view/axes.ts";
import { anglesOf, flippedPlane, normalOf, onPlane } from "../view/cut-plane.ts";
import type { CutPlane } from "../view/view.ts";
import { NumberCell } from "../widget/number-cell.tsx";
import { TrialLine } from "./trial-line.tsx";

/** The form of the tool that cuts: the plane in numbers, what is kept, and the keys. */
export function CutForm() {
  const plane = cutPlane.value;
  const settings = cutSettings.value;
  const set = (part: Partial<CutSettings>): void => void (cutSettings.value = { ...settings, ...part });
  const submit = (event: Event): void => {
    event.preventDefault();
    void applyCut();
  };
  return (
    <form class="action cut-form" aria-labelledby="cut-title" noValidate onSubmit={submit}>
      <h3 id="cut-title">Cut</h3>
      <TrialLine path="/v1/scene/model/cut/" />
      {plane && <PlaneFields plane={plane} />}
      <Choice
        name="Keep"
        value={settings.keep}
        values={{ BOTH: "Both parts", ABOVE: "Upper part", BELOW: "Lower part" }}
        onChange={(keep) => set({ keep })}
      />
      <Choice
        name="Keys"
        value={settings.keys}
        values={{ NONE: "None", AUTO: "Automatic", PLACED: "Where I click" }}
        onChange={(keys) => set({ keys })}
      />
      {settings.keys === "PLACED" && <KeyFields settings={settings} set={set} />}
      {settings.keys !== "NONE" && (
        <NumberRow
          label="Play"
          unit="mm"
          name="Play of keys on all sides, mm"
          value={shortNumber(settings.playMm)}
          onChange={(playMm) => set({ playMm })}
        />
      )}
      <label class="check-line">
        <input
          type="checkbox"
          checked={settings.isLaidDown}
          onChange={(event) => set({ isLaidDown: event.currentTarget.checked })}
        />
        Lay cut faces down
      </label>
      <div class="submit">
        <button type="submit" class="primary" disabled={!trial.value || trial.value.state === "REFUSED"}>
          Cut
        </button>
        <button type="button" class="plain" onClick={() => chooseTool("select")}>
          Cancel
        </button>
      </div>
    </form>
  );
}

/** Direction, place and angles of the plane. */
function PlaneFields({ plane }: { plane: CutPlane }) {
  const { normal, atMm } = plane;
  const middle = cutMiddle.value;
  const { tiltDeg, towardDeg } = anglesOf(normal);
  const isAcross = (axis: Axis): boolean => Math.abs(normal[axis]) > 1 - 1e-9;
  // A level plane has a height; others are told by their distance from the middle of the parts.
  const isLevel = isAcross(2);
  const zeroMm = isLevel ? 0 : dot(normal, middle);
  const sign = isLevel ? normal[2] : 1;
  const turn = (tilt: number, toward: number): void => {
    const turned = normalOf(tilt, toward);
    moveCut({ normal: turned, atMm: dot(turned, onPlane(plane, middle)) });
  };
  return (
    <>
      <div class="segments" role="group" aria-label="Cut across">
        {AXIS_INDICES.map((axis) => {
          const across = vec3Of((one) => (one === axis ? 1 : 0));
          return (
            <button
              key={axis}
              type="button"
              aria-label={`Cut across ${AXIS_NAMES[axis]}`}
              aria-pressed={isAcross(axis)}
              onClick={() => moveCut({ normal: across, atMm: middle[axis] })}
            >
              {AXIS_NAMES[axis].toUpperCase()}
            </button>
          );
        })}
        <button type="button" onClick={() => moveCut(flippedPlane(plane))}>
          Flip
        </button>
      </div>
      <NumberRow
        label={isLevel ? "Above plate" : "From the middle"}
        unit="mm"
        name={isLevel ? "Cut above plate, mm" : "Cut from the middle, mm"}
        value={shortNumber(sign * (atMm - zeroMm))}
        onChange={(mm) => moveCut({ normal, atMm: zeroMm + sign * mm })}
      />
      <NumberRow
        label="Tilt"
        unit="°"
        name="Tilt of the cut, degrees"
        value={shortNumber(tiltDeg, 1)}
        onChange={(degrees) => turn(degrees, towardDeg)}
      />
      <NumberRow
        label="Toward"
        unit="°"
        name="Direction of the tilt, degrees"
        value={shortNumber(towardDeg, 1)}
        onChange={(degrees) => turn(tiltDeg, degrees)}
      />
    </>
  );
}

/** Kind, shape and size of keys at chosen places. */
function KeyFields({ settings, set }: { settings: CutSettings; set: (part: Partial<CutSettings>) => void }) {
  const count = cutKeys.value.length;
  return (
    <>
      <Choice
        name="Kind"
        value={settings.kind}
        values={{ PEG: "Peg", DOWEL: "Dowel" }}
        onChange={(kind) => set({ kind })}
      />
      <Choice
        name="Shape"
        value={settings.shape}
        values={{ ROUND: "Round", SQUARE: "Square", HEXAGON: "Hexagon" }}
        onChange={(shape) => set({ shape })}
      />
      <NumberRow
        label="Size"
        unit="mm"
        name="Size of keys, mm"
        value={shortNumber(settings.sizeMm)}
        onChange={(sizeMm) => set({ sizeMm })}
      />
      <NumberRow
        label="Depth"
        unit="mm"
        name="Depth of keys, mm"
        value={shortNumber(settings.depthMm)}
        onChange={(depthMm) => set({ depthMm })}
      />
      {settings.shape !== "ROUND" && (
        <NumberRow
          label="Turn"
          unit="°"
          name="Turn of keys, degrees"
          value={shortNumber(settings.turnDeg, 1)}
          onChange={(turnDeg) => set({ turnDeg })}
        />
      )}
      <p class="note">
        {count === 0
          ? "Click in the cut face, or press Space for its middle in the view."
          : `${count} placed. Click one again to remove it.`}{" "}
        {count > 0 && (
          <button type="button" class="link" onClick={() => (cutKeys.value = [])}>
            Remove all
          </button>
        )}
      </p>
    </>
  );
}

/** A line with a number. */
function NumberRow(props: {
  label: string;
  unit: string;
  /** Name of the field for screen readers. */
  name: string;
  value: string;
  onChange: (value: number) => void;
}) {
  const { label, unit, name, value, onChange } = props;
  return (
    <div class="field">
      <span>{label}</span>
      <span class="number">
        <NumberCell name={name} value={value} onChange={onChange} />
        <span class="unit" aria-hidden="true">
          {unit}
        </span>
      </span>
    </div>
  );
}

function Choice<Value extends string>(props: {
  name: string;
  value: Value;
  values: Readonly<Record<Value, string>>;
  onChange: (value: Value) => void;
}) {
  const { name, value, values, onChange } = props;
  return (
    <label class="field">
      <span>{name}</span>
      <select aria-label={name} value={value} onChange={(event) => onChange(event.currentTarget.value as Value)}>
        {(Object.entries(values) as [Value, string][]).map(([one, words]) => (
          <option key={one} value={one}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}
