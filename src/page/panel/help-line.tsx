import { signal } from "@preact/signals";

/** What the field under the pointer, or in focus, means. */
export const helpText = signal("");

/** A strip below the forms that explains a field, so that nothing else moves when it appears. Fields name their help themselves. */
export function HelpLine() {
  return (
    <p class="help" aria-hidden="true">
      {helpText.value}
    </p>
  );
}
