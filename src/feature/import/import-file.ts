import { operationFailed } from "../../core/api-error.ts";
import { claimedAndFreeMemory } from "../../core/memory-budget.ts";
import { must } from "../../core/must.ts";
import type { Progress } from "../../core/progress.ts";
import { UPRIGHT, rotationMatrix } from "../../geometry/pose.ts";
import type { Vec3 } from "../../geometry/vector.ts";
import { canonicalMesh } from "../../mesh/canonical-mesh.ts";
import { cachedMeshReport, describeDefects, meshReport } from "../../mesh/mesh-report.ts";
import { concatenateSurfaces, type Mesh, type Surface, triangleCount } from "../../mesh/mesh.ts";
import { type Outline, outlineOf } from "../../mesh/outline.ts";
import { repair } from "../../repair/repair.ts";
import { separateCoincidentVertices } from "../../repair/separate-coincident-vertices.ts";
import { withOverlapsOnce, withSolidVolume } from "../../repair/solid-volume.ts";
import { SEARCH_BYTES_PER_FACET } from "../facet-memory.ts";
import { repairWarnings } from "../repair/repair-warnings.ts";
import { REPAIR_BYTES_PER_FACET } from "../repair/task.ts";
import { standInFor } from "./latticed-part.ts";
import {
  type ImportRequest,
  type RepairBehavior,
  type StoredFile,
  type StoredPart,
  claimRepair,
  storeFile,
} from "./stored-file.ts";

export interface ImportedPart {
  /** 0-based index in the file. Undefined for the combination of several parts. */
  readonly index?: number | undefined;
  readonly name?: string | undefined;
  readonly mesh: Mesh;
  /** The point of the file, mm, that is the origin of the mesh's coordinates; absent if that is the origin of the file. */
  readonly originMm?: Vec3;
  readonly outline: Outline;
}

export interface ImportedFile {
  /** Millimetres per unit of the file, if the file states its unit. */
  readonly fileUnitMm?: number | undefined;
  readonly parts: readonly ImportedPart[];
  readonly warnings: readonly string[];
}

/** Share of the progress at which the meshes of the file are stored. */
const STORED_SHARE = 0.65;

/** Reads a model file into checked, canonical meshes in the coordinates of the file. */
export async function importFile(request: ImportRequest, progress: Progress): Promise<ImportedFile> {
  const file = await storeFile(request, progress.part(0, STORED_SHARE));
  return checkFile({ request, file }, progress.part(STORED_SHARE, 1));
}

interface SearchedImport extends ImportRequest {
  /** Meshes of this number of facets are searched for self-intersections by several threads. */
  readonly minSearchedFacets: number;
}

/**
 * Reads a model file whose meshes will be repaired. Imports it as {@link importFile} where no mesh is large, or memory does not suffice for
 * a search beside the repair.
 */
export async function beginImport(
  { minSearchedFacets, ...request }: SearchedImport,
  progress: Progress,
): Promise<{ readonly imported: ImportedFile } | { readonly stored: StoredFile }> {
  const file = await storeFile(request, progress.part(0, STORED_SHARE));
  const counts = file.parts.map(({ mesh }) => triangleCount(mesh));
  const facets = counts.reduce((sum, count) => sum + count, 0);
  const isRoomy = claimedAndFreeMemory() >= (REPAIR_BYTES_PER_FACET + SEARCH_BYTES_PER_FACET) * facets;
  if (isRoomy && counts.some((count) => count >= minSearchedFacets)) return { stored: file };
  return { imported: await checkFile({ request, file }, progress.part(STORED_SHARE, 1)) };
}

interface CheckRequest {
  readonly request: ImportRequest;
  readonly file: StoredFile;
  /** Hashes of meshes that are repaired as if they had no self-intersections. */
  readonly intersectionFree?: ReadonlySet<string>;
}

/** Shares of the progress at which the parts are checked and combined. The rest looks for overlaps. */
const CHECK_SHARES = { checked: 0.57, combined: 0.71 };

/** The meshes of a file as the import returns them: repaired or judged as the request says, and with their volumes. */
export async function checkFile(
  { request, file, intersectionFree }: CheckRequest,
  progress: Progress,
): Promise<ImportedFile> {
  claimRepair(
    request,
    file.parts.reduce((sum, { mesh }) => sum + triangleCount(mesh), 0),
  );
  const checking = progress.part(0, CHECK_SHARES.checked);
  const meshes: Mesh[] = [];
  const repairs: string[] = [];
  const areSeparate = request.split || file.parts.length === 1;
  for (const [i, part] of file.parts.entries()) {
    if (part.isStandIn) {
      meshes.push(part.mesh);
      continue;
    }
    const share = checking.part(i / file.parts.length, (i + 1) / file.parts.length);
    const isFree = intersectionFree?.has(part.mesh.hash);
    const checked = await checkedMesh(part, file.looseFaces, request.repairBehavior, isFree, share);
    meshes.push(checked.mesh);
    repairs.push(...checked.warnings);
  }
  const { checked, combined } = CHECK_SHARES;
  const solids = meshes.filter((_, i) => file.parts[i]?.isStandIn !== true);
  const made: (Mesh | undefined)[] = areSeparate
    ? meshes
    : [solids.length > 0 ? combineMeshes(solids, progress.part(checked, combined)) : undefined];
  if (request.repairBehavior === "ERROR" && !areSeparate)
    for (const mesh of made) if (mesh) requireSound(mesh, progress.silent());
  const uniting = progress.part(combined, 1);
  const parts = made.map((mesh, i) => {
    const { index, name, originMm, lattices, isStandIn } = must(file.parts[i], "A part");
    const share = uniting.part(i / made.length, (i + 1) / made.length);
    const own = areSeparate ? (lattices ?? []) : file.parts.flatMap((part) => part.lattices ?? []);
    const part = areSeparate ? { index, name } : {};
    if (own.length === 0) return toPart(withOverlapsOnce(must(mesh, "A mesh"), share), originMm, part);
    const standIn = standInFor(areSeparate && isStandIn ? undefined : mesh, own, share);
    repairs.push(standIn.warning);
    return toPart(standIn.mesh, originMm, part);
  });
  return { fileUnitMm: file.fileUnitMm, parts, warnings: [...file.warnings, ...repairs] };
}

/**
 * One mesh of several parts. If parts that are closed manifolds by themselves touch along edges or faces, so that their combination is
 * no closed manifold, their common vertices are moved apart by a few steps of single precision.
 */
function combineMeshes(meshes: readonly Mesh[], progress: Progress): Mesh {
  const parts = concatenateSurfaces(meshes);
  const whole = combinedApart(meshes, parts, canonicalMesh(parts, 1, progress.part(0, 0.2)), progress.part(0.2, 0.5));
  // Slices repair the whole mesh, too, not its parts.
  return meshes.every((mesh) => mesh.solidVolumeMm3 === undefined)
    ? whole
    : withSolidVolume(whole, progress.part(0.5, 1));
}

/** ERROR accepts only a closed manifold, as it will be used: with all parts in one mesh. */
function requireSound(mesh: Mesh, progress: Progress): void {
  const defects = describeDefects(cachedMeshReport(mesh, progress));
  if (defects.length === 0) return;
  throw operationFailed(
    `Each part of the file is sound, but together they have ${defects.join(", ")}, where they touch. Import them as separate models with split_multi_model_file, or with repair_behavior REPAIR or IGNORE.`,
  );
}

function combinedApart(meshes: readonly Mesh[], parts: Surface, whole: Mesh, progress: Progress): Mesh {
  const isSound = (mesh: Mesh): boolean => describeDefects(cachedMeshReport(mesh, progress.silent())).length === 0;
  if (isSound(whole) || !meshes.every(isSound)) return whole;
  const apart = canonicalMesh(separateCoincidentVertices(parts), 1, progress);
  return isSound(apart) ? apart : whole;
}

async function checkedMesh(
  { mesh, name }: StoredPart,
  looseFaces: number | undefined,
  behavior: RepairBehavior,
  isIntersectionFree: boolean | undefined,
  progress: Progress,
): Promise<{ readonly mesh: Mesh; readonly warnings: readonly string[] }> {
  const subject = name === undefined ? "The model" : `The model "${name}"`;
  if (mesh.areaMm2 === 0) {
    throw operationFailed(
      `${subject} has no surface: all its facets are points or lines. Check its size and unit, and export it again.`,
    );
  }
  if (behavior === "IGNORE") return { mesh: withSolidVolume(mesh, progress), warnings: [] };
  if (behavior === "REPAIR") {
    const result = await repair(mesh, progress.part(0, 0.8), { isIntersectionFree: isIntersectionFree === true });
    const warnings = repairWarnings(subject, result);
    return result.isClosedManifold
      ? { mesh: result.mesh, warnings }
      : { mesh: withSolidVolume(mesh, progress.part(0.8, 1)), warnings };
  }
  const defects = describeDefects(meshReport(mesh, progress));
  if (defects.length === 0) return { mesh, warnings: [] };
  throw operationFailed(
    `${subject} needs repair: ${defects.join(", ")}.${looseFaces === undefined ? "" : noSolid(looseFaces)} Import it with repair_behavior REPAIR, or with IGNORE to take it as it is.`,
  );
}

/** Warning that a repair may have unwanted effects. */
const noSolid = (faces: number): string =>
  ` The file holds no solid, only ${faces === 1 ? "1 face that encloses" : `${faces} faces that enclose`} no body: export it as a solid, or join and thicken its surfaces in the CAD program.`;

function toPart(mesh: Mesh, originMm: Vec3 | undefined, part: Pick<ImportedPart, "index" | "name">): ImportedPart {
  return {
    ...part,
    mesh,
    ...(originMm && { originMm }),
    outline: outlineOf(mesh, rotationMatrix(UPRIGHT)),
  };
}
