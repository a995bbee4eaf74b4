import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** A field of text whose value is the page's, except while somebody types in it. */
export interface TypedText {
  /** Of the `input`, which gets no `value` of its own. */
  readonly ref: RefObject<HTMLInputElement | null>;
  /** Puts the page's value in, for when the field was left or its change has been answered. */
  show(): void;
}

/** What is being typed stays while the page is drawn anew around it. */
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
