import { useRef } from "preact/hooks";
import { type PhonePanel, heightAfterDrag, nextHeight, phonePanel, sheetHeight } from "../state/phone.ts";
import { canPrint, openPrint } from "../state/print.ts";
import { isPrinting } from "../state/running-prints.ts";
import { Icon, type IconName } from "../widget/icon.tsx";

const PANELS: readonly [panel: PhonePanel, text: string, icon: IconName][] = [
  ["VIEW", "View", "home"],
  ["PARTS", "Parts", "list"],
  ["STEPS", "Steps", "check"],
];

/** The bar at the lower edge of a phone, which chooses what is shown. Wider screens hide it. */
export function PhoneBar() {
  return (
    <nav class="phone-bar" aria-label="Shown on this screen">
      {PANELS.map(([panel, text, icon]) => (
        <button
          key={panel}
          type="button"
          aria-pressed={phonePanel.value === panel}
          onClick={() => (phonePanel.value = panel)}
        >
          <Icon name={icon} />
          {text}
        </button>
      ))}
      <button type="button" disabled={!canPrint.value} onClick={openPrint}>
        {isPrinting.value ? <i class="ring" /> : <Icon name="printer" />}
        Print
      </button>
    </nav>
  );
}

/** Handle of the sheet with the steps on a phone: a drag or a press changes its height. */
export function SheetHandle() {
  /** Where the pointer went down, and whether it has dragged the sheet since. */
  const drag = useRef({ fromY: 0, hasMoved: false });
  return (
    <button
      type="button"
      class="sheet-handle"
      onPointerDown={({ clientY, currentTarget, pointerId }) => {
        drag.current = { fromY: clientY, hasMoved: false };
        currentTarget.setPointerCapture(pointerId);
      }}
      onPointerUp={({ clientY }) => {
        const next = heightAfterDrag(sheetHeight.value, drag.current.fromY - clientY, window.innerHeight);
        drag.current.hasMoved = next !== sheetHeight.value;
        sheetHeight.value = next;
      }}
      onClick={() => {
        if (!drag.current.hasMoved) sheetHeight.value = nextHeight(sheetHeight.value);
        drag.current.hasMoved = false;
      }}
    >
      <i />
      {sheetHeight.value === "FULL" ? "Smaller" : "Larger"}
    </button>
  );
}
