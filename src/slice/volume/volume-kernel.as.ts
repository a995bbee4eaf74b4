// AssemblyScript, compiled by `bun run wasm` to `volume-kernel.wasm.ts`. `volume-kernel.ts` allocates its memory and calls it.

export { columns, rows } from "../raster/row-pieces.as";
export { ends as spanEnds, rowStarts, starts as spanStarts, values as spanValues } from "../raster/row-spans.as";
export { activeFacets, corners, cutSlab, facetOrder, facetTags, nextActiveFacets, slabFirsts, startFacets } from "./slab-facets.as";
export { rowHeads, rowTails, slabPieces } from "./slab-pieces.as";
export { endRow, firstRow, markOpen, openEndRow, openFirstRow } from "./slab-polygons.as";
export { fractionBits, mixedBits, ownBits, ownCover, sharedBits, sharedCover } from "./body-shares.as";
export { beginVolume, clipEnds, clipStarts, endVolume, isClipped, volume, volumeRows } from "./volume-runs.as";
