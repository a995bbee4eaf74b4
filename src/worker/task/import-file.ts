import { operationFailed } from "../../core/fault.ts";
import type { Watch } from "../../core/watch.ts";
import type { FilePart, ReadOptions } from "../../format/reader.ts";
import { extensionOf, readerFor } from "../../format/readers.ts";
import { canonicalMesh } from "../../mesh/canonical.ts";
import { combine } from "../../mesh/combine.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import type { Outline } from "../../mesh/outline.ts";
import { outlineOf } from "../../mesh/outline-of.ts";
import { toMatrix, UPRIGHT } from "../../mesh/pose.ts";
import { repair } from "../../mesh/repair/repair.ts";
import { solidVolumeMm3, withSolidVolume } from "../../mesh/solid-volume.ts";
import { faultsOf, survey } from "../../mesh/survey.ts";

export type RepairBehavior = "ERROR" | "REPAIR" | "IGNORE";

export interface ImportRequest {
  readonly file: string;
  readonly repairBehavior: RepairBehavior;
  /** Millimetres per file unit that the client forces; absent: what the file tells, else 1. */
  readonly unitMm?: number;
  /** Whether each part of the file becomes a mesh of its own. */
  readonly split: boolean;
  readonly options: ReadOptions;
}

export interface ImportedPart {
  /** Absent where several parts were combined. */
  readonly index?: number;
  readonly name?: string;
  readonly mesh: Mesh;
  readonly outline: Outline;
}

export interface ImportedFile {
  /** Millimetres per unit of the file, where it tells. */
  readonly fileUnitMm?: number;
  readonly parts: readonly ImportedPart[];
}

/** Shares of the progress at which reading and the checks of the parts have ended. */
const READ = 0.5;
const CHECKED = 0.9;

/** Reads a model file into checked, canonical meshes, standing as the file has them. */
export async function importFile(request: ImportRequest, watch: Watch): Promise<ImportedFile> {
  const reader = await readerFor(extensionOf(request.file))!;
  const file = await reader.read(request.file, request.options, watch.part(0, READ));
  const unitMm = request.unitMm ?? file.unitMm ?? 1;
  const checking = watch.part(READ, CHECKED);
  const meshes = file.parts.map((part, i) =>
    soundMesh(part, unitMm, request, checking.part(i / file.parts.length, (i + 1) / file.parts.length)),
  );
  // Parts are checked one by one before they are combined: where two touch, the whole has edges of four facets.
  const parts =
    request.split || meshes.length === 1
      ? meshes.map((mesh, i) => toPart(mesh, file.parts[i]))
      : [toPart(combined(meshes, watch.part(CHECKED, 1)))];
  return { fileUnitMm: file.unitMm, parts };
}

function combined(meshes: readonly Mesh[], watch: Watch): Mesh {
  const whole = canonicalMesh(combine(meshes), 1, watch);
  if (meshes.every((mesh) => mesh.solidVolumeMm3 === undefined)) return whole;
  return { ...whole, solidVolumeMm3: meshes.reduce((sum, mesh) => sum + solidVolumeMm3(mesh), 0) };
}

function soundMesh(part: FilePart, unitMm: number, request: ImportRequest, watch: Watch): Mesh {
  const mesh = canonicalMesh(part.surface, unitMm, watch.part(0, 0.5));
  const subject = part.name === undefined ? "The model" : `The model "${part.name}"`;
  if (mesh.areaMm2 === 0) {
    throw operationFailed(
      `${subject} has no surface: all its facets are points or lines. Check its size and unit, and export it again.`,
    );
  }
  if (request.repairBehavior === "IGNORE") return withSolidVolume(mesh, watch.part(0.5, 1));
  if (request.repairBehavior === "REPAIR") {
    const { mesh: repaired, isSound } = repair(mesh, watch.part(0.5, 0.9));
    return isSound ? repaired : withSolidVolume(mesh, watch.part(0.9, 1));
  }
  const faults = faultsOf(survey(mesh, watch.part(0.5, 1)));
  if (faults.length === 0) return mesh;
  throw operationFailed(
    `${subject} needs repair: ${faults.join(", ")}. Import it with repair_behavior REPAIR, or with IGNORE to take it as it is.`,
  );
}

function toPart(mesh: Mesh, part?: FilePart): ImportedPart {
  return { index: part?.index, name: part?.name, mesh, outline: outlineOf(mesh, toMatrix(UPRIGHT)) };
}
