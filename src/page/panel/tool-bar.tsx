import { isLayerMode, toggleLayers } from "../state/layers.ts";
import { areCaptionsShown, chooseTool, pickingFor, toggleCaptions, tool, view } from "../state/view-state.ts";
import { supportMode } from "../state/support-mode.ts";
import { section, toggleSection } from "../state/section.ts";
import type { Tool, Viewpoint } from "../view/view.ts";
import { Icon, type IconName } from "../widget/icon.tsx";
import { Menu } from "../widget/menu.tsx";

/** Tools of the view, and the keys that choose them. */
export const TOOLS: readonly [tool: Exclude<Tool, "cut" | "pick" | "points" | "areas">, name: string, key: string][] = [
  ["select", "Select", "v"],
  ["move", "Move", "g"],
  ["rotate", "Turn", "r"],
  ["scale", "Scale", "s"],
  ["face-down", "Face down", "p"],
  ["measure", "Measure", "u"],
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

/** Tool bar of the view: tools, layers, viewpoints. Narrow windows show the icons alone. */
export function ToolBar() {
  return (
    <div
      class="tool-bar"
      role="toolbar"
      aria-label="View"
      aria-orientation="vertical"
      data-captions={areCaptionsShown.value}
      onKeyDown={goThrough}
    >
      {/* While support points are edited, these tools rest. */}
      {(supportMode.value ? [] : TOOLS).map(([one, name, key]) => (
        <ToolButton
          key={one}
          icon={one}
          name={name}
          shortcut={key}
          pressed={tool.value === one}
          onClick={() => chooseTool(one)}
        />
      ))}
      {pickingFor.value !== undefined && (
        <ToolButton icon="pick" name="Choose places" pressed onClick={() => undefined} />
      )}
      <hr />
      <ToolButton
        icon="section"
        name="Section"
        shortcut="x"
        pressed={section.value !== undefined}
        onClick={toggleSection}
      />
      {!supportMode.value && (
        <ToolButton
          icon="cut"
          name="Cut"
          shortcut="k"
          pressed={tool.value === "cut"}
          onClick={() => chooseTool("cut")}
        />
      )}
      <ToolButton icon="layers" name="Layers" shortcut="l" pressed={isLayerMode.value} onClick={toggleLayers} />
      <hr />
      <Menu
        name="Look from"
        icon="home"
        class="tool-button"
        text="Look from"
        items={VIEWPOINTS.map(([viewpoint, name, key]) => ({
          label: name,
          note: key,
          run: () => view.value?.look(viewpoint),
        }))}
      />
      <ToolButton icon="frame" name="Fill view" shortcut="f" onClick={() => view.value?.frame()} />
      <hr class="captions-toggle" />
      <ToolButton
        icon={areCaptionsShown.value ? "back" : "chevron"}
        name={areCaptionsShown.value ? "Hide captions" : "Show captions"}
        class="captions-toggle"
        onClick={toggleCaptions}
      />
    </div>
  );
}

/** A button with an icon, and its name and key where there is room for them. */
function ToolButton(props: {
  icon: IconName;
  name: string;
  shortcut?: string;
  pressed?: boolean;
  class?: string;
  onClick: () => void;
}) {
  const { icon, name, pressed, onClick } = props;
  const shortcut = props.shortcut?.toUpperCase();
  return (
    <button
      type="button"
      class={`tool-button ${props.class ?? ""}`}
      aria-label={name}
      title={shortcut === undefined ? name : `${name} (${shortcut})`}
      {...(shortcut !== undefined && { "aria-keyshortcuts": shortcut })}
      {...(pressed !== undefined && { "aria-pressed": pressed })}
      onClick={onClick}
    >
      <Icon name={icon} />
      <span>{name}</span>
      {shortcut !== undefined && <kbd>{shortcut}</kbd>}
    </button>
  );
}

/** Moves the focus to the next or previous button with the arrow keys (WAI-ARIA pattern "toolbar"). */
function goThrough(event: KeyboardEvent): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const buttons = [
    ...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>(":scope > button, .menu > button"),
  ].filter((button) => button.checkVisibility());
  const at = buttons.indexOf(document.activeElement as HTMLElement);
  if (by === undefined || at < 0) return;
  buttons[(at + by + buttons.length) % buttons.length]?.focus();
  event.preventDefault();
}
