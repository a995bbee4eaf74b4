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
import { BLOCK_MM, InfillBlocks, type InfillColumns, infillColumns } from "../../slice/infill-columns.ts";
import { PERIODIC_SURFACES, sheetLevel } from "../../slice/infill-wave.ts";

/** With fewer voxels per wall the two sides of a wall would meet. */
const VOXELS_PER_WALL = 2;
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
  const grid = gridOver(columns, infill.wallMm / VOXELS_PER_WALL);
  if (voxelCount(grid) > MAX_VOXELS) {
    throw operationFailed(
      `its infill is too fine for a mesh: walls of ${infill.wallMm} mm need ${Math.ceil(voxelCount(grid) / 1e6)} million voxels, of ${MAX_VOXELS / 1e6} at most; export it without infill, or with thicker walls.`,
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
  const { kind, cellMm, wallMm } = infill;
  const { alongX, gradient } = PERIODIC_SURFACES[kind];
  const level = sheetLevel(kind, cellMm, wallMm);
  const perMm = (2 * Math.PI) / cellMm;
  const steps = STEPS_PER_VOXEL / (grid.voxelMm * perMm * gradient);
  const blocks = new InfillBlocks(columns);
  const values = new Int16Array(voxelCount(grid)).fill(-STEPS_PER_VOXEL);
  const wave = new Float64Array(3);
  const [fromX, fromY, fromZ] = grid.origin;
  const blockOf = (voxel: number): number => Math.floor((voxel * grid.voxelMm) / BLOCK_MM);
  for (let k = 1; k < grid.layers - 1; k++) {
    progress.report(k / grid.layers);
    const z = fromZ + k * grid.voxelMm;
    const isOpen = blocks.at(z, columns);
    for (let j = 1; j < grid.rows - 1; j++) {
      alongX(perMm * (fromY + j * grid.voxelMm), perMm * z, wave);
      const [a, b, c] = wave;
      const row = (k * grid.rows + j) * grid.columns;
      for (let i = 1; i < grid.columns - 1; i++) {
        if (isOpen[blockOf(j) * columns.columns + blockOf(i)] === 0) continue;
        const x = perMm * (fromX + i * grid.voxelMm);
        const depth = steps * (level - Math.abs(a * Math.sin(x) + b * Math.cos(x) + c));
        values[row + i] = Math.floor(Math.max(-STEPS_PER_VOXEL, Math.min(STEPS_PER_VOXEL, depth)));
      }
    }
  }
  const crossed = blocksAlong(grid.columns) * blocksAlong(grid.rows) * blocksAlong(grid.layers);
  return { ...grid, values, isCrossed: new Uint8Array(crossed).fill(1) };
}
