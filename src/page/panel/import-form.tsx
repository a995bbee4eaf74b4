import { IMPORT_EXTENSIONS, IMPORT_FIELDS, chooseModels } from "../state/import-files.ts";
import { scene } from "../state/project.ts";
import { formValues, setValues } from "../state/run-action.ts";
import { FormFields } from "./form-fields.tsx";

const IMPORT = "/v1/scene/model/import/";

/** Options of imports. They also apply to files that are dropped. */
export function ImportForm() {
  const isEmpty = (scene.value?.models.length ?? 0) === 0;
  return (
    <form class="action" aria-label="Import" noValidate onSubmit={(event) => event.preventDefault()}>
      <div class="submit">
        <button type="button" onClick={chooseModels}>
          Choose files
        </button>
        <small>or drop them anywhere</small>
      </div>
      <FormFields
        fields={IMPORT_FIELDS}
        basic={[]}
        values={formValues.value[IMPORT] ?? {}}
        onChange={(values) => setValues(IMPORT, values)}
      />
      {isEmpty && (
        <p class="note" title={IMPORT_EXTENSIONS.join(", ")}>
          STL, 3MF, OBJ, STEP, IGES and {IMPORT_EXTENSIONS.length - 5} more, projects (.form), print settings (.fps) and
          jobs of printers.
        </p>
      )}
    </form>
  );
}
