import { operationFailed } from "../../core/api-error.ts";
import type { Progress } from "../../core/progress.ts";
import type { FileLattice } from "../../format/model-reader.ts";
import { boxSize } from "../../geometry/box.ts";
import { IDENTITY_POSE } from "../../geometry/pose.ts";
import { compose, scaled, transformPoints } from "../../geometry/transform.ts";
import { ORIGIN, type Vec3, times } from "../../geometry/vector.ts";
import { canonicalMesh } from "../../mesh/canonical-mesh.ts";
import { latticedMesh } from "../../mesh/latticed-mesh.ts";
import type { Mesh, StrutLattice } from "../../mesh/mesh.ts";
import { withSolidVolume } from "../../repair/solid-volume.ts";
import { rasteriseChunk } from "../../slice/rasterise-chunk.ts";
import { prepareStack } from "../../slice/stack.ts";

/** The lattices of a file in mm, about the origin of their part, with their clipping solids as meshes. */
export function storeLattices(
  lattices: readonly FileLattice[],
  unitMm: number,
  origin: Vec3 | undefined,
  progress: Progress,
): StrutLattice[] {
  const [x, y, z] = origin ?? ORIGIN;
  const toPart = compose([1, 0, 0, 0, 1, 0, 0, 0, 1, -x, -y, -z], scaled(unitMm));
  return lattices.map(({ clip, transform, ...lattice }) => {
    const stored = { ...lattice, transform: compose(transform, toPart) };
    if (!clip) return stored;
    const { vertices, triangles } = clip.surface;
    const moved = new Float64Array(vertices.length);
    transformPoints(vertices, toPart, moved, 0);
    const mesh = withSolidVolume(canonicalMesh({ vertices: moved, triangles }, 1, progress), progress);
    return { ...stored, clip: { mesh, keeps: clip.keeps } };
  });
}

/** Layers and pixels along the largest side, by which the volume of a lattice is measured. */
const VOLUME_LAYERS = 200;
const VOLUME_PIXELS = 1000;

/** The mesh that stands in for lattices beside the triangles of a part, with the volume of both, and a warning about it. */
export function standInFor(
  skin: Mesh | undefined,
  lattices: readonly StrutLattice[],
  progress: Progress,
): { readonly mesh: Mesh; readonly warning: string } {
  const { mesh, step } = latticedMesh({ lattices, skin }, progress.part(0, 0.3));
  const solidVolumeMm3 = measuredVolume(mesh, progress.part(0.3, 1));
  if (solidVolumeMm3 === 0)
    throw operationFailed("The lattice of the model is empty: all of it is clipped away. Export it again.");
  const coarse = step > 1 ? `every ${step}th beam as a coarse tube` : "its beams as coarse tubes";
  return {
    mesh: { ...mesh, solidVolumeMm3 },
    warning: `The model has a lattice of beams. Layers and the volume have its exact beams; pictures, packing, checks and supports take ${coarse}, and changes of the mesh, such as cut or hollow, refuse it.`,
  };
}

/** The volume of the layers of a part, mm³. */
function measuredVolume({ latticed, box }: Mesh, progress: Progress): number {
  const { lattices = [], skin } = latticed ?? {};
  const size = boxSize(box);
  // Struts are thicker than the tubes that stand in for them.
  const sizeMm = 1.1 * Math.max(...size);
  const pixelMm = sizeMm / VOLUME_PIXELS;
  const thicknessMm = sizeMm / VOLUME_LAYERS;
  const pixels = (axis: 0 | 1): number => Math.max(1, Math.ceil((size[axis] + 0.1 * sizeMm) / pixelMm));
  const pose = { ...IDENTITY_POSE, position: times([0, 0, 1], sizeMm / 2) };
  const boundariesMm = Float64Array.from({ length: VOLUME_LAYERS + 1 }, (_, k) => k * thicknessMm);
  const grid = {
    pixels: [pixels(0), pixels(1)],
    pixelMm: [pixelMm, pixelMm],
    mirrorX: false,
    portrait: false,
  } as const;
  const placed = skin ? [{ mesh: { ...skin, box }, pose }] : [];
  const stack = prepareStack(
    { placed, lattices: lattices.map((lattice) => ({ lattice, mesh: { box }, pose })), boundariesMm, grid },
    progress.part(0, 0.1),
  );
  let areaMm2 = 0;
  for (let chunk = 0; chunk < stack.chunkCount; chunk++) {
    const poll = (): void => progress.report(0.1 + (0.9 * chunk) / stack.chunkCount);
    for (const layer of rasteriseChunk(stack, chunk, poll)) areaMm2 += layer.areaMm2;
  }
  return areaMm2 * thicknessMm;
}
