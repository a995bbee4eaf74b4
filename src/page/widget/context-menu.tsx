import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { type MenuItem, MenuList, onMenuKey } from "./menu.tsx";

/** A point of the window, CSS pixels. */
export interface WindowPoint {
  readonly x: number;
  readonly y: number;
}

/** Distance from the edges of the window, px. */
const RIM_PX = 8;

/** A menu at a point of the window, as after a right click. It is open as long as it is rendered; the focus returns when it closes. */
export function ContextMenu(props: { name: string; at: WindowPoint; items: readonly MenuItem[]; onClose: () => void }) {
  const { name, at, items, onClose } = props;
  const ref = useRef<HTMLDivElement>(null);
  const opener = useRef<Element | null>(null);
  const [place, setPlace] = useState(at);
  const close = (): void => {
    onClose();
    if (opener.current instanceof HTMLElement) opener.current.focus();
  };
  useLayoutEffect(() => {
    opener.current = document.activeElement;
    const { width, height } = ref.current!.firstElementChild!.getBoundingClientRect();
    const within = (value: number, room: number): number => Math.max(RIM_PX, Math.min(value, room - RIM_PX));
    setPlace({ x: within(at.x, innerWidth - width), y: within(at.y, innerHeight - height) });
    ref.current!.querySelector<HTMLElement>("[role=menuitem]")?.focus();
    const onPointerDown = (event: PointerEvent): void => {
      if (!ref.current?.contains(event.target as Node)) onClose();
    };
    document.addEventListener("pointerdown", onPointerDown, { capture: true });
    return () => document.removeEventListener("pointerdown", onPointerDown, { capture: true });
  }, []);
  return (
    <div
      ref={ref}
      class="context-menu"
      style={{ left: `${place.x}px`, top: `${place.y}px` }}
      onKeyDown={(event) => onMenuKey(event, ref.current!, close)}
      onContextMenu={(event) => event.preventDefault()}
    >
      <MenuList name={name} items={items} close={close} />
    </div>
  );
}
