// The package has no type declarations. Source: its README, version 0.0.23.
declare module "occt-import-js" {
  export interface OcctMesh {
    readonly name: string;
    readonly attributes: { readonly position: { readonly array: readonly number[] } };
    readonly index: { readonly array: readonly number[] };
    /** First and last triangle of each face; for a face without triangles, `last < first`. */
    readonly brep_faces: readonly { readonly first: number; readonly last: number }[];
  }

  export type OcctRead = (
    content: Uint8Array,
    parameters: OcctParameters,
  ) => { success: boolean; meshes?: readonly OcctMesh[]; root?: OcctNode };

  export interface OcctNode {
    readonly name: string;
    /** Indices of the node's meshes. */
    readonly meshes: readonly number[];
    readonly children: readonly OcctNode[];
  }

  export interface OcctParameters {
    readonly linearUnit: "millimeter" | "centimeter" | "meter" | "inch" | "foot";
    readonly linearDeflectionType: "bounding_box_ratio" | "absolute_value";
    readonly linearDeflection: number;
    /** Radians. */
    readonly angularDeflection: number;
  }

  export interface Occt {
    readonly ReadStepFile: OcctRead;
    readonly ReadIgesFile: OcctRead;
    readonly ReadBrepFile: OcctRead;
  }

  /** Options of Emscripten's modules. */
  export interface OcctOptions {
    readonly instantiateWasm: (
      imports: WebAssembly.Imports,
      receive: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
    ) => object;
    readonly print: (text: string) => void;
    readonly printErr: (text: string) => void;
  }

  export default function occtimportjs(options: OcctOptions): Promise<Occt>;
}
