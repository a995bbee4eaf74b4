import type { OcctMesh, OcctNode } from "occt-import-js";
import { CancelledError, type Progress } from "../../core/progress.ts";
import { type Surface, concatenateSurfaces } from "../../mesh/mesh.ts";
import { tooFine } from "../occt/cad-parts.ts";
import { type Tessellation, claimKernelMemory, hasAllFaces, tessellate } from "../occt/kernel.ts";
import type { NamedSurface, ReadOptions } from "../model-formats.ts";
import { EndlessError } from "../wasm-library.ts";
import { type NamedBrep, stepTexts } from "./brep-step.ts";

/**
 * Triangles of Breps in millimetres, by their names, tessellated by OpenCASCADE from STEP. Those that it fails on are missing: they do not spoil the others. `file` is
 * where they come from, for messages. Throws `MemoryError`.
 */
export async function surfacesOfBreps(
  breps: readonly NamedBrep[],
  file: string,
  options: ReadOptions,
  toleranceMm: number,
  progress: Progress,
): Promise<NamedSurface[]> {
  const surfaces: NamedSurface[] = [];
  for (const { breps: some, text } of stepTexts(breps, toleranceMm)) {
    const made = await surfacesOfStep(new TextEncoder().encode(text), file, options, progress);
    if (made) surfaces.push(...made);
    else if (some.length > 1) {
      const middle = some.length >> 1;
      for (const half of [some.slice(0, middle), some.slice(middle)]) {
        surfaces.push(...(await surfacesOfBreps(half, file, options, toleranceMm, progress)));
      }
    }
  }
  return surfaces;
}

/** The triangles of Breps in a STEP file; undefined where OpenCASCADE fails on one of them. */
export async function surfacesOfStep(
  step: Uint8Array,
  file: string,
  options: ReadOptions,
  progress: Progress,
): Promise<NamedSurface[] | undefined> {
  claimKernelMemory(file, step.length);
  try {
    const made = await tessellate("Step", step, { ...options, unitMm: undefined }, 1, progress);
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
