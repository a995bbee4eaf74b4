import type { OcctMesh } from "occt-import-js";
import { CancelledError, type Progress } from "../../core/progress.ts";
import { triangleCount } from "../../mesh/mesh.ts";
import type { NamedSurface, ReadOptions } from "../model-reader.ts";
import { placeSurface } from "../place-surface.ts";
import { EndlessError } from "../../wasm/library.ts";
import { type Meshes, tessellate } from "./kernel.ts";
import { stepInstances } from "./step-scan.ts";
import type { StepInstances } from "./step-instances.ts";
import { type StepSolid, nameOfSolid, stepSolids } from "./step-solids.ts";
import { type FindSolid, type PlacedSolid, solidFinder, withStandIns } from "./step-stand-ins.ts";

/**
 * The triangles of a STEP file in which the triangles of some solids are given by `options.made`, by the names of `nameOfSolid`.
 * OpenCASCADE determines the placement of each of these and tessellates the rest, unless `options.frame` has both. If it cannot place one
 * of them, it tessellates all. Undefined if it cannot read the file. Rejects as `tessellate`.
 */
export const tessellateRest = async (
  file: Uint8Array,
  options: ReadOptions,
  unitMm: number,
  progress: Progress,
): Promise<Meshes | undefined> =>
  (await around(file, options, unitMm, progress)) ?? (await tessellate("Step", file, options, unitMm, progress));

async function around(
  file: Uint8Array,
  options: ReadOptions,
  unitMm: number,
  progress: Progress,
): Promise<Meshes | undefined> {
  const made = new Map(options.made);
  const instances = stepInstances(file);
  if (!instances) return undefined;
  const all = stepSolids(instances);
  const solids = all.filter((solid) => made.has(nameOfSolid(instances, solid)));
  const framed = solids.length === all.length ? meshesOfFrame(options) : undefined;
  const rest = framed
    ? { meshes: framed, find: solidFinder(instances, solids, unitMm) }
    : await restOf(instances, solids, options, unitMm, progress);
  if (!rest) return undefined;
  const found = rest.meshes.map(rest.find);
  const names = new Set(found.flatMap((placed) => placed?.name ?? []));
  if (names.size < solids.length) return undefined;
  const isKind = !instances.bytes.includes(`'${STAND_IN_KIND}'`);
  const nameOf = ({ name }: OcctMesh): string => (isKind && name === STAND_IN_KIND ? SOLID_KIND : name);
  return {
    shortage: undefined,
    meshes: rest.meshes.map((mesh, i) =>
      found[i] ? { ...withSurface(mesh, found[i], made), name: nameOf(mesh) } : mesh,
    ),
  };
}

/** The meshes of the frame of all solids, if it was made with the same tolerances. */
function meshesOfFrame({ frame, chordalToleranceMm, angleToleranceDeg }: ReadOptions): readonly OcctMesh[] | undefined {
  const isSame =
    frame?.options.chordalToleranceMm === chordalToleranceMm && frame.options.angleToleranceDeg === angleToleranceDeg;
  return isSame ? frame.meshes : undefined;
}

/** OpenCASCADE's meshes of the file with placeholders for some solids. */
async function restOf(
  instances: StepInstances,
  solids: readonly StepSolid[],
  options: ReadOptions,
  unitMm: number,
  progress: Progress,
): Promise<{ readonly meshes: readonly OcctMesh[]; readonly find: FindSolid } | undefined> {
  const standIns = withStandIns(instances, solids, unitMm);
  if (!standIns) return undefined;
  const rest = await tessellate("Step", standIns.bytes, options, unitMm, progress).catch((thrown: unknown) => {
    // The kernel would also run on without end for the whole file.
    if (thrown instanceof CancelledError || thrown instanceof EndlessError) throw thrown;
  });
  return rest && !rest.shortage ? { meshes: rest.meshes, find: standIns.find } : undefined;
}

/** OpenCASCADE names a shape without a name by its kind. */
const STAND_IN_KIND = "SHELL";
const SOLID_KIND = "SOLID";

function withSurface(
  mesh: OcctMesh,
  { name, placement }: PlacedSolid,
  made: ReadonlyMap<string, NamedSurface[1]>,
): OcctMesh {
  const surface = made.get(name)!;
  return {
    ...mesh,
    attributes: { position: { array: Array.from(placeSurface(surface, placement).vertices) } },
    index: { array: Array.from(surface.triangles) },
    brep_faces: Array.from({ length: surface.faces ?? 1 }, () => ({ first: 0, last: triangleCount(surface) - 1 })),
  };
}
