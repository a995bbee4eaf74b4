import type { OcctMesh, OcctNode } from "occt-import-js";
import { CancelledError, type Progress } from "../../core/progress.ts";
import { type Surface, concatenateSurfaces } from "../../mesh/mesh.ts";
import type { NamedSurface, ReadOptions } from "../model-reader.ts";
import { EndlessError } from "../wasm-library.ts";
import { tooFine } from "./cad-parts.ts";
import { type Tessellation, claimKernelMemory, hasAllFaces, tessellate } from "./kernel.ts";

/**
 * The triangles, in millimetres, of the products of a STEP text in units of `unitMm`, by their names; undefined where OpenCASCADE fails on one of them. `file` is where the
 * text comes from, for messages. Throws `MemoryError`.
 */
export async function surfacesOfStep(
  step: Uint8Array,
  unitMm: number,
  file: string,
  options: ReadOptions,
  progress: Progress,
): Promise<NamedSurface[] | undefined> {
  claimKernelMemory(file, step.length);
  try {
    const made = await tessellate("Step", step, options, unitMm, progress);
    return made && surfacesByName(made);
  } catch (thrown) {
    if (thrown instanceof CancelledError) throw thrown;
    if (thrown instanceof EndlessError) throw tooFine(file, "Step", options, thrown);
    return undefined;
  }
}

function surfacesByName({ meshes, root }: Tessellation): NamedSurface[] {
  const products = [...nodesOf(root)].map(({ name, meshes: own }) => [name, own.map((i) => meshes[i])] as const);
  return products
    .filter(([, own]) => own.length > 0 && own.every(hasAllFaces))
    .map(([name, own]) => [name, concatenateSurfaces(own.map(toSurface))]);
}

function* nodesOf(node: OcctNode): Generator<OcctNode> {
  yield node;
  for (const child of node.children) yield* nodesOf(child);
}

const toSurface = ({ attributes, index }: OcctMesh): Surface => ({
  vertices: Float64Array.from(attributes.position.array),
  triangles: Uint32Array.from(index.array),
});
