import { useEffect, useRef, useState } from "preact/hooks";
import { Icon, type IconName } from "./icon.tsx";

export interface MenuItem {
  readonly label: string;
  /** A second line, such as why it is disabled. */
  readonly note?: string | undefined;
  readonly disabled?: boolean;
  run(): void;
}

/** A button that opens a list of commands. Arrow keys move the focus through it, Escape closes it. */
export function Menu(props: {
  name: string;
  icon: IconName;
  items: readonly MenuItem[];
  text?: string;
  class?: string;
}) {
  const { name, icon, items, text } = props;
  const [isOpen, setOpen] = useState(false);
  const ref = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (!isOpen) return undefined;
    ref.current!.querySelector<HTMLElement>("[role=menuitem]")?.focus();
    const close = (event: PointerEvent): void => {
      if (!ref.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener("pointerdown", close);
    return () => document.removeEventListener("pointerdown", close);
  }, [isOpen]);

  const close = (): void => {
    setOpen(false);
    ref.current?.querySelector<HTMLElement>("button")?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isOpen) onMenuKey(event, ref.current!, close, () => setOpen(false));
  };

  return (
    <div class="menu" ref={ref} onKeyDown={onKeyDown}>
      <button
        type="button"
        class={props.class ?? (text === undefined ? "icon-button" : "plain")}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-label={text === undefined || props.class !== undefined ? name : undefined}
        title={name}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name={icon} />
        {text !== undefined && <span>{text}</span>}
      </button>
      {isOpen && <MenuList name={name} items={items} close={close} />}
    </div>
  );
}

/** Handles a key in an open menu: arrows move the focus, Escape closes it, Tab leaves it. */
export function onMenuKey(event: KeyboardEvent, menu: HTMLElement, close: () => void, leave = close): void {
  const all = [...menu.querySelectorAll<HTMLElement>("[role=menuitem]")];
  const to = targetOfKey(event.key, all.indexOf(document.activeElement as HTMLElement), all.length);
  if (event.key === "Tab") return leave();
  if (to !== undefined) all[to]?.focus();
  else if (event.key === "Escape") close();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

export function MenuList({ name, items, close }: { name: string; items: readonly MenuItem[]; close: () => void }) {
  return (
    <div class="menu-list" role="menu" aria-label={name}>
      {items.map(({ label, note, disabled = false, run }) => (
        <button
          key={label}
          type="button"
          role="menuitem"
          tabIndex={-1}
          aria-disabled={disabled}
          onClick={() => {
            if (disabled) return;
            close();
            run();
          }}
        >
          {label}
          {note !== undefined && <small>{note}</small>}
        </button>
      ))}
    </div>
  );
}

/** Index of the item to which a key moves the focus from the item `at`; undefined for other keys. */
function targetOfKey(key: string, at: number, count: number): number | undefined {
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: count - 1 }[key];
  return to === undefined ? undefined : (to + count) % count;
}
