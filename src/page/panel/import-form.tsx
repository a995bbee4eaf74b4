import { IMPORT_EXTENSIONS, IMPORT_FIELDS, chooseModels } from "../state/import-files.ts";
import { formValues, setValues } from "../state/run-action.ts";
import { FormFields } from "./form-fields.tsx";

const IMPORT = "/v1/scene/model/import/";
const BASIC = ["units", "repair_behavior"];

/** Options of imports. They also apply to files that are dropped. */
export function ImportForm() {
  return (
    <form class="action" aria-label="Import" noValidate onSubmit={(event) => event.preventDefault()}>
      <div class="submit">
        <button type="button" onClick={chooseModels}>
          Choose files…
        </button>
        <small>or drop them anywhere</small>
      </div>
      <FormFields
        fields={IMPORT_FIELDS}
        basic={BASIC}
        values={formValues.value[IMPORT] ?? {}}
        onChange={(values) => setValues(IMPORT, values)}
      />
      <p class="note">
        Imports {IMPORT_EXTENSIONS.map((one) => one.slice(1)).join(", ")}; opens form projects; applies fps print
        settings; shows the jobs of printers.
      </p>
    </form>
  );
}
