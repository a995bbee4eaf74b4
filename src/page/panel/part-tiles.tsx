import type { ComponentChild } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Action } from "../../feature/page-row.ts";
import { Icon, type IconName } from "../widget/icon.tsx";
import { scene } from "../state/project.ts";
import { CUT_TILE } from "../state/cut.ts";
import { MIRROR_TILE } from "../state/mirror.ts";
import { openTile } from "../state/part-tile.ts";
import { chooseTool, pickFor } from "../state/view-state.ts";
import { ActionForm } from "./action-form.tsx";
import { CutForm } from "./cut-form.tsx";
import { MirrorForm } from "./mirror-form.tsx";
import { STRETCH_TILE, StretchSizes } from "./stretch-sizes.tsx";

const TILE_ICONS: Readonly<Record<string, IconName>> = {
  Hollow: "shape",
  "Drain hole": "pick",
  "Vent cups": "vent",
  "Drain cavities": "drain",
  Label: "label",
  Cut: "cut",
  Mirror: "mirror",
  Stretch: "scale",
  Repair: "repair",
  Split: "split",
  "Dental base": "dental",
};

/** Forms of tiles that are not made from the declaration of a request. */
const OWN_FORMS: Readonly<Record<string, ComponentChild>> = {
  [CUT_TILE]: <CutForm />,
  [MIRROR_TILE]: <MirrorForm />,
};

/** Opens the forms of a tile in place of the tiles. The form of a tool opens and closes with the tool. */
function open(tile: string | undefined): void {
  pickFor(undefined);
  openTile.value = tile;
  if (tile === CUT_TILE) chooseTool("cut");
}

/** Tools that change the shape of parts, as tiles. A tile opens its forms in place of the tiles. */
export function PartTiles({ actions }: { actions: readonly Action[] }) {
  const opened = openTile;
  const box = useRef<HTMLDivElement>(null);
  const earlier = useRef<string>(undefined);
  // If the pressed button is replaced, the focus goes to what took its place. A key that opens a tile leaves the focus where it is.
  useEffect(() => {
    if (opened.value !== earlier.current && document.activeElement === document.body) {
      const next = opened.value === undefined ? `[data-tile="${earlier.current}"]` : ".tile-back";
      box.current?.querySelector<HTMLElement>(next)?.focus();
    }
    earlier.current = opened.value;
  }, [opened.value]);
  useEffect(() => () => open(undefined), []);
  if ((scene.value?.models.length ?? 0) === 0) return null;
  const tiles = Map.groupBy(actions, ({ tile, title }) => tile ?? title);
  const forms = tiles.get(opened.value ?? "");
  return (
    <div ref={box} class="part-tiles">
      {forms ? (
        <>
          <button type="button" class="link tile-back" onClick={() => open(undefined)}>
            <Icon name="chevron" />
            All tools
          </button>
          {OWN_FORMS[opened.value ?? ""] ??
            forms.map((action) => (
              <ActionForm key={action.path} action={action}>
                {opened.value === STRETCH_TILE && <StretchSizes />}
              </ActionForm>
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
