import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { IconButton } from "./icon.tsx";

/** A window over the page, with the browser's own handling of focus and Escape. It is open as long as it is there. */
export function Dialog(props: { title: string; onClose: () => void; children: ComponentChildren; class?: string }) {
  const { title, onClose, children } = props;
  const ref = useRef<HTMLDialogElement>(null);
  // Before the next key comes, which must find the focus where it belongs.
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
      // Browsers close it without asking where Escape is pressed again and again.
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
