import type { Progress } from "../core/progress.ts";
import type { Vec3 } from "../geometry/vector.ts";
import type { Surface } from "../mesh/mesh.ts";
import type { LatticeClip, StrutLattice } from "../mesh/mesh.ts";

/** One part of a model file. */
export interface FilePart {
  /** Index among all parts of the file, 0-based. */
  readonly index: number;
  /** Absent if the file has none. */
  readonly name?: string;
  /** Coordinates in the file's unit, with the placement of the part (components, items, assembly) applied. */
  readonly surface: Surface;
  /** Lattices of the part beside its triangles, of which there may be none. Coordinates as those of the surface. */
  readonly lattices?: readonly FileLattice[];
}

/** A lattice of a file whose clipping solid is not checked yet. */
export interface FileLattice extends Omit<StrutLattice, "clip"> {
  readonly clip?: { readonly surface: Surface; readonly keeps: LatticeClip["keeps"] };
}

export interface ModelFile {
  readonly parts: readonly FilePart[];
  /** The point in file coordinates that is the origin of the surfaces; absent if that is the origin of the file. */
  readonly origin?: Vec3;
  /** Millimetres per unit of the file; absent if the format or the file does not define one. */
  readonly unitMm?: number;
  /** The faces of the parts were meshed separately, as in display meshes of CAD programs: they must be joined first. */
  readonly separateFaces?: SeparateFaces;
  /** The number of faces of a CAD file without solids: its open surfaces enclose nothing. */
  readonly looseFaces?: number;
  /**
   * Content that the file places and that is missing in `parts`, because it is damaged or could not be read: one sentence each, with
   * names. An import with `repair_behavior` ERROR is refused for these; every other import reports them as warnings.
   */
  readonly losses?: readonly string[];
  /** Remarks for the client about a file that was read: one sentence each, with the way out. */
  readonly warnings?: readonly string[];
}

export interface SeparateFaces {
  /** Upper bound of the distance of their meshes from the exact surfaces; absent if unknown. */
  readonly deviationMm?: number;
}

export interface ReadOptions {
  /** CAD only: largest distance between surface and triangles. */
  readonly chordalToleranceMm: number;
  /** CAD only: largest angle between neighbouring facets of a curved surface. */
  readonly angleToleranceDeg: number;
  /** Millimetres per unit of the file, if the client overrides it: the tolerances apply to that size. */
  readonly unitMm?: number | undefined;
  /** Losses of the file will be refused: a reader may throw `lossError` as soon as it detects one. */
  readonly mustBeWhole?: boolean;
  /** Shapes of this file that a {@link ShapeSharing} has already tessellated; the reader makes the others. */
  readonly made?: readonly NamedSurface[];
  /** The places of these shapes, if a {@link ShapeSharing} has found them. */
  readonly frame?: ShapeFrame | undefined;
}

/** The triangles of a shape. */
export interface ShapeSurface extends Surface {
  /** The number of its faces. */
  readonly faces?: number;
}

/** The triangles of a shape, by a name that its reader gave it. */
export type NamedSurface = readonly [name: string, surface: ShapeSurface];

/** The meshes of a file in which placeholders stand for the shapes of the texts of a {@link DividedFile}. */
export interface ShapeFrame {
  readonly meshes: readonly FrameMesh[];
  /** The options with which the other shapes were tessellated. */
  readonly options: ReadOptions;
}

interface FrameMesh {
  readonly name: string;
  readonly attributes: { readonly position: { readonly array: readonly number[] } };
  readonly index: { readonly array: readonly number[] };
  /** First and last triangle of each face. */
  readonly brep_faces: readonly { readonly first: number; readonly last: number }[];
}

export interface DividedFile {
  /** Texts of shapes that can be read independently; empty if one thread reads the file as fast. */
  readonly texts: readonly Uint8Array[];
  /** The file with placeholders for these shapes, for `frame` of {@link ShapeSharing}; absent if its reader places the shapes. */
  readonly frame?: Uint8Array | undefined;
  /** The options for each text, with everything that depends on the whole file resolved. */
  readonly options: ReadOptions;
}

/** How several threads tessellate the shapes of one file. */
export interface ShapeSharing {
  /** The shapes of the file that cause most of the work. Throws as the reader does. */
  divide(file: string, options: ReadOptions, progress: Progress): Promise<DividedFile>;
  /** The triangles of the shapes in a text of `file`. Shapes that fail are missing; the reader handles them. */
  make(text: Uint8Array, file: string, options: ReadOptions, progress: Progress): Promise<readonly NamedSurface[]>;
  /** Places the shapes in the `frame` of a divided `file`. Undefined if that fails; the reader handles it. */
  frame?(text: Uint8Array, file: string, options: ReadOptions, progress: Progress): Promise<ShapeFrame | undefined>;
}

/**
 * Reads the files of one format. Throws OPERATION_FAILED with the cause and the way out for a file that cannot be read;
 * never returns a model without triangles.
 */
export interface ModelReader {
  read(file: string, options: ReadOptions, progress: Progress): Promise<ModelFile>;
  /** Present for the formats in `SHARED_EXTENSIONS` (`model-formats.ts`). */
  readonly sharing?: ShapeSharing;
}
