import { Buffer } from "node:buffer";
import type { ErrorFactory } from "../../core/api-error.ts";
import { fileError } from "../../core/file-error.ts";
import type { Progress } from "../../core/progress.ts";
import { readWholeFile } from "../../core/read-file.ts";
import { releaseArrays } from "../../core/typed-arrays.ts";
import { type Surface, triangleCount, vertexCount } from "../../mesh/mesh.ts";
import { type ModelSize, claimModelBytes, claimModelSize } from "../model-size.ts";
import { ADVICE, readJtFile, segmentContent } from "./jt-file.ts";
import { type SceneGraph, readSceneGraph } from "./scene-graph.ts";
import { readTriStripShape8 } from "./tri-strip-shape-8.ts";
import { type RoundedSurface, readTriStripShape } from "./tri-strip-shape.ts";

const MAX_FILE_BYTES = 2 ** 30;

/** One JT file: its structure, and the meshes of its own parts by the ids of their segments. */
export interface JtModel {
  readonly graph: SceneGraph;
  readonly surfaces: ReadonlyMap<string, RoundedSurface>;
}

/** Size of the meshes that stay in memory while others are read or placed. */
export const sizeOf = (surfaces: Iterable<Surface>): ModelSize => {
  let [facets, vertices, parts] = [0, 0, 0];
  for (const surface of surfaces) {
    facets += triangleCount(surface);
    vertices += vertexCount(surface);
    parts++;
  }
  return { facets, vertices, parts };
};

/** Three double-precision coordinates per vertex, three indices per facet. */
const bytesOf = ({ facets, vertices }: ModelSize): number => 24 * vertices + 12 * facets;

/** Reads a file for the import of `whole`, which is this file or an assembly that refers to it. */
export async function readJtModel(path: string, whole: string, held: ModelSize, progress: Progress): Promise<JtModel> {
  progress.report(0);
  const refuse: ErrorFactory = (why) => fileError("read", path, why);
  const heldBytes = bytesOf(held);
  const bytes = readWholeFile(path, MAX_FILE_BYTES, (size) => claimModelBytes(whole, heldBytes + size));
  const jt = readJtFile(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), refuse);
  const claim = (more: number): void => claimModelBytes(whole, heldBytes + bytes.length + more);
  const graphSegment = jt.segments.get(jt.sceneGraph);
  if (!graphSegment) throw refuse(`it has no scene graph; ${ADVICE}`);
  const graph = readSceneGraph(await segmentContent(graphSegment, claim, refuse), jt.version, refuse);
  const used = graph.uses.flatMap((use) => ("shapes" in use ? use.shapes.map(({ segment }) => segment) : []));
  const ids = [...new Set(used)];
  const surfaces = new Map<string, RoundedSurface>();
  let { facets, vertices } = held;
  const claimShape = (moreFacets: number, moreVertices: number): void =>
    claimModelSize(whole, { facets: facets + moreFacets, vertices: vertices + moreVertices, parts: 1 }, refuse);
  for (const [i, id] of ids.entries()) {
    const segment = jt.segments.get(id);
    if (!segment) throw refuse(`a shape of its scene graph is missing; ${ADVICE}`);
    const content = await segmentContent(segment, claim, refuse);
    const share = progress.part(i / ids.length, (i + 1) / ids.length);
    const surface =
      jt.version === 8
        ? readTriStripShape8(content, claimShape, refuse)
        : readTriStripShape(content, jt.version, claimShape, refuse, share);
    facets += triangleCount(surface);
    vertices += vertexCount(surface);
    surfaces.set(id, surface);
  }
  releaseArrays(bytes);
  return { graph, surfaces };
}
