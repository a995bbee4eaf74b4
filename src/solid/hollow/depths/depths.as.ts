// AssemblyScript, compiled by `bun run wasm` to `depths.wasm.ts`; `kernel.ts` lays its memory out and calls it.

export * from "./coarse-grid.as";
export { fillRow } from "./coarse-depths.as";
export { prepare } from "./facet-record.as";
export { nearestTo } from "./facet-search.as";
export * from "./fine-grid.as";
export * from "./interpolate.as";
export { settle, sharpen } from "./sharpen.as";
export { TILE, tileBounds, tileRecords } from "./tile.as";
