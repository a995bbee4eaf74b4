import { inputError, operationFailed } from "../../core/api-error.ts";
import type { Progress } from "../../core/progress.ts";
import { releaseArrays } from "../../core/typed-arrays.ts";
import { lossError } from "../../format/losses.ts";
import { extensionOf, readerFor } from "../../format/model-formats.ts";
import type { FilePart, ModelFile, ReadOptions } from "../../format/model-reader.ts";
import { MAX_FILE_PARTS, claimModelBytes } from "../../format/model-size.ts";
import { moveToOrigin, nearOrigin } from "../../format/near-origin.ts";
import { UPRIGHT, rotationMatrix } from "../../geometry/pose.ts";
import { type Vec3, times } from "../../geometry/vector.ts";
import { canonicalMesh } from "../../mesh/canonical-mesh.ts";
import { cachedMeshReport, describeDefects, meshReport } from "../../mesh/mesh-report.ts";
import { concatenateSurfaces, type Mesh, type Surface, triangleCount } from "../../mesh/mesh.ts";
import { type Outline, outlineOf } from "../../mesh/outline.ts";
import type { Slivers } from "../../repair/close-slivers.ts";
import { joinFaces } from "../../repair/join-faces.ts";
import { repair } from "../../repair/repair.ts";
import { separateCoincidentVertices } from "../../repair/separate-coincident-vertices.ts";
import { withOverlapsOnce, withSolidVolume } from "../../repair/solid-volume.ts";
import { REPAIR_BYTES_PER_FACET } from "../repair/task.ts";
import { repairWarnings } from "../repair/repair-warnings.ts";

export type RepairBehavior = "ERROR" | "REPAIR" | "IGNORE";

export interface ImportRequest {
  readonly file: string;
  readonly repairBehavior: RepairBehavior;
  /** Millimetres per file unit. Undefined: the unit that the file states, else millimetres. */
  readonly unitMm?: number | undefined;
  /** Whether each part of the file becomes a separate mesh. */
  readonly split: boolean;
  /** Largest number of parts for which the scene has room, if each becomes a model. Absent: the limit for files. */
  readonly maxParts?: number;
  readonly options: ReadOptions;
}

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

/** Shares of the progress at which the file is read, and its parts are checked and combined. The rest looks for overlaps. */
const SHARES = { read: 0.5, checked: 0.85, combined: 0.9 };

/** Reads a model file into checked, canonical meshes in the coordinates of the file. */
export async function importFile(request: ImportRequest, progress: Progress): Promise<ImportedFile> {
  // The endpoint has checked the extension.
  const reader = await readerFor(extensionOf(request.file))!;
  const mustBeWhole = request.repairBehavior === "ERROR";
  const options = { ...request.options, unitMm: request.unitMm, mustBeWhole };
  const file = await reader.read(request.file, options, progress.part(0, SHARES.read));
  if (mustBeWhole && file.losses?.length) throw lossError(request.file, file.losses);
  if (request.split) requireRoom(file.parts.length, request.maxParts ?? MAX_FILE_PARTS);
  if (request.repairBehavior === "REPAIR") {
    const facets = file.parts.reduce((sum, { surface }) => sum + triangleCount(surface), 0);
    claimModelBytes(request.file, REPAIR_BYTES_PER_FACET * facets);
  }
  const unitMm = request.unitMm ?? file.unitMm ?? 1;
  const checking = progress.part(SHARES.read, SHARES.checked);
  const meshes: Mesh[] = [];
  const slivers: Slivers[] = [];
  const repairs: string[] = [];
  const areSeparate = request.split || file.parts.length === 1;
  const origins = originsOf(file, areSeparate, unitMm);
  for (const [i, part] of file.parts.entries()) {
    const share = checking.part(i / file.parts.length, (i + 1) / file.parts.length);
    const moved = !file.origin && origins[i] && moveToOrigin(part.surface, origins[i], unitMm);
    const storing = share.part(0, file.separateFaces ? 0.25 : 0.5);
    const stored = moved ? canonicalMesh(moved, 1, storing) : canonicalMesh(part.surface, unitMm, storing);
    const joined = file.separateFaces && joinFaces(stored, file.separateFaces.deviationMm, share.part(0.25, 0.5));
    if (joined) slivers.push(joined.slivers);
    const mesh = joined?.mesh ?? stored;
    // Several parts may share their arrays.
    if (file.parts.length === 1) releaseArrays(part.surface.vertices, part.surface.triangles);
    const checked = await checkedMesh(mesh, part.name, file.looseFaces, request.repairBehavior, share.part(0.5, 1));
    meshes.push(checked.mesh);
    repairs.push(...checked.warnings);
  }
  const made = areSeparate ? meshes : [combineMeshes(meshes, progress.part(SHARES.checked, SHARES.combined))];
  if (mustBeWhole && !areSeparate) for (const mesh of made) requireSound(mesh, progress.silent());
  const uniting = progress.part(SHARES.combined, 1);
  const parts = made.map((mesh, i) => {
    const united = withOverlapsOnce(mesh, uniting.part(i / made.length, (i + 1) / made.length));
    return toPart(united, origins[i] && times(origins[i], unitMm), areSeparate ? file.parts[i] : undefined);
  });
  const warnings = [...(file.losses ?? []), ...(file.warnings ?? []), ...sliversWarning(slivers), ...repairs];
  return { fileUnitMm: file.unitMm, parts, warnings };
}

/** The {@link nearOrigin} of each part, in the file's unit; combined parts have one origin in common. */
function originsOf({ parts, origin }: ModelFile, areSeparate: boolean, unitMm: number): (Vec3 | undefined)[] {
  const surfaces = parts.map(({ surface }) => surface);
  if (!origin && areSeparate) return surfaces.map((surface) => nearOrigin([surface], unitMm));
  const common = origin ?? nearOrigin(surfaces, unitMm);
  return surfaces.map(() => common);
}

/** Wider gaps between faces are reported, because printers resolve them: stereolithography has pixels of 0.025 to 0.1 mm. */
const TOLD_SLIVER_MM = 0.05;

function sliversWarning(slivers: readonly Slivers[]): string[] {
  const widestMm = slivers.reduce((most, sliver) => Math.max(most, sliver.widestMm), 0);
  if (widestMm <= TOLD_SLIVER_MM) return [];
  const count = slivers.reduce((sum, sliver) => sum + sliver.count, 0);
  return [
    `Gaps of up to ${widestMm.toFixed(2)} mm between the faces of the file, which were meshed one by one, were closed at ${count} places. Export it with a finer mesh where that is too coarse.`,
  ];
}

function requireRoom(parts: number, most: number): void {
  if (parts <= most) return;
  throw inputError(
    `The file has ${parts} parts, and the scene has room for ${most} more models: delete some, use another scene, or import it without split_multi_model_file. Nothing was changed.`,
  );
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
  mesh: Mesh,
  name: string | undefined,
  looseFaces: number | undefined,
  behavior: RepairBehavior,
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
    const result = await repair(mesh, progress.part(0, 0.8));
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

function toPart(mesh: Mesh, originMm?: Vec3, part?: FilePart): ImportedPart {
  return {
    index: part?.index,
    name: part?.name,
    mesh,
    ...(originMm && { originMm }),
    outline: outlineOf(mesh, rotationMatrix(UPRIGHT)),
  };
}
