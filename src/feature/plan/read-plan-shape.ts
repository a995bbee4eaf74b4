import { ApiError } from "../../core/api-error.ts";
import { must } from "../../core/must.ts";
import type { Progress } from "../../core/progress.ts";
import { IDENTITY_POSE, rotationMatrix } from "../../geometry/pose.ts";
import { type Polygons, polygonsArea } from "../../geometry/polygon.ts";
import { minimumRectangleTurn } from "../../layout/part.ts";
import { silhouetteOf } from "../../layout/silhouette.ts";
import { simplifyOutward } from "../../layout/simplify-outward.ts";
import { solidVolumeMm3 } from "../../mesh/mesh.ts";
import { importFile } from "../import/import-file.ts";
import { FILE_OPTIONS } from "./plan-files.ts";

/** What a plan needs of a model file, in the pose of the file. */
export interface PlanFileShape {
  /** Contains the silhouette, mm, relative to the centre of the mesh's box; few corners. */
  readonly outline: Polygons;
  /** Area of the outline. */
  readonly areaMm2: number;
  readonly heightMm: number;
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

/** The shape of the parts of a model file, which are planned as one. A file that cannot be read must not keep others from being planned. */
export async function readPlanShape(
  input: { readonly file: string },
  progress: Progress,
): Promise<PlanFileShape | UnreadableFile> {
  try {
    return await shapeOfFile(input, progress);
  } catch (thrown) {
    if (!(thrown instanceof ApiError) || thrown.code !== "OPERATION_FAILED") throw thrown;
    return { unreadable: thrown.message };
  }
}

async function shapeOfFile({ file }: { readonly file: string }, progress: Progress): Promise<PlanFileShape> {
  const { parts } = await importFile({ file, ...FILE_OPTIONS }, progress.part(0, READ));
  const { mesh } = must(parts[0], "The part of a file");
  const exact = silhouetteOf(mesh, rotationMatrix(IDENTITY_POSE.orientation), 1, progress.part(READ, 1));
  const outline = exact.flatMap((ring) => simplifyOutward(ring, SIMPLIFIED_MM) ?? []);
  const { box } = mesh;
  return {
    outline,
    areaMm2: polygonsArea(outline),
    heightMm: box.max[2] - box.min[2],
    volumeMm3: solidVolumeMm3(mesh),
    alignedTurnDeg: minimumRectangleTurn({ body: outline }),
  };
}
