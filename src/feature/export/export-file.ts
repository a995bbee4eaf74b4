import { excerpt, withErrorPrefix } from "../../core/api-error.ts";
import { fileError } from "../../core/file-error.ts";
import { getOrInsert } from "../../core/memoize.ts";
import type { Progress, TaskProgress } from "../../core/progress.ts";
import { writeFileAtomically } from "../../core/write-file.ts";
import { orientationKey } from "../../geometry/pose.ts";
import { ORIGIN, add } from "../../geometry/vector.ts";
import { extensionOf, writerFor } from "../../format/model-formats.ts";
import type { WrittenBody } from "../../format/model-writer.ts";
import type { PlacedMesh } from "../../mesh/placed-mesh.ts";
import { infillMesh } from "../../solid/hollow/infill-mesh.ts";

export interface ExportRequest {
  /** Path whose extension is one of `WRITTEN_EXTENSIONS`, in any case. */
  readonly file: string;
  /** At least one. */
  readonly bodies: readonly WrittenBody[];
  /** Whether infill is written as bodies of its own. */
  readonly includesInfill?: boolean | undefined;
}

/** Share of the progress for the meshes of infill. */
const MESHED_SHARE = 0.7;

/** Writes bodies of a scene to a model file, completely or not at all. Throws OPERATION_FAILED if that fails. */
export async function exportFile(
  { file, bodies, includesInfill }: ExportRequest,
  progress: TaskProgress,
): Promise<void> {
  progress.report(0);
  const writer = await writerFor(extensionOf(file));
  const filled = includesInfill ? bodies.filter(({ mesh }) => mesh.infill) : [];
  const share = filled.length > 0 ? MESHED_SHARE : 0;
  const infills = infillBodies(filled, progress.part(0, share));
  const all = [...bodies, ...infills];
  const chunks = writer.chunks(all, (why) => fileError("write", file, why), progress.part(share, 1));
  writeFileAtomically(file, chunks, progress.commit);
}

/** The infill of bodies. Equal bodies in equal poses, but for their places, share a mesh. */
function infillBodies(bodies: readonly WrittenBody[], progress: Progress): WrittenBody[] {
  const known = new Map<string, readonly PlacedMesh[]>();
  return bodies.flatMap((body, i) => {
    const { name, mesh, pose } = body;
    const key = [orientationKey(mesh.hash, pose.orientation), pose.scale].join(" ");
    const meshes = getOrInsert(known, key, () => {
      const part = progress.part(i / bodies.length, (i + 1) / bodies.length);
      const atOrigin = { mesh, pose: { ...pose, position: ORIGIN } };
      return withErrorPrefix("OPERATION_FAILED", `"${excerpt(name)}" cannot be exported`, () =>
        infillMesh(atOrigin, part),
      );
    });
    return meshes.map((infill) => ({
      ...body,
      name: `${name} infill`,
      mesh: infill.mesh,
      pose: { ...infill.pose, position: add(infill.pose.position, pose.position) },
    }));
  });
}
