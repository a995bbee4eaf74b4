import { basename } from "node:path";
import type { ErrorFactory } from "../core/api-error.ts";
import type { Progress } from "../core/progress.ts";
import type { Pose } from "../geometry/pose.ts";
import type { Mesh, Surface } from "../mesh/mesh.ts";
import type { AssemblyFormat } from "./assembly-reader.ts";

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
  /** Millimetres per unit of the file; absent where the format or the file does not define one. */
  readonly unitMm?: number;
  /** The faces of the parts were meshed one by one, as display meshes of CAD programs are: they must be joined first. */
  readonly separateFaces?: SeparateFaces;
  /** The number of faces of a CAD file that holds no solid: what is open of them encloses nothing. */
  readonly looseFaces?: number;
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
  /** What a {@link ShapeSharing} has made of this file: the reader makes the rest. */
  readonly made?: readonly NamedSurface[];
}

/** The triangles of a shape, by a name that its reader gave it. */
export type NamedSurface = readonly [name: string, surface: Surface];

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
  /** Of formats that {@link SHARED_EXTENSIONS} names. */
  readonly sharing?: ShapeSharing;
}

/** What a body of a scene is: a part to print, what supports one, or the lattice of a cage. */
export type BodyKind = "part" | "support" | "lattice";

/** A body to write. Copies have the same mesh. */
export interface WrittenBody {
  readonly name: string;
  readonly kind: BodyKind;
  readonly mesh: Mesh;
  readonly pose: Pose;
}

/** Writes the files of one format. */
export interface ModelWriter {
  /**
   * The bytes of a file of these bodies, which are at least one, where they stand in the scene. The memory of a chunk may be that of the
   * next. Throws what `refuse` makes, before the first chunk, where the format cannot hold them.
   */
  chunks(bodies: readonly WrittenBody[], refuse: ErrorFactory, progress: Progress): Iterable<Uint8Array>;
}

interface ModelFormat {
  /** Lower case, without the dot. */
  readonly extensions: readonly string[];
  /** Loads the reader when the first file of the format is read, on the thread that reads it. */
  readonly load: () => Promise<ModelReader>;
  /** It is recognised only. */
  readonly isUnread?: boolean;
  /** Its reader lets several threads tessellate the shapes of a file. */
  readonly isShared?: boolean;
}

/** Assemblies, which are recognised only: their reader names the parts that they refer to, and the way out. */
const assembly = (format: AssemblyFormat): ModelFormat => ({
  extensions: [format.extension],
  isUnread: true,
  load: async () => (await import("./assembly-reader.ts")).assemblyReader(format),
});

/** Every model format, also those that are only recognised. A new format is one file with a reader and one row here. */
const MODEL_FORMATS: readonly ModelFormat[] = [
  { extensions: ["stl"], load: async () => (await import("./stl.ts")).stlReader },
  { extensions: ["obj"], load: async () => (await import("./obj.ts")).objReader },
  { extensions: ["ply"], load: async () => (await import("./ply/ply.ts")).plyReader },
  { extensions: ["off"], load: async () => (await import("./off.ts")).offReader },
  { extensions: ["3mf"], load: async () => (await import("./3mf/reader.ts")).threeMfReader },
  { extensions: ["amf"], load: async () => (await import("./amf/amf.ts")).amfReader },
  { extensions: ["glb", "gltf"], load: async () => (await import("./gltf/gltf.ts")).gltfReader },
  { extensions: ["step", "stp"], isShared: true, load: async () => (await import("./occt/step-reader.ts")).stepReader },
  { extensions: ["iges", "igs"], load: async () => (await import("./occt/iges-reader.ts")).igesReader },
  { extensions: ["brep", "brp"], load: async () => (await import("./occt/brep-reader.ts")).brepReader },
  { extensions: ["sldprt"], load: async () => (await import("./solidworks/solidworks.ts")).solidworksReader },
  assembly({
    what: "a Solidworks assembly",
    extension: "sldasm",
    partExtensions: ["sldprt", "sldasm"],
    wayOut: "import its parts, or in Solidworks save it as STEP AP214 or 3MF",
  }),
  { extensions: ["prt"], load: async () => (await import("./creo/creo.ts")).creoReader },
  assembly({
    what: "a PTC Creo assembly",
    extension: "asm",
    partExtensions: ["prt", "asm"],
    wayOut: "import its parts, or in PTC Creo save a copy as STEP",
  }),
  { extensions: ["jt"], load: async () => (await import("./jt/jt.ts")).jtReader },
  { extensions: ["catpart"], load: async () => (await import("./catia/catia.ts")).catiaReader },
  assembly({
    what: "a Catia V5 assembly",
    extension: "catproduct",
    partExtensions: ["catpart", "catproduct", "cgr"],
    wayOut: "import its parts, or in Catia save it as STEP",
  }),
  { extensions: ["ipt"], load: async () => (await import("./inventor/inventor.ts")).inventorReader },
  assembly({
    what: "an Inventor assembly",
    extension: "iam",
    partExtensions: ["ipt", "iam"],
    wayOut: "import its parts, or in Inventor export it as STEP",
  }),
  { extensions: ["3dm"], isShared: true, load: async () => (await import("./rhino/rhino-reader.ts")).rhinoReader },
];

/** Every extension that an import may have. */
export const MODEL_EXTENSIONS: readonly string[] = MODEL_FORMATS.flatMap(({ extensions }) => extensions);

/** Those of the formats that are read. */
export const READ_EXTENSIONS: readonly string[] = MODEL_FORMATS.filter(({ isUnread }) => !isUnread).flatMap(
  ({ extensions }) => extensions,
);

/** Those of the formats whose files several threads can read. */
export const SHARED_EXTENSIONS: readonly string[] = MODEL_FORMATS.filter(({ isShared }) => isShared).flatMap(
  ({ extensions }) => extensions,
);

/** The reader for an extension in the form of {@link extensionOf}; undefined for an unknown one. */
export const readerFor = (extension: string): Promise<ModelReader> | undefined =>
  MODEL_FORMATS.find(({ extensions }) => extensions.includes(extension))?.load();

/** The formats that are written, by their extension. A new one is one file with a writer and one row here. */
const MODEL_WRITERS: Readonly<Record<string, () => Promise<ModelWriter>>> = {
  stl: async () => (await import("./stl-writer.ts")).stlWriter,
  obj: async () => (await import("./obj-writer.ts")).objWriter,
  "3mf": async () => (await import("./3mf/writer.ts")).threeMfWriter,
  glb: async () => (await import("./gltf/glb-writer.ts")).glbWriter,
};

/** Every extension that a scene can be written with. */
export const WRITTEN_EXTENSIONS: readonly string[] = Object.keys(MODEL_WRITERS);

/** The writer for one of {@link WRITTEN_EXTENSIONS}. */
export const writerFor = (extension: string): Promise<ModelWriter> => MODEL_WRITERS[extension]();

/** The extension of a path, lower case, without the dot; empty where there is none. Creo's `.prt.3` is `prt`. */
export function extensionOf(file: string): string {
  const [, extension = ""] = /.\.(\w+)(?:(?<=\.(?:prt|asm))\.\d+)?$/i.exec(basename(file)) ?? [];
  return extension.toLowerCase();
}
