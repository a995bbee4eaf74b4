import occtimportjs, { type Occt, type OcctMesh } from "occt-import-js";
import { assetBytes } from "../../core/asset.ts";
import type { ReadOptions } from "../reader.ts";

const RADIANS = Math.PI / 180;

let kernel: Promise<WebAssembly.Module> | undefined;

/**
 * Triangles in millimetres of each solid, and of each shell and face outside solids, in a STEP file; undefined where
 * OpenCASCADE cannot read it. May reject with anything when it fails inside.
 */
export async function tessellate(file: Uint8Array, options: ReadOptions): Promise<readonly OcctMesh[] | undefined> {
  const occt = await newKernel();
  const { success, meshes } = occt.ReadStepFile(file, {
    linearUnit: "millimeter",
    linearDeflectionType: "absolute_value",
    linearDeflection: options.chordalToleranceMm,
    angularDeflection: options.angleToleranceDeg * RADIANS,
  });
  return success ? meshes : undefined;
}

/** Compiled once per thread, but new for each file: its memory goes with it, and a trap spoils nothing. */
async function newKernel(): Promise<Occt> {
  kernel ??= WebAssembly.compile(assetBytes("occt-import-js.wasm")).catch((thrown: unknown) => {
    kernel = undefined;
    throw thrown;
  });
  const module = await kernel;
  return await occtimportjs({
    instantiateWasm(imports, receive) {
      const instance = new WebAssembly.Instance(module, imports);
      receive(instance, module);
      return instance.exports;
    },
    print() {},
    printErr() {},
  });
}
