import { useEffect, useState } from "preact/hooks";
import type { Values } from "../../feature/page-row.ts";
import { type FormField, fieldsOf } from "../action/form-field.ts";
import { bodyOf, problemOf } from "../action/form-values.ts";
import { endpointForm } from "../server/endpoints.ts";
import type { CatalogPrinter } from "../server/replies.ts";
import { type MadePrinter, fetchCatalog } from "../state/catalog.ts";
import { type ShownJob, saveJobAs } from "../state/job-file.ts";
import { rememberPrinter } from "../state/recent-printers.ts";
import { notifyFailure } from "../state/tasks.ts";
import { Dialog } from "../widget/dialog.tsx";
import { FormFields } from "./form-fields.tsx";
import { PrinterField } from "./printer-field.tsx";

const FIELDS = fieldsOf(endpointForm("/v1/job/convert/").body, ["file", "output_file", "machine_type"]);

/** The fields of the form; empty ones show what the job has. */
function fieldsFor({ exposure }: ShownJob["facts"]): readonly FormField[] {
  const present: Readonly<Record<string, unknown>> = { ...exposure, ...exposure?.cycle };
  return FIELDS.map((field) => {
    const value = present[field.name];
    return { ...field, emptyText: typeof value === "number" ? String(value) : "unchanged" };
  });
}

/** Dialog for the machine and the exposures with which a job is written anew. */
export function JobSaveDialog({ job, onClose }: { job: ShownJob; onClose: () => void }) {
  const { machine_types, printer_name = "its machine" } = job.facts;
  const [types, setTypes] = useState<readonly MadePrinter[]>([]);
  const [printer, setPrinter] = useState<CatalogPrinter>();
  const [values, setValues] = useState<Values>({});
  useEffect(() => {
    fetchCatalog().then(
      (list) => {
        setTypes(list.filter(({ family }) => family === "resin"));
        setPrinter(list.find((type) => machine_types.some(({ machine_type }) => machineOf(type) === machine_type)));
      },
      (thrown) => notifyFailure("Printers", thrown),
    );
  }, []);
  const problem = problemOf(FIELDS, values);
  const submit = (event: Event): void => {
    event.preventDefault();
    if (problem !== undefined) return;
    if (printer) rememberPrinter(printer.label);
    void saveJobAs(job, { ...bodyOf(FIELDS, values), ...(printer && { machine_type: machineOf(printer) }) });
    onClose();
  };
  return (
    <Dialog title="Save as…" onClose={onClose} class="scene-dialog">
      <form noValidate onSubmit={submit}>
        <PrinterField types={types} printer={printer} onChange={setPrinter} />
        {!printer && <p class="note">Until a printer is chosen, the job stays for {printer_name}.</p>}
        <FormFields
          fields={fieldsFor(job.facts)}
          basic={["exposure_s", "bottom_exposure_s"]}
          values={values}
          onChange={setValues}
        />
        {problem !== undefined && <p class="problem">{problem}</p>}
        <footer>
          <button type="submit" class="primary" disabled={problem !== undefined}>
            Save
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

/** The machine type of a printer; all of its settings have the same one. */
const machineOf = ({ materials }: CatalogPrinter): string | undefined =>
  materials[0]?.material_settings[0]?.scene_settings.machine_type;
