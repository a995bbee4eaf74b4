import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { IconButton } from "./icon.tsx";

/** A modal dialog. It is open as long as it is rendered; the browser handles focus and Escape. */
export function Dialog(props: { title: string; onClose: () => void; children: ComponentChildren; class?: string }) {
  const { title, onClose, children } = props;
  const ref = useRef<HTMLDialogElement>(null);
  // A layout effect, so that the focus is in the dialog before the next key press.
  useLayoutEffect(() => {
    const dialog = ref.current!;
    const opener = document.activeElement;
    dialog.showModal();
    dialog.querySelector<HTMLElement>("form :is(input, select):not(:disabled)")?.focus();
    return () => {
      dialog.close();
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return (
    <dialog
      ref={ref}
      class={props.class ?? ""}
      aria-labelledby="dialog-title"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // Browsers close the dialog without a cancel event if Escape is pressed repeatedly.
      onClose={onClose}
      onMouseDown={(event) => event.target === ref.current && onClose()}
    >
      <div class="dialog-body">
        <header>
          <h2 id="dialog-title">{title}</h2>
          <IconButton icon="close" name="Close" onClick={onClose} />
        </header>
        {children}
      </div>
    </dialog>
  );
}
