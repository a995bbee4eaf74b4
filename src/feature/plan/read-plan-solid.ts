import { must } from "../../core/must.ts";
import type { Progress } from "../../core/progress.ts";
import { boxSize } from "../../geometry/box.ts";
import type { Vec3 } from "../../geometry/vector.ts";
import { solidVolumeMm3 } from "../../mesh/mesh.ts";
import { importFile } from "../import/import-file.ts";
import { FILE_OPTIONS } from "./plan-files.ts";
import { type UnreadableFile, unreadable } from "./read-plan-shapes.ts";

/** What a plan of chambers needs of a model file. */
export interface PlanFileSolid {
  /** Sides of its box in the pose of the file. */
  readonly sizeMm: Vec3;
  readonly volumeMm3: number;
  readonly areaMm2: number;
}

/** The measures of the parts of a model file, which are planned as one. */
export async function readPlanSolid(
  { file }: { readonly file: string },
  progress: Progress,
): Promise<PlanFileSolid | UnreadableFile> {
  try {
    const { parts } = await importFile({ file, ...FILE_OPTIONS }, progress);
    const { mesh } = must(parts[0], "The part of a file");
    return { sizeMm: boxSize(mesh.box), volumeMm3: solidVolumeMm3(mesh), areaMm2: mesh.areaMm2 };
  } catch (thrown) {
    return unreadable(thrown);
  }
}
