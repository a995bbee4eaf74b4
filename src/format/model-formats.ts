import { basename } from "node:path";
import type { AssemblyFormat } from "./assembly-reader.ts";
import type { ModelReader } from "./model-reader.ts";
import type { ModelWriter } from "./model-writer.ts";

interface ModelFormat {
  /** Lower case, without the dot. */
  readonly extensions: readonly string[];
  /** Loads the reader when the first file of the format is read, on the thread that reads it. */
  readonly load: () => Promise<ModelReader>;
  /** The format is recognised, but not read. */
  readonly isUnread?: boolean;
  /** Its reader lets several threads tessellate the shapes of a file. */
  readonly isShared?: boolean;
}

/** Assemblies, which are recognised but not read: the error lists the parts to which they refer, and the way out. */
const assembly = (format: AssemblyFormat): ModelFormat => ({
  extensions: [format.extension],
  isUnread: true,
  load: async () => (await import("./assembly-reader.ts")).assemblyReader(format),
});

const stepReader = async (): Promise<ModelReader> =>
  (await import("./occt/step-reader.ts")).stepReaderWith((path) => readerFor(extensionOf(path)));

/** Every model format, also those that are only recognised. A new format is one file with a reader and one row here. */
const MODEL_FORMATS: readonly ModelFormat[] = [
  { extensions: ["stl"], load: async () => (await import("./stl.ts")).stlReader },
  { extensions: ["obj"], load: async () => (await import("./obj.ts")).objReader },
  { extensions: ["ply"], load: async () => (await import("./ply/ply.ts")).plyReader },
  { extensions: ["off"], load: async () => (await import("./off.ts")).offReader },
  { extensions: ["3mf"], load: async () => (await import("./3mf/reader.ts")).threeMfReader },
  { extensions: ["amf"], load: async () => (await import("./amf/amf.ts")).amfReader },
  { extensions: ["glb", "gltf"], load: async () => (await import("./gltf/gltf.ts")).gltfReader },
  { extensions: ["step", "stp"], isShared: true, load: stepReader },
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
    name: /[\w-]+$/,
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

/** The extensions of the formats that are read. */
export const READ_EXTENSIONS: readonly string[] = MODEL_FORMATS.filter(({ isUnread }) => !isUnread).flatMap(
  ({ extensions }) => extensions,
);

/** The extensions of the formats whose files several threads can read. */
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

/** The extension of a path, lower case, without the dot; empty if there is none. Creo's `.prt.3` is `prt`. */
export function extensionOf(file: string): string {
  const [, extension = ""] = /.\.(\w+)(?:(?<=\.(?:prt|asm))\.\d+)?$/i.exec(basename(file)) ?? [];
  return extension.toLowerCase();
}
