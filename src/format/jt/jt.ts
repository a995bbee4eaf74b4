import { Buffer } from "node:buffer";
import type { ErrorFactory } from "../../core/api-error.ts";
import { fileError } from "../../core/file-error.ts";
import { readWholeFile } from "../../core/read-file.ts";
import { releaseArrays } from "../../core/typed-arrays.ts";
import { type Surface, concatenateSurfaces, triangleCount, vertexCount } from "../../mesh/mesh.ts";
import { displayMeshWarning } from "../display-mesh.ts";
import type { FilePart, ModelReader } from "../model-formats.ts";
import { claimModelBytes, claimModelSize, requirePartCount } from "../model-size.ts";
import { placeSurface } from "../place-surface.ts";
import { ADVICE, readJtFile, segmentContent } from "./jt-file.ts";
import { type ScenePart, readSceneGraph } from "./scene-graph.ts";
import { readTriStripShape8 } from "./tri-strip-shape-8.ts";
import { readTriStripShape } from "./tri-strip-shape.ts";

const MAX_FILE_BYTES = 2 ** 30;
/** Share of the progress at which the shapes are read. */
const READ_SHARE = 0.9;

/** Millimetres per unit, by the names of units (ISO 14306:2012, 7.2.1.1.1.9). */
const UNITS_MM: Readonly<Record<string, number>> = {
  micrometers: 0.001,
  millimeters: 1,
  centimeters: 10,
  decimeters: 100,
  meters: 1000,
  kilometers: 1e6,
  mils: 0.0254,
  inches: 25.4,
  feet: 304.8,
  yards: 914.4,
  miles: 1_609_344,
};

/** JT files of versions 8 to 10, by their finest tessellation. Each use of a part is a part. */
export const jtReader: ModelReader = {
  async read(file, _options, progress) {
    progress.report(0);
    const refuse: ErrorFactory = (why) => fileError("read", file, why);
    const whole = readWholeFile(file, MAX_FILE_BYTES, (size) => claimModelBytes(file, size));
    const jt = readJtFile(Buffer.from(whole.buffer, whole.byteOffset, whole.byteLength), refuse);
    const claim = (bytes: number): void => claimModelBytes(file, whole.length + bytes);
    const graphSegment = jt.segments.get(jt.sceneGraph);
    if (!graphSegment) throw refuse(`it has no scene graph; ${ADVICE}`);
    const graph = readSceneGraph(await segmentContent(graphSegment, claim, refuse), jt.version, refuse);
    requirePartCount(graph.parts.length);
    if (graph.parts.length === 0) {
      throw refuse(`it holds no tessellated shapes, only exact ones (XT) or others that are not read; ${ADVICE}`);
    }
    const ids = [...new Set(graph.parts.flatMap(({ shapes }) => shapes.map(({ segment }) => segment)))];
    const surfaces = new Map<string, Surface>();
    const reading = progress.part(0, READ_SHARE);
    for (const [i, id] of ids.entries()) {
      const segment = jt.segments.get(id);
      if (!segment) throw refuse(`a shape of its scene graph is missing; ${ADVICE}`);
      const content = await segmentContent(segment, claim, refuse);
      const claimShape = (facets: number, vertices: number): void =>
        claimModelSize(file, { facets, vertices, parts: 1 }, refuse);
      const share = reading.part(i / ids.length, (i + 1) / ids.length);
      surfaces.set(
        id,
        jt.version === 8
          ? readTriStripShape8(content, claimShape, refuse)
          : readTriStripShape(content, jt.version, claimShape, refuse, share),
      );
    }
    releaseArrays(whole);
    claimModelSize(file, sizeOf(graph.parts, surfaces), refuse);
    const parts = graph.parts.map((part, index) => toPart(part, surfaces, index));
    for (const { vertices } of surfaces.values()) releaseArrays(vertices);
    const unitMm = UNITS_MM[graph.unit?.toLowerCase() ?? ""];
    const deviationMm = graph.chordal === undefined ? undefined : roundedMm(graph.chordal * (unitMm ?? 1));
    return {
      parts,
      ...(unitMm !== undefined && { unitMm }),
      separateFaces: deviationMm === undefined ? {} : { deviationMm },
      warnings: [displayMeshWarning("the program that wrote the JT file", deviationMm)],
    };
  },
};

const roundedMm = (mm: number): number => Number(mm.toPrecision(3));

function sizeOf(
  parts: readonly ScenePart[],
  surfaces: ReadonlyMap<string, Surface>,
): { facets: number; vertices: number; parts: number } {
  const used = parts.flatMap(({ shapes }) => shapes.map(({ segment }) => surfaces.get(segment)!));
  return {
    facets: used.reduce((sum, surface) => sum + triangleCount(surface), 0),
    vertices: used.reduce((sum, surface) => sum + vertexCount(surface), 0),
    parts: parts.length,
  };
}

/** The shapes of a part in their places. */
function toPart({ name, shapes }: ScenePart, surfaces: ReadonlyMap<string, Surface>, index: number): FilePart {
  const placed = shapes.map(({ segment, transform }) => placeSurface(surfaces.get(segment)!, transform));
  return { index, ...(name !== undefined && { name }), surface: concatenateSurfaces(placed) };
}
