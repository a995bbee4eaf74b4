import { useLayoutEffect, useRef } from "preact/hooks";

/**
 * A field for a new name, in the place of the old one. Enter and leaving it confirm, Escape keeps the old name. `byKey` is false if a
 * click elsewhere has confirmed, which has the focus then.
 */
export function RenameInput(props: {
  label: string;
  name: string;
  longest?: number;
  onDone: (text: string, byKey: boolean) => void;
}) {
  const { label, name, longest, onDone } = props;
  const input = useRef<HTMLInputElement>(null);
  const isOver = useRef(false);
  const done = (text: string, byKey: boolean): void => {
    if (isOver.current) return;
    isOver.current = true;
    onDone(text, byKey);
  };
  useLayoutEffect(() => {
    input.current!.focus();
    input.current!.select();
  }, []);
  return (
    <input
      ref={input}
      class="name"
      aria-label={label}
      defaultValue={name}
      {...(longest !== undefined && { maxLength: longest })}
      onClick={(event) => event.stopPropagation()}
      onBlur={(event) => done(event.currentTarget.value, false)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === "Enter") done(event.currentTarget.value, true);
        if (event.key === "Escape") done(name, true);
      }}
    />
  );
}
