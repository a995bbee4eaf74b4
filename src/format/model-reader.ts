import type { Progress } from "../core/progress.ts";
import type { Vec3 } from "../geometry/vector.ts";
import type { Surface } from "../mesh/mesh.ts";

/** One part of a model file. */
export interface FilePart {
  /** Index among all parts of the file, 0-based. */
  readonly index: number;
  /** Absent where the file has none. */
  readonly name?: string;
  /** Coordinates in the file's unit, with the placement of the part (components, items, assembly) applied. */
  readonly surface: Surface;
}

export interface ModelFile {
  readonly parts: readonly FilePart[];
  /** The point of the file's coordinates that is the origin of the surfaces; absent where that is the file's own. */
  readonly origin?: Vec3;
  /** Millimetres per unit of the file; absent where the format or the file does not define one. */
  readonly unitMm?: number;
  /** The faces of the parts were meshed one by one, as display meshes of CAD programs are: they must be joined first. */
  readonly separateFaces?: SeparateFaces;
  /** The number of faces of a CAD file that holds no solid: what is open of them encloses nothing. */
  readonly looseFaces?: number;
  /**
   * What the file places and `parts` lack, because it is damaged or could not be read: each a sentence that names it. An import with
   * `repair_behavior` ERROR is refused for them; any other one has them as warnings.
   */
  readonly losses?: readonly string[];
  /** What a client should know of the file although it was read: each says what, and the way out. */
  readonly warnings?: readonly string[];
}

export interface SeparateFaces {
  /** How far their meshes may be from the surfaces; absent where nobody knows. */
  readonly deviationMm?: number;
}

export interface ReadOptions {
  /** CAD only: largest distance between surface and triangles. */
  readonly chordalToleranceMm: number;
  /** CAD only: largest angle between neighbouring facets of a curved surface. */
  readonly angleToleranceDeg: number;
  /** Millimetres per unit of the file where the client forces it: the tolerances hold for that size. */
  readonly unitMm?: number | undefined;
  /** Losses of the file will be refused: a reader that knows one before it does its work may throw `lossError`. */
  readonly mustBeWhole?: boolean;
  /** What a {@link ShapeSharing} has made of this file: the reader makes the rest. */
  readonly made?: readonly NamedSurface[];
}

/** The triangles of a shape. */
export interface ShapeSurface extends Surface {
  /** The number of its faces. */
  readonly faces?: number;
}

/** The triangles of a shape, by a name that its reader gave it. */
export type NamedSurface = readonly [name: string, surface: ShapeSurface];

export interface DividedFile {
  /** Texts of shapes that depend on nothing else; none where one thread reads the file as fast. */
  readonly texts: readonly Uint8Array[];
  /** Those for each text: what depends on the whole file is settled. */
  readonly options: ReadOptions;
}

/** How several threads tessellate the shapes of one file. */
export interface ShapeSharing {
  /** Shapes of the file, in which most of the work is. Throws as the reader does. */
  divide(file: string, options: ReadOptions, progress: Progress): Promise<DividedFile>;
  /** The triangles of the shapes of a text of `file`. What fails is missing, and left to the reader. */
  make(text: Uint8Array, file: string, options: ReadOptions, progress: Progress): Promise<readonly NamedSurface[]>;
}

/**
 * Reads the files of one format. Throws OPERATION_FAILED with the cause and the way out for a file that cannot be read;
 * never returns a model without triangles.
 */
export interface ModelReader {
  read(file: string, options: ReadOptions, progress: Progress): Promise<ModelFile>;
  /** Of formats that `SHARED_EXTENSIONS` names (`model-formats.ts`). */
  readonly sharing?: ShapeSharing;
}
