import type { OcctMesh } from "occt-import-js";
import { CancelledError, type Progress } from "../../core/progress.ts";
import { triangleCount } from "../../mesh/mesh.ts";
import type { NamedSurface, ReadOptions } from "../model-reader.ts";
import { placeSurface } from "../place-surface.ts";
import { EndlessError } from "../../wasm/library.ts";
import { type Tessellation, tessellate } from "./kernel.ts";
import { stepInstances } from "./step-scan.ts";
import { nameOfSolid, stepSolids } from "./step-solids.ts";
import { type PlacedSolid, withStandIns } from "./step-stand-ins.ts";

/**
 * The triangles of a STEP file in which the triangles of some solids are given, by the names of `nameOfSolid`. OpenCASCADE determines the
 * placement of each of these and tessellates the rest. If it cannot place one of them, it tessellates all. Undefined if it cannot read
 * the file. Rejects as `tessellate`.
 */
export async function tessellateRest(
  file: Uint8Array,
  made: readonly NamedSurface[],
  options: ReadOptions,
  unitMm: number,
  progress: Progress,
): Promise<Tessellation | undefined> {
  return (
    (await around(file, new Map(made), options, unitMm, progress)) ??
    (await tessellate("Step", file, options, unitMm, progress))
  );
}

async function around(
  file: Uint8Array,
  made: ReadonlyMap<string, NamedSurface[1]>,
  options: ReadOptions,
  unitMm: number,
  progress: Progress,
): Promise<Tessellation | undefined> {
  const instances = stepInstances(file);
  const solids = instances && stepSolids(instances).filter((solid) => made.has(nameOfSolid(instances, solid)));
  const standIns = solids && withStandIns(instances, solids, unitMm);
  if (!standIns) return undefined;
  const rest = await tessellate("Step", standIns.bytes, options, unitMm, progress).catch((thrown: unknown) => {
    // The kernel would also run on without end for the whole file.
    if (thrown instanceof CancelledError || thrown instanceof EndlessError) throw thrown;
  });
  if (!rest || rest.shortage) return undefined;
  const found = rest.meshes.map(standIns.find);
  const names = new Set(found.flatMap((placed) => placed?.name ?? []));
  if (names.size < solids.length) return undefined;
  const isKind = !instances.bytes.includes(`'${STAND_IN_KIND}'`);
  const nameOf = ({ name }: OcctMesh): string => (isKind && name === STAND_IN_KIND ? SOLID_KIND : name);
  return {
    ...rest,
    meshes: rest.meshes.map((mesh, i) =>
      found[i] ? { ...withSurface(mesh, found[i], made), name: nameOf(mesh) } : mesh,
    ),
  };
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
