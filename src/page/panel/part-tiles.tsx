import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Action } from "../../feature/page-row.ts";
import { Icon, type IconName } from "../widget/icon.tsx";
import { scene } from "../state/project.ts";
import { pickFor } from "../state/view-state.ts";
import { ActionForm } from "./action-form.tsx";

const TILE_ICONS: Readonly<Record<string, IconName>> = {
  Hollow: "shape",
  "Drain hole": "pick",
  "Vent cups": "vent",
  Label: "label",
  Cut: "cut",
  Mirror: "mirror",
  Stretch: "scale",
  Repair: "repair",
  Split: "split",
  "Dental base": "dental",
};

/** Tools that change the shape of parts, as tiles. A tile opens its forms in place of the tiles. */
export function PartTiles({ actions }: { actions: readonly Action[] }) {
  const opened = useSignal<string | undefined>(undefined);
  const box = useRef<HTMLDivElement>(null);
  const earlier = useRef<string>(undefined);
  // The pressed button is replaced: the focus goes to what took its place.
  useEffect(() => {
    if (opened.value !== earlier.current) {
      const next = opened.value === undefined ? `[data-tile="${earlier.current}"]` : ".tile-back";
      box.current?.querySelector<HTMLElement>(next)?.focus();
    }
    earlier.current = opened.value;
  }, [opened.value]);
  useEffect(() => () => pickFor(undefined), []);
  if ((scene.value?.models.length ?? 0) === 0) return null;
  const tiles = Map.groupBy(actions, ({ tile, title }) => tile ?? title);
  const open = (tile: string | undefined): void => {
    pickFor(undefined);
    opened.value = tile;
  };
  const forms = tiles.get(opened.value ?? "");
  return (
    <div ref={box} class="part-tiles">
      {forms ? (
        <>
          <button type="button" class="link tile-back" onClick={() => open(undefined)}>
            <Icon name="chevron" />
            All tools
          </button>
          {forms.map((action) => (
            <ActionForm key={action.path} action={action} />
          ))}
        </>
      ) : (
        <div class="tiles" role="group" aria-label="Change the parts">
          {[...tiles.keys()].map((tile) => (
            <button key={tile} type="button" class="tile" data-tile={tile} onClick={() => open(tile)}>
              <Icon name={TILE_ICONS[tile] ?? "more"} />
              {tile}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
