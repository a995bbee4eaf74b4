import { useEffect, useRef } from "preact/hooks";
import { isDrawerOpen } from "../state/phone.ts";
import { scene } from "../state/project.ts";
import { Icon } from "../widget/icon.tsx";
import { Numbers } from "./numbers.tsx";
import { PartList } from "./part-list.tsx";

/** The parts and the numbers of the selected ones. On windows of medium width they are a drawer over the view. */
export function PartsDrawer() {
  const drawer = useRef<HTMLElement>(null);
  const isOpen = isDrawerOpen.value;
  useEffect(() => {
    if (isOpen) drawer.current!.querySelector<HTMLElement>("[role=listbox]")?.focus();
  }, [isOpen]);
  return (
    <aside
      ref={drawer}
      id="parts-drawer"
      class="left"
      aria-label="Parts and their numbers"
      onKeyDownCapture={(event) => {
        // In fields, menus and dialogs the key ends what the person does there.
        const isOwn = (event.target as Element).closest("input, [role=menu], dialog") !== null;
        if (event.key !== "Escape" || isOwn || !closeDrawer()) return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <PartList />
      <Numbers />
    </aside>
  );
}

/** Opens and closes the drawer. Windows without a drawer hide this button. */
export function DrawerButton() {
  const count = scene.value?.models.length ?? 0;
  return (
    <button
      type="button"
      class="drawer-button"
      aria-controls="parts-drawer"
      aria-expanded={isDrawerOpen.value}
      aria-label={`Parts, ${count === 0 ? "none yet" : count}`}
      onClick={() => (isDrawerOpen.value = !isDrawerOpen.value)}
    >
      <Icon name="list" />
      Parts
      <small>{count || ""}</small>
    </button>
  );
}

/** Closes the drawer, and gives the focus back to its button. Returns false if there is no open drawer. */
export function closeDrawer(): boolean {
  const button = document.querySelector<HTMLElement>(".drawer-button");
  if (!isDrawerOpen.value || !button?.checkVisibility()) return false;
  isDrawerOpen.value = false;
  button.focus();
  return true;
}
