import { useId } from "preact/hooks";
import type { ChoiceField, FormField, NumberField, SwitchField, TextField } from "../action/form-field.ts";
import type { Values } from "../../feature/page-row.ts";
import { valueOf } from "../action/form-values.ts";
import { inPageWords } from "../action/page-words.ts";
import { parseNumber } from "../widget/quantities.ts";
import { useTypedText } from "../widget/typed-text.ts";
import { helpText } from "./help-line.tsx";

interface InputProps<Kind extends FormField> {
  readonly field: Kind;
  readonly id: string;
  readonly values: Values;
  readonly disabled: boolean;
  set(value: unknown): void;
}

/** A field of a form with its label. The help line explains it while it has the pointer or the focus. */
export function FieldInput(props: {
  field: FormField;
  values: Values;
  disabled: boolean;
  onChange: (values: Values) => void;
}) {
  const { field, values, disabled, onChange } = props;
  const id = useId();
  const set = (value: unknown): void => onChange({ ...values, [field.name]: value });
  const input = { id, values, disabled, set };
  if (field.kind === "group") {
    const inner = (values[field.name] ?? {}) as Values;
    return (
      <fieldset class="field-group" disabled={disabled}>
        <legend>{field.label}</legend>
        {field.fields.map((one) => (
          <FieldInput key={one.name} field={one} values={inner} disabled={disabled} onChange={set} />
        ))}
      </fieldset>
    );
  }
  const help = inPageWords(field.help);
  return (
    <div
      class={`field field-${field.kind} ${(field.emptyText?.length ?? 0) > LONG_TEXT ? "field-wide" : ""}`}
      data-disabled={disabled}
      onFocusCapture={() => (helpText.value = help)}
      onBlurCapture={() => (helpText.value = "")}
      onMouseEnter={() => (helpText.value = help)}
      onMouseLeave={() => (helpText.value = "")}
    >
      <label for={id}>
        {field.label}
        {field.required && !("preset" in field) && <span class="required"> (needed)</span>}
      </label>
      {field.kind === "number" && <NumberInput field={field} {...input} />}
      {field.kind === "switch" && <SwitchInput field={field} {...input} />}
      {field.kind === "choice" && <ChoiceInput field={field} {...input} />}
      {field.kind === "text" && <TextInput field={field} {...input} />}
      <p id={`${id}-help`} class="hidden">
        {help}
      </p>
    </div>
  );
}

/** Longer texts of empty fields do not fit into the usual width, in characters. */
const LONG_TEXT = 12;

function NumberInput({ field, id, values, disabled, set }: InputProps<NumberField>) {
  const value = valueOf(field, values);
  const { word } = field;
  const isWord = word !== undefined && (value === word || value === undefined);
  const empty = field.preset === undefined && !field.required ? (field.emptyText ?? "auto") : "";
  const { ref, show } = useTypedText(isWord || value === undefined ? "" : String(value));
  return (
    <span class="number">
      {word !== undefined && (
        <label class="word">
          <input
            type="checkbox"
            checked={isWord}
            disabled={disabled}
            onChange={(event) => set(event.currentTarget.checked ? word : (field.minimum ?? 5))}
          />
          {word.charAt(0) + word.slice(1).toLowerCase()}
        </label>
      )}
      <input
        ref={ref}
        id={id}
        type="text"
        inputMode="decimal"
        autocomplete="off"
        disabled={disabled || isWord}
        placeholder={empty}
        title={empty.length > LONG_TEXT ? empty : undefined}
        aria-describedby={`${id}-help`}
        onChange={(event) => {
          const text = event.currentTarget.value;
          set(text.trim() === "" ? undefined : (parseNumber(text) ?? text));
        }}
        onBlur={show}
      />
      <span class="unit" aria-hidden="true">
        {field.unit}
      </span>
    </span>
  );
}

/** On and off, and "Auto" if the print setting decides by default. */
function SwitchInput({ field, id, values, disabled, set }: InputProps<SwitchField>) {
  const value = valueOf(field, values);
  if (field.preset !== undefined) {
    return (
      <input
        id={id}
        type="checkbox"
        checked={value === true}
        disabled={disabled}
        aria-describedby={`${id}-help`}
        onChange={(event) => set(event.currentTarget.checked)}
      />
    );
  }
  return (
    <select
      id={id}
      disabled={disabled}
      aria-describedby={`${id}-help`}
      value={value === undefined ? "" : String(value)}
      onChange={(event) => set({ true: true, false: false }[event.currentTarget.value])}
    >
      <option value="">{field.emptyText ?? "Auto"}</option>
      <option value="true">On</option>
      <option value="false">Off</option>
    </select>
  );
}

function ChoiceInput({ field, id, values, disabled, set }: InputProps<ChoiceField>) {
  return (
    <select
      id={id}
      disabled={disabled}
      aria-describedby={`${id}-help`}
      value={String(valueOf(field, values) ?? "")}
      onChange={(event) => set(event.currentTarget.value || undefined)}
    >
      {field.preset === undefined && <option value="">{field.emptyText ?? "Auto"}</option>}
      {field.choices.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}

function TextInput({ field, id, values, disabled, set }: InputProps<TextField>) {
  return (
    <input
      id={id}
      type="text"
      disabled={disabled}
      maxLength={Math.min(field.longest, 1000)}
      value={String(valueOf(field, values) ?? "")}
      aria-describedby={`${id}-help`}
      onInput={(event) => set(event.currentTarget.value || undefined)}
    />
  );
}
