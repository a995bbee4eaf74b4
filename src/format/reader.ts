import type { Watch } from "../core/watch.ts";
import type { Surface } from "../mesh/mesh.ts";

/** One part of a model file. `index` counts every part of the file from zero; `name` is absent where the file has none. */
export interface FilePart {
  readonly index: number;
  readonly name?: string;
  /** Coordinates in the file's unit, part placement (components, items, assembly) already applied. */
  readonly surface: Surface;
}

export interface ModelFile {
  readonly parts: readonly FilePart[];
  /** Millimetres per unit of the file; absent where the format or the file does not tell. */
  readonly unitMm?: number;
}

export interface ReadOptions {
  /** CAD only: largest distance between surface and triangles. */
  readonly chordalToleranceMm: number;
  /** CAD only: largest angle between neighbouring facets of a curved surface. */
  readonly angleToleranceDeg: number;
}

/** A family of model files. Its reader is loaded when the first such file comes, on the thread that reads it. */
export interface ModelFormat {
  /** Lower case, without the dot. */
  readonly extensions: readonly string[];
  readonly load: () => Promise<ModelReader>;
}

/**
 * Reads one family of model files. A file that cannot be read ends in a `Fault` with code OPERATION_FAILED whose message
 * names the cause and the way out; it never returns a model without triangles.
 */
export interface ModelReader {
  read(file: string, options: ReadOptions, watch: Watch): Promise<ModelFile>;
}
