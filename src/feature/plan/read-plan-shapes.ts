import { ApiError } from "../../core/api-error.ts";
import { must } from "../../core/must.ts";
import type { Progress } from "../../core/progress.ts";
import { IDENTITY_POSE, rotationMatrix } from "../../geometry/pose.ts";
import { type Polygons, polygonsArea } from "../../geometry/polygon.ts";
import { exactSilhouetteOf } from "../../layout/exact-silhouette.ts";
import { minimumRectangleTurn } from "../../layout/part.ts";
import { silhouetteOf } from "../../layout/silhouette.ts";
import { simplifyOutward } from "../../layout/simplify-outward.ts";
import { type Mesh, solidVolumeMm3 } from "../../mesh/mesh.ts";
import { withSolidVolume } from "../../repair/solid-volume.ts";
import { checkFile } from "../import/import-file.ts";
import { storeFile } from "../import/stored-file.ts";
import { FILE_OPTIONS } from "./plan-files.ts";

/** What a plan needs of a model file, in the pose of the file. */
export interface PlanFileShape {
  /** Contains the silhouette, mm, relative to the centre of the mesh's box; few corners. */
  readonly outline: Polygons;
  /** Area of the outline. */
  readonly areaMm2: number;
  readonly heightMm: number;
  /** Where bodies of the file overlap, their volumes may count twice: it is for estimates. */
  readonly volumeMm3: number;
  /** The turn about z that aligns the smallest rectangle around it with the platform. */
  readonly alignedTurnDeg: number;
}

/** Why a file has no shape, as text for people. */
export interface UnreadableFile {
  readonly unreadable: string;
}

/** How far the outline may reach beyond the silhouette so that it has fewer corners: small compared with any spacing. */
const SIMPLIFIED_MM = 0.05;
/** Share of the progress at which the file is read. */
const READ = 0.6;

/** The shapes of model files, the parts of each planned as one. A file that cannot be read keeps no others from being planned. */
export async function readPlanShapes(
  { files }: { readonly files: readonly string[] },
  progress: Progress,
): Promise<(PlanFileShape | UnreadableFile)[]> {
  const shapes: (PlanFileShape | UnreadableFile)[] = [];
  for (const [i, file] of files.entries()) {
    const part = progress.part(i / files.length, (i + 1) / files.length);
    shapes.push(await readPlanShape(file, part).catch(unreadable));
  }
  return shapes;
}

/** What a read that failed says of its file. Throws what no file causes. */
export function unreadable(thrown: unknown): UnreadableFile {
  if (!(thrown instanceof ApiError) || thrown.code !== "OPERATION_FAILED") throw thrown;
  return { unreadable: thrown.message };
}

async function readPlanShape(file: string, progress: Progress): Promise<PlanFileShape> {
  const mesh = await meshOfFile(file, progress.part(0, READ));
  const outline = await outlineOf(mesh, progress.part(READ, 1));
  const { box } = mesh;
  return {
    outline,
    areaMm2: polygonsArea(outline),
    heightMm: box.max[2] - box.min[2],
    volumeMm3: solidVolumeMm3(mesh),
    alignedTurnDeg: minimumRectangleTurn({ body: outline }),
  };
}

/** The mesh of all parts of a file, as `plan/open` imports it. */
async function meshOfFile(name: string, progress: Progress): Promise<Mesh> {
  const request = { file: name, ...FILE_OPTIONS };
  const file = await storeFile(request, progress.part(0, 0.5));
  const [first, ...others] = file.parts;
  const isPlain = first && others.length === 0 && !first.isStandIn && !first.lattices && first.mesh.areaMm2 > 0;
  // What `checkFile` computes beyond the mesh and its volume takes longer than all else.
  if (isPlain) return withSolidVolume(first.mesh, progress.part(0.5, 1));
  const { parts } = await checkFile({ request, file }, progress.part(0.5, 1));
  return must(parts[0], "The part of a file").mesh;
}

async function outlineOf(mesh: Mesh, progress: Progress): Promise<Polygons> {
  const exact = await exactSilhouetteOf(mesh, SIMPLIFIED_MM);
  if (exact) return exact;
  const traced = silhouetteOf(mesh, rotationMatrix(IDENTITY_POSE.orientation), 1, progress);
  return traced.flatMap((ring) => simplifyOutward(ring, SIMPLIFIED_MM) ?? []);
}
