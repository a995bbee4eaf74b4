import { signal } from "@preact/signals";

/** Help text of the field that has the pointer or the focus. */
export const helpText = signal("");

/** Line below the forms that explains a field. It has a fixed place, so that the fields do not move. Screen readers get the help from the fields. */
export function HelpLine() {
  return (
    <div class="help" aria-hidden="true">
      <p>{helpText.value}</p>
    </div>
  );
}
