import { isLayerMode, toggleLayers } from "../state/layers.ts";
import { chooseTool, pickingFor, tool, view } from "../state/view-state.ts";
import type { Tool, Viewpoint } from "../view/view.ts";
import { IconButton } from "../widget/icon.tsx";
import { Menu } from "../widget/menu.tsx";

/** Tools of the view, and the keys that choose them. */
export const TOOLS: readonly [tool: Tool, name: string, key: string][] = [
  ["select", "Select", "v"],
  ["move", "Move", "g"],
  ["rotate", "Rotate", "r"],
  ["scale", "Scale", "s"],
];

/** Viewpoints, and the digits that choose them. */
export const VIEWPOINTS: readonly [viewpoint: Viewpoint, name: string, key: string][] = [
  ["home", "Home", "0"],
  ["front", "Front", "1"],
  ["back", "Back", "2"],
  ["left", "Left", "3"],
  ["right", "Right", "4"],
  ["top", "Top", "5"],
  ["bottom", "Bottom", "6"],
];

/** Tool bar of the view: tools, viewpoints, layers. */
export function ToolBar() {
  return (
    <div class="tool-bar" role="toolbar" aria-label="View" aria-orientation="vertical" onKeyDown={goThrough}>
      {TOOLS.map(([one, name, key]) => (
        <IconButton
          key={one}
          icon={one}
          name={name}
          shortcut={key.toUpperCase()}
          pressed={tool.value === one}
          onClick={() => chooseTool(one)}
        />
      ))}
      {pickingFor.value !== undefined && (
        <IconButton icon="pick" name="Choose places" pressed onClick={() => undefined} />
      )}
      <hr />
      <Menu
        name="Look from"
        icon="home"
        items={VIEWPOINTS.map(([viewpoint, name, key]) => ({
          label: name,
          note: key,
          run: () => view.value?.look(viewpoint),
        }))}
      />
      <IconButton icon="frame" name="Fit to the view" shortcut="F" onClick={() => view.value?.frame()} />
      <hr />
      <IconButton icon="layers" name="Layers" shortcut="L" pressed={isLayerMode.value} onClick={toggleLayers} />
    </div>
  );
}

/** Moves the focus to the next or previous button with the arrow keys (WAI-ARIA pattern "toolbar"). */
function goThrough(event: KeyboardEvent): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const buttons = [
    ...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>(":scope > button, .menu > button"),
  ];
  const at = buttons.indexOf(document.activeElement as HTMLElement);
  if (by === undefined || at < 0) return;
  buttons[(at + by + buttons.length) % buttons.length]?.focus();
  event.preventDefault();
}
