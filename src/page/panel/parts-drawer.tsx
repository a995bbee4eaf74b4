import { useEffect, useRef } from "preact/hooks";
import { isDrawerOpen, phonePanel } from "../state/phone.ts";
import { scene } from "../state/project.ts";
import { Icon } from "../widget/icon.tsx";
import { Numbers } from "./numbers.tsx";
import { PartList } from "./part-list.tsx";

/** The parts and the numbers of the selected ones. On windows of medium width they are a drawer over the view. */
export function PartsDrawer() {
  const drawer = useRef<HTMLElement>(null);
  const isOpen = isDrawerOpen.value;
  useEffect(() => {
    // A field in it may have the focus already.
    if (isOpen && !drawer.current!.contains(document.activeElement))
      drawer.current!.querySelector<HTMLElement>("[role=listbox]")?.focus();
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

const isDrawer = (): boolean => document.querySelector(".drawer-button")?.checkVisibility() ?? false;

/** Shows the parts, also where they are a drawer or a panel of a phone. */
export function showParts(): void {
  if (isDrawer()) isDrawerOpen.value = true;
  phonePanel.value = "PARTS";
}

/** Closes the drawer, and gives the focus back to its button. Returns false if there is no open drawer. */
export function closeDrawer(): boolean {
  if (!isDrawerOpen.value || !isDrawer()) return false;
  isDrawerOpen.value = false;
  document.querySelector<HTMLElement>(".drawer-button")?.focus();
  return true;
}
