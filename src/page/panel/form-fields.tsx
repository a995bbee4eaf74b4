import type { FormField } from "../action/form-field.ts";
import type { Conditions, Values } from "../../feature/page-row.ts";
import { isActive } from "../action/form-values.ts";
import { FieldInput } from "./field-input.tsx";

/** Fields of a form: the basic ones, and the others folded under "Options". */
export function FormFields(props: {
  fields: readonly FormField[];
  basic: readonly string[];
  values: Values;
  conditions?: Conditions | undefined;
  disabled?: boolean;
  onChange: (values: Values) => void;
}) {
  const { fields, basic, values, conditions = {}, disabled = false, onChange } = props;
  const shown = fields.filter(({ name }) => basic.includes(name));
  const folded = fields.filter(({ name }) => !basic.includes(name));
  const changed = folded.filter(({ name }) => values[name] !== undefined).length;
  const input = (field: FormField) => (
    <FieldInput
      key={field.name}
      field={field}
      values={values}
      disabled={disabled || !isActive(field, fields, values, conditions)}
      onChange={onChange}
    />
  );
  return (
    <>
      {shown.map(input)}
      {folded.length > 0 && (
        <details class="options">
          <summary>
            Options
            {changed > 0 && <span class="badge">{changed} changed</span>}
          </summary>
          {folded.map(input)}
          {changed > 0 && (
            <button
              type="button"
              class="link"
              onClick={() => onChange(Object.fromEntries(basic.map((name) => [name, values[name]])))}
            >
              Reset options
            </button>
          )}
        </details>
      )}
    </>
  );
}
