import { parseNumber } from "./quantities.ts";
import { useTypedText } from "./typed-text.ts";

/** A field for one number, without a label in view. Its value is sent when it loses the focus. */
export function NumberCell(props: {
  name: string;
  /** Its edge has the colour of this axis. */
  axis?: "x" | "y" | "z";
  /** Undefined if it stands for several values. */
  value: string | undefined;
  onChange: ((value: number) => unknown) | undefined;
}) {
  const { name, axis, value = "", onChange } = props;
  const { ref, show } = useTypedText(value);
  return (
    <input
      ref={ref}
      type="text"
      inputMode="decimal"
      autocomplete="off"
      aria-label={name}
      data-axis={axis}
      placeholder="mixed"
      disabled={onChange === undefined}
      onFocus={(event) => event.currentTarget.select()}
      onKeyDown={(event) => {
        if (event.key === "Escape") event.currentTarget.value = value;
        if (event.key === "Enter" || event.key === "Escape") event.currentTarget.blur();
      }}
      onBlur={async (event) => {
        const text = event.currentTarget.value;
        const typed = parseNumber(text);
        // Shows the typed value until the server confirms.
        if (typed !== undefined && text !== value) await onChange?.(typed);
        show();
      }}
    />
  );
}
