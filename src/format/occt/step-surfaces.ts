import type { OcctMesh, OcctNode } from "occt-import-js";
import { CancelledError, type Progress } from "../../core/progress.ts";
import { type Surface, concatenateSurfaces } from "../../mesh/mesh.ts";
import type { NamedSurface, ReadOptions } from "../model-reader.ts";
import { EndlessError } from "../../wasm/library.ts";
import { productStructure } from "./announced-shapes.ts";
import { tooFine } from "./cad-parts.ts";
import { type Tessellation, claimKernelMemory, hasAllFaces, tessellate } from "./kernel.ts";
import { productName } from "./step-names.ts";
import { scanStep } from "./step-scan.ts";

/**
 * The triangles, in millimetres, of the products of a STEP text in units of `unitMm`, by their names; undefined if OpenCASCADE fails on
 * one of them. `file` is the source of the text, for messages. Throws `MemoryError`.
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
    return made && surfacesByName(made, facesByProduct(step));
  } catch (thrown) {
    if (thrown instanceof CancelledError) throw thrown;
    if (thrown instanceof EndlessError) throw tooFine(file, "Step", options, thrown);
    return undefined;
  }
}

/** The surfaces of products with all faces that the text lists: OpenCASCADE leaves out faces that it cannot read. */
function surfacesByName({ meshes, root }: Tessellation, listed: ReadonlyMap<string, number>): NamedSurface[] {
  return [...nodesOf(root)].flatMap(({ name, meshes: indices }): NamedSurface[] => {
    const own = indices.map((i) => meshes[i]);
    const faces = own.reduce((sum, { brep_faces: some }) => sum + some.length, 0);
    const isWhole = own.length > 0 && own.every(hasAllFaces) && faces >= (listed.get(name) ?? 0);
    return isWhole ? [[name, { ...concatenateSurfaces(own.map(toSurface)), faces }]] : [];
  });
}

/** Number of faces that each product of a text lists, by its name. */
function facesByProduct(step: Uint8Array): ReadonlyMap<string, number> {
  const scan = scanStep(step);
  const counts = new Map<string, number>();
  for (const { product, faces = 0 } of scan ? productStructure(scan.instances).shapes : []) {
    const name = productName(scan!.instances, product);
    counts.set(name, (counts.get(name) ?? 0) + faces);
  }
  return counts;
}

function* nodesOf(node: OcctNode): Generator<OcctNode> {
  yield node;
  for (const child of node.children) yield* nodesOf(child);
}

const toSurface = ({ attributes, index }: OcctMesh): Surface => ({
  vertices: Float64Array.from(attributes.position.array),
  triangles: Uint32Array.from(index.array),
});
