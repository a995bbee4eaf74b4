import { useEffect, useRef, useState } from "preact/hooks";
import { duration } from "../../core/quantities.ts";
import type { Values } from "../../feature/page-row.ts";
import type { PageSetting } from "../../ui/replies.ts";
import { fieldsOf } from "../action/form-field.ts";
import { bodyOf, problemOf } from "../action/form-values.ts";
import { inPageWords } from "../action/page-words.ts";
import { endpointForm } from "../server/endpoints.ts";
import type { FittedResin } from "../server/replies.ts";
import { type KeptPlate, fitResin, keepPlate, keptPlate, saveMachines, savePlate } from "../state/calibration.ts";
import { Dialog } from "../widget/dialog.tsx";
import { FormFields } from "./form-fields.tsx";

const COMBINATION = ["machine_type", "material_code", "layer_thickness_mm"];
const PLATE_FIELDS = fieldsOf(endpointForm("/v1/calibration/plate/").body, [
  ...COMBINATION,
  "output_file",
  "form_file",
]);
const FIT_FIELDS = fieldsOf(endpointForm("/v1/calibration/fit/").body, [
  "form_file",
  "plate",
  "readings",
  "machine_type",
  "output_file",
]);

/** The figures in words. */
const FIGURES: Readonly<Record<string, readonly [label: string, unit: string]>> = {
  exposure_s: ["Recommended exposure", "s"],
  exposure_ratio: ["Dose of white, in least doses", ""],
  penetration_mm: ["Depth of the light", "mm"],
  blur_mm: ["Blur", "mm"],
  edge_growth_mm: ["Growth of edges", "mm"],
  print_through_mm: ["Print-through", "mm"],
  scale_x: ["Printed length ÷ true length, x", ""],
  scale_y: ["Printed length ÷ true length, y", ""],
  scale_z: ["Printed length ÷ true length, z", ""],
  response_exponent: ["Response of the panel, exponent", ""],
  dose_memory: ["How well doses add up", ""],
};

/** Dialog that calibrates the resin of the scene by one print: its plate, what was read from it, and what follows. */
export function CalibrationDialog({ setting, onClose }: { setting: PageSetting; onClose: () => void }) {
  const [plate, setPlate] = useState<KeptPlate | undefined>(() => keptPlate(setting));
  const [isBusy, setBusy] = useState(false);
  const busy = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    await work();
    setBusy(false);
  };
  return (
    <Dialog title="Calibrate the resin" onClose={onClose} class="calibration-dialog">
      <PlateForm
        disabled={isBusy}
        onSave={(options) =>
          void busy(async () => {
            const written = await savePlate(setting, options);
            if (written) setPlate(written);
          })
        }
      />
      {plate && (
        <ReadingsForm
          key={JSON.stringify(plate.plate)}
          plate={plate}
          disabled={isBusy}
          onFit={busy}
          onRead={(values) => {
            const read = { ...plate, values };
            keepPlate(read);
            setPlate(read);
          }}
        />
      )}
    </Dialog>
  );
}

function PlateForm({ disabled, onSave }: { disabled: boolean; onSave: (options: object) => void }) {
  const [values, setValues] = useState<Values>({});
  const problem = problemOf(PLATE_FIELDS, values);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (problem === undefined) onSave(bodyOf(PLATE_FIELDS, values));
      }}
    >
      <h3>1. Print the plate</h3>
      <p class="note">One print of about half an hour, for the printer, material and layer thickness of the scene.</p>
      <FormFields fields={PLATE_FIELDS} basic={["exposure_s"]} values={values} onChange={setValues} />
      {problem !== undefined && <p class="problem">{problem}</p>}
      <footer>
        <button type="submit" class="primary" disabled={disabled || problem !== undefined}>
          Save plate
        </button>
      </footer>
    </form>
  );
}

function ReadingsForm(props: {
  plate: KeptPlate;
  disabled: boolean;
  onRead: (values: KeptPlate["values"]) => void;
  onFit: (work: () => Promise<void>) => Promise<void>;
}) {
  const { plate, disabled, onRead, onFit } = props;
  const { readings, values, print_time_s, warnings } = plate;
  const [options, setOptions] = useState<Values>({});
  const [fitted, setFitted] = useState<FittedResin>();
  const problem = problemOf(FIT_FIELDS, options);
  const count = Object.values(values).filter((text) => text.trim() !== "").length;
  const submit = (event: Event): void => {
    event.preventDefault();
    if (problem !== undefined || count === 0) return;
    void onFit(async () => setFitted((await fitResin(plate, bodyOf(FIT_FIELDS, options)))?.result));
  };
  return (
    <form noValidate onSubmit={submit}>
      <h3>2. Read the print</h3>
      <p class="note">
        The print takes {duration(print_time_s)}. Numbers stand on the plate; leave empty what cannot be read. {count}{" "}
        of {readings.length} are filled in, and kept in this browser.
      </p>
      <Remarks warnings={warnings} />
      <div class="readings" role="group" aria-label="Readings">
        {readings.map(({ patch, measure, unit }) => (
          <label key={patch}>
            <b>{patch}</b>
            <span>{measure}</span>
            <input
              type="text"
              inputMode="decimal"
              autocomplete="off"
              value={values[patch] ?? ""}
              onChange={(event) => onRead({ ...values, [patch]: event.currentTarget.value })}
            />
            <span class="unit">{unit === "mm" ? "mm" : ""}</span>
          </label>
        ))}
      </div>
      <FormFields fields={FIT_FIELDS} basic={["resin_code"]} values={options} onChange={setOptions} />
      {problem !== undefined && <p class="problem">{problem}</p>}
      <footer>
        <button type="submit" class="primary" disabled={disabled || problem !== undefined || count === 0}>
          Compute
        </button>
      </footer>
      {fitted && <Figures fitted={fitted} />}
    </form>
  );
}

function Figures({ fitted }: { fitted: FittedResin }) {
  const rounded = (value: number): string => String(Number(value.toPrecision(4)));
  const section = useRef<HTMLElement>(null);
  useEffect(() => section.current?.scrollIntoView({ block: "start" }), [fitted]);
  return (
    <section ref={section} aria-label="Figures">
      <h3>3. Use the figures</h3>
      <Remarks warnings={fitted.warnings} />
      <dl class="figures">
        {fitted.figures.map(({ name, value, standard_error, is_determined, needs }) => {
          const [label, unit] = FIGURES[name] ?? [name, ""];
          const text = is_determined
            ? `${rounded(value)} ± ${Number(standard_error.toPrecision(2))} ${unit}`
            : `not determined: read ${needs}`;
          return (
            <div key={name}>
              <dt>{label}</dt>
              <dd>{text}</dd>
            </div>
          );
        })}
      </dl>
      <p class="note">Start Printwright with this file, as --machines machines.json, and choose the resin.</p>
      <footer>
        <button type="button" class="plain" onClick={() => saveMachines(fitted)}>
          Save resin file
        </button>
      </footer>
    </section>
  );
}

const Remarks = ({ warnings }: { warnings: readonly string[] }) => (
  <>
    {warnings.map((warning) => (
      <p key={warning} class="note">
        {inPageWords(warning)}
      </p>
    ))}
  </>
);
