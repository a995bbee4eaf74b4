import { inputError } from "../../core/api-error.ts";
import type { Progress } from "../../core/progress.ts";
import { releaseArrays } from "../../core/typed-arrays.ts";
import { lossError } from "../../format/losses.ts";
import { extensionOf, readerFor } from "../../format/model-formats.ts";
import type { FileLattice, ModelFile, ReadOptions } from "../../format/model-reader.ts";
import { MAX_FILE_PARTS, claimModelBytes } from "../../format/model-size.ts";
import { moveToOrigin, nearOrigin } from "../../format/near-origin.ts";
import { boxOf } from "../../geometry/box.ts";
import { transformPoints } from "../../geometry/transform.ts";
import { type Vec3, times } from "../../geometry/vector.ts";
import { boxSurface } from "../../mesh/box-surface.ts";
import { canonicalMesh } from "../../mesh/canonical-mesh.ts";
import { latticedMesh } from "../../mesh/latticed-mesh.ts";
import { type Mesh, type StrutLattice, type Surface, concatenateSurfaces, triangleCount } from "../../mesh/mesh.ts";
import type { Slivers } from "../../repair/close-slivers.ts";
import { joinFaces } from "../../repair/join-faces.ts";
import { REPAIR_BYTES_PER_FACET } from "../repair/task.ts";
import { storeLattices } from "./latticed-part.ts";

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

/** The meshes of a file, not checked yet. They are in shared memory. */
export interface StoredFile {
  /** Millimetres per unit of the file, if the file states its unit. */
  readonly fileUnitMm?: number | undefined;
  readonly parts: readonly StoredPart[];
  /** The number of faces of a CAD file without solids. */
  readonly looseFaces?: number | undefined;
  readonly warnings: readonly string[];
}

export interface StoredPart {
  /** 0-based index in the file. */
  readonly index: number;
  readonly name: string | undefined;
  readonly mesh: Mesh;
  /** Lattices of the part, in the coordinates of its mesh. */
  readonly lattices?: readonly StrutLattice[];
  /** Whether the mesh only stands in for the lattices. */
  readonly isStandIn?: boolean;
  /** The point of the file, mm, that is the origin of the mesh's coordinates; undefined if that is the origin of the file. */
  readonly originMm: Vec3 | undefined;
}

const READ_SHARE = 0.75;

/** Reads a model file into canonical meshes in the coordinates of the file. */
export async function storeFile(request: ImportRequest, progress: Progress): Promise<StoredFile> {
  // The endpoint has checked the extension.
  const reader = await readerFor(extensionOf(request.file))!;
  const mustBeWhole = request.repairBehavior === "ERROR";
  const options = { ...request.options, unitMm: request.unitMm, mustBeWhole };
  const file = await reader.read(request.file, options, progress.part(0, READ_SHARE));
  if (mustBeWhole && file.losses?.length) throw lossError(request.file, file.losses);
  if (request.split) requireRoom(file.parts.length, request.maxParts ?? MAX_FILE_PARTS);
  claimRepair(
    request,
    file.parts.reduce((sum, { surface }) => sum + triangleCount(surface), 0),
  );
  const unitMm = request.unitMm ?? file.unitMm ?? 1;
  const slivers: Slivers[] = [];
  const origins = originsOf(file, request.split || file.parts.length === 1, unitMm);
  const storingAll = progress.part(READ_SHARE, 1);
  const parts = file.parts.map(({ surface, index, name, lattices: filed }, i): StoredPart => {
    const lattices = filed && storeLattices(filed, unitMm, origins[i], storingAll.silent());
    const originMm = origins[i] && times(origins[i], unitMm);
    if (lattices && triangleCount(surface) === 0) {
      return {
        index,
        name,
        mesh: latticedMesh({ lattices }, storingAll.silent()).mesh,
        lattices,
        isStandIn: true,
        originMm,
      };
    }
    const share = storingAll.part(i / file.parts.length, (i + 1) / file.parts.length);
    const moved = !file.origin && origins[i] && moveToOrigin(surface, origins[i], unitMm);
    const storing = share.part(0, file.separateFaces ? 0.5 : 1);
    const stored = moved ? canonicalMesh(moved, 1, storing) : canonicalMesh(surface, unitMm, storing);
    const joined = file.separateFaces && joinFaces(stored, file.separateFaces.deviationMm, share.part(0.5, 1));
    if (joined) slivers.push(joined.slivers);
    // Several parts may share their arrays.
    if (file.parts.length === 1) releaseArrays(surface.vertices, surface.triangles);
    return { index, name, mesh: joined?.mesh ?? stored, ...(lattices && { lattices }), originMm };
  });
  const warnings = [...(file.losses ?? []), ...(file.warnings ?? []), ...sliversWarning(slivers)];
  return { fileUnitMm: file.unitMm, parts, looseFaces: file.looseFaces, warnings };
}

/** Claims the memory of a repair of all meshes of a file, if the request repairs them. */
export function claimRepair({ file, repairBehavior }: ImportRequest, facets: number): void {
  if (repairBehavior === "REPAIR") claimModelBytes(file, REPAIR_BYTES_PER_FACET * facets);
}

function requireRoom(parts: number, most: number): void {
  if (parts <= most) return;
  throw inputError(
    `The file has ${parts} parts, and the scene has room for ${most} more models: delete some, use another scene, or import it without split_multi_model_file. Nothing was changed.`,
  );
}

/** The {@link nearOrigin} of each part, in the file's unit; combined parts have one origin in common. */
function originsOf({ parts, origin }: ModelFile, areSeparate: boolean, unitMm: number): (Vec3 | undefined)[] {
  const surfaces = parts.map(({ surface, lattices = [] }) =>
    concatenateSurfaces([surface, ...lattices.map(latticeBox)]),
  );
  if (!origin && areSeparate) return surfaces.map((surface) => nearOrigin([surface], unitMm));
  const common = origin ?? nearOrigin(surfaces, unitMm);
  return surfaces.map(() => common);
}

/** The box of the vertices of a lattice, as a surface in the coordinates of its part. */
function latticeBox({ vertices, transform }: FileLattice): Surface {
  const placed = new Float64Array(vertices.length);
  transformPoints(vertices, transform, placed, 0);
  return boxSurface(boxOf(placed));
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
