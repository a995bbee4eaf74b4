import { operationFailed } from "../../core/api-error.ts";
import { claimMemory } from "../../core/memory-budget.ts";
import type { Progress } from "../../core/progress.ts";
import { boxCentre } from "../../geometry/box.ts";
import { voxelCount } from "../../geometry/distance-transform.ts";
import { IDENTITY_POSE, toSceneSpace } from "../../geometry/pose.ts";
import { add } from "../../geometry/vector.ts";
import { canonicalMesh } from "../../mesh/canonical-mesh.ts";
import type { Infill } from "../../mesh/mesh.ts";
import type { PlacedMesh } from "../../mesh/placed-mesh.ts";
import { makeWellComposed, surfaceNets } from "../../mesh/voxel/surface-nets.ts";
import { type VoxelField, type VoxelGrid, blocksAlong } from "../../mesh/voxel/voxel-grid.ts";
import { BLOCK_MM, InfillBlocks, type InfillColumns, infillColumns } from "../../slice/infill/infill-columns.ts";
import { strutDistanceMm } from "../../slice/infill/infill-struts.ts";
import { PERIODIC_SURFACES, sheetLevel } from "../../slice/infill/infill-wave.ts";

/** With fewer voxels per wall the two sides of a wall would meet. */
const VOXELS_PER_WALL = 2;
/** Struts are round, unlike sheets. */
const VOXELS_PER_STRUT = 4;
/** The surface of a strut with so many voxels is so far inside, voxels (measured: 6 % of its volume were missing). */
const STRUT_LOSS = 0.06;
const MAX_VOXELS = 1e8;
/** The field, and the surface that is found in it. */
const BYTES_PER_VOXEL = 10;
/** A difference of one voxel in the values of a field. */
const STEPS_PER_VOXEL = 32_767;

/**
 * The infill of a placed mesh as a closed mesh of its own at its place, which overlaps the walls: coarse, in voxels of half a wall. None
 * without infill, or if none fits into the cavity. Throws OPERATION_FAILED, with a reason that follows the name of the model, if it needs too many voxels.
 */
export function infillMesh({ mesh, pose }: PlacedMesh, progress: Progress): PlacedMesh[] {
  const { infill } = mesh;
  if (!infill) return [];
  const columns = infillColumns(infill, pose, progress.part(0, 0.1));
  const grid = gridOver(columns, infill.wallMm / (infill.kind === "STRUTS" ? VOXELS_PER_STRUT : VOXELS_PER_WALL));
  if (voxelCount(grid) > MAX_VOXELS) {
    throw operationFailed(
      `its infill is too fine for a mesh: walls or struts of ${infill.wallMm} mm need ${Math.ceil(voxelCount(grid) / 1e6)} million voxels, of ${MAX_VOXELS / 1e6} at most; export it without infill, or make it thicker.`,
    );
  }
  claimMemory({
    bytes: BYTES_PER_VOXEL * voxelCount(grid),
    what: "its infill",
    wayOut: "export it without infill, or make the walls of infill thicker",
  });
  const field = infillField(infill, columns, grid, progress.part(0.1, 0.4));
  makeWellComposed(field, progress.part(0.4, 0.5));
  const surface = surfaceNets(field, progress.part(0.5, 0.9));
  if (surface.triangles.length === 0) return [];
  const own = canonicalMesh(surface, 1, progress.part(0.9, 1));
  const centre = toSceneSpace({ mesh, pose }, boxCentre(infill.cavity.box));
  return [{ mesh: own, pose: { ...IDENTITY_POSE, position: add(centre, boxCentre(own.box)) } }];
}

/** Voxels over all columns and a voxel beyond the cavity on each side, relative to its centre. */
function gridOver({ columns, rows, minMm, lowMm, highMm }: InfillColumns, voxelMm: number): VoxelGrid {
  const count = (lengthMm: number): number => Math.ceil(lengthMm / voxelMm);
  return {
    columns: count(columns * BLOCK_MM),
    rows: count(rows * BLOCK_MM),
    layers: count(highMm - lowMm) + 4,
    voxelMm,
    origin: [minMm[0], minMm[1], lowMm - 2 * voxelMm],
  };
}

function infillField(infill: Infill, columns: InfillColumns, grid: VoxelGrid, progress: Progress): VoxelField {
  const depthsOf = rowDepths(infill, grid.voxelMm);
  const blocks = new InfillBlocks(columns);
  const values = new Int16Array(voxelCount(grid)).fill(-STEPS_PER_VOXEL);
  const [fromX, fromY, fromZ] = grid.origin;
  const blockOf = (voxel: number): number => Math.floor((voxel * grid.voxelMm) / BLOCK_MM);
  for (let k = 1; k < grid.layers - 1; k++) {
    progress.report(k / grid.layers);
    const z = fromZ + k * grid.voxelMm;
    const isOpen = blocks.at(z, columns);
    for (let j = 1; j < grid.rows - 1; j++) {
      const depthAt = depthsOf(fromY + j * grid.voxelMm, z);
      const row = (k * grid.rows + j) * grid.columns;
      for (let i = 1; i < grid.columns - 1; i++) {
        if (isOpen[blockOf(j) * columns.columns + blockOf(i)] === 0) continue;
        const depth = depthAt(fromX + i * grid.voxelMm);
        values[row + i] = Math.floor(Math.max(-STEPS_PER_VOXEL, Math.min(STEPS_PER_VOXEL, depth)));
      }
    }
  }
  const crossed = blocksAlong(grid.columns) * blocksAlong(grid.rows) * blocksAlong(grid.layers);
  return { ...grid, values, isCrossed: new Uint8Array(crossed).fill(1) };
}

/** How deep places in a row along x are in infill, in the steps of a field. Places are relative to the centre of the cavity. */
function rowDepths({ kind, cellMm, wallMm }: Infill, voxelMm: number): (y: number, z: number) => (x: number) => number {
  if (kind === "STRUTS") {
    const steps = STEPS_PER_VOXEL / voxelMm;
    return (y, z) => (x) => steps * (wallMm / 2 + STRUT_LOSS * voxelMm - strutDistanceMm(x, y, z, cellMm));
  }
  const { alongX, gradient } = PERIODIC_SURFACES[kind];
  const level = sheetLevel(kind, cellMm, wallMm);
  const perMm = (2 * Math.PI) / cellMm;
  const steps = STEPS_PER_VOXEL / (voxelMm * perMm * gradient);
  const wave = new Float64Array(3);
  return (y, z) => {
    alongX(perMm * y, perMm * z, wave);
    const [a, b, c] = wave;
    return (x) => steps * (level - Math.abs(a * Math.sin(perMm * x) + b * Math.cos(perMm * x) + c));
  };
}
