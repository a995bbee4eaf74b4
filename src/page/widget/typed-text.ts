import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** A text field that shows a value of the page, except while the user types in it. */
export interface TypedText {
  /** Reference for the `input` element, which must have no `value` attribute. */
  readonly ref: RefObject<HTMLInputElement | null>;
  /** Shows the value of the page, unless the field has the focus. */
  show(): void;
}

/** Keeps the typed text while the component is rendered again. */
export function useTypedText(value: string): TypedText {
  const ref = useRef<HTMLInputElement>(null);
  const latest = useRef(value);
  latest.current = value;
  const show = (): void => {
    const input = ref.current;
    if (input && document.activeElement !== input) input.value = latest.current;
  };
  useLayoutEffect(show);
  return { ref, show };
}
