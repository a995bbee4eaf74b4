import { signal } from "@preact/signals";

/** What the field under the pointer, or in focus, means. */
export const helpText = signal("");

/** A strip below the forms that explains a field, so that nothing moves from under the pointer. Fields name their help themselves. */
export function HelpLine() {
  return (
    <div class="help" aria-hidden="true">
      <p>{helpText.value}</p>
    </div>
  );
}
