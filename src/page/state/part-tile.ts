import { signal } from "@preact/signals";

/** Name of the tile of the step "Parts" whose forms are open; undefined: the tiles are shown. */
export const openTile = signal<string | undefined>(undefined);
