import type { OcctMesh, OcctNode } from "occt-import-js";
import { CancelledError, type Progress } from "../../core/progress.ts";
import { type Surface, concatenateSurfaces } from "../../mesh/mesh.ts";
import { tooFine } from "../occt/cad-parts.ts";
import { type Tessellation, claimKernelMemory, tessellate } from "../occt/kernel.ts";
import type { ReadOptions } from "../model-formats.ts";
import { EndlessError } from "../wasm-library.ts";
import { type NamedBrep, stepOfBreps } from "./brep-step.ts";

/**
 * Triangles of Breps by their names, in millimetres, tessellated by OpenCASCADE from STEP. Those that it fails on are missing: they do
 * not spoil the others. `file` is where they come from, for messages. Throws `MemoryError`.
 */
export async function surfacesOfBreps(
  breps: readonly NamedBrep[],
  file: string,
  options: ReadOptions,
  toleranceMm: number,
  progress: Progress,
): Promise<ReadonlyMap<string, Surface>> {
  if (breps.length === 0) return new Map();
  const text = new TextEncoder().encode(stepOfBreps(breps, toleranceMm));
  claimKernelMemory(file, text.length);
  const made = await tessellate("Step", text, { ...options, unitMm: undefined }, 1, progress).catch(
    (thrown: unknown) => {
      if (thrown instanceof CancelledError) throw thrown;
      if (thrown instanceof EndlessError) throw tooFine(file, "Step", options, thrown);
    },
  );
  if (made) return surfacesByName(made);
  if (breps.length === 1) return new Map();
  const middle = breps.length >> 1;
  const halves = [breps.slice(0, middle), breps.slice(middle)];
  const surfaces: (readonly [string, Surface])[] = [];
  for (const half of halves) surfaces.push(...(await surfacesOfBreps(half, file, options, toleranceMm, progress)));
  return new Map(surfaces);
}

function surfacesByName({ meshes, root }: Tessellation): ReadonlyMap<string, Surface> {
  const products = [...nodesOf(root)].map(({ name, meshes: own }) => [name, own.map((i) => meshes[i])] as const);
  return new Map(
    products
      .filter(([, own]) => own.length > 0 && own.every(hasAllFaces))
      .map(([name, own]) => [name, concatenateSurfaces(own.map(toSurface))]),
  );
}

function* nodesOf(node: OcctNode): Generator<OcctNode> {
  yield node;
  for (const child of node.children) yield* nodesOf(child);
}

const hasAllFaces = ({ brep_faces: faces }: OcctMesh): boolean =>
  faces.length > 0 && faces.every(({ first, last }) => last >= first);

const toSurface = ({ attributes, index }: OcctMesh): Surface => ({
  vertices: Float64Array.from(attributes.position.array),
  triangles: Uint32Array.from(index.array),
});
