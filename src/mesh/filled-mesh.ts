import { createHash } from "node:crypto";
import { type Infill, type Mesh, type SheetKind, solidVolumeMm3 } from "./mesh.ts";

/** A mesh without its infill. */
export const bareMesh = (mesh: Mesh): Mesh => mesh.bare ?? mesh;

/** A mesh with an infill, or with none. The hash tells meshes with another infill apart, because their layers differ. */
export function filledMesh(mesh: Mesh, infill: Infill | undefined): Mesh {
  const bare = bareMesh(mesh);
  if (!infill) return bare;
  const { kind, cellMm, wallMm, clearanceMm, cavity } = infill;
  const parts = [bare.hash, kind, cellMm, wallMm, clearanceMm, cavity.hash];
  const hash = createHash("sha256").update(parts.join(" ")).digest("hex");
  const filledMm3 = infillShare(infill) * Math.abs(cavity.volumeMm3);
  return { ...bare, hash, solidVolumeMm3: solidVolumeMm3(bare) + filledMm3, infill, bare };
}

/** Area of the surfaces in a cell, as a multiple of its side squared (measured). */
const AREAS: Readonly<Record<SheetKind, number>> = { GYROID: 3.09, SCHWARZ_P: 2.35, SCHWARZ_D: 3.84 };

/** About the share of a cavity that infill fills, whatever its scale; arches take some hundredths of it away. */
export const infillShare = ({ kind, cellMm, wallMm }: Omit<Infill, "cavity">): number =>
  kind === "STRUTS" ? strutShare(wallMm / (2 * cellMm)) : (AREAS[kind] * wallMm) / cellMm;

/**
 * Four diagonals of a cell, of radius `radius` · cell, less what they share at its two nodes: 8√6 radii cubed at each (integrated
 * numerically, to seven digits).
 */
const strutShare = (radius: number): number =>
  4 * Math.sqrt(3) * Math.PI * radius ** 2 - 16 * Math.sqrt(6) * radius ** 3;
