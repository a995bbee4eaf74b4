import { releaseArrays } from "../core/typed-arrays.ts";
import { placedSurface, triangleCount, vertexCount } from "../mesh/mesh.ts";
import type { ModelWriter } from "./model-writer.ts";
import { TextBuffer, words } from "../codec/text-buffer.ts";

/**
 * Wavefront OBJ (Advanced Visualizer manual, appendix B1), in millimetres: an object for each body, in scene coordinates. Without
 * colours: the format has them in a second file, which could not be replaced together with the first one in one step.
 */
export const objWriter: ModelWriter = {
  *chunks(bodies, _refuse, progress) {
    const total = bodies.reduce((sum, { mesh }) => sum + vertexCount(mesh) + triangleCount(mesh), 0);
    const buffer = new TextBuffer(total, progress);
    yield* buffer.text("# Printwright, in millimetres\n");
    let firstVertex = 1;
    for (const body of bodies) {
      const { vertices, triangles } = placedSurface(body);
      yield* buffer.text(`o ${lineOf(body.name)}\n`);
      yield* buffer.floats(VERTEX, vertices);
      yield* buffer.integers(FACE, triangles, firstVertex);
      firstVertex += vertices.length / 3;
      // As garbage, the vertices of many copies would reach gigabytes.
      releaseArrays(vertices);
    }
    yield buffer.end();
  },
};

const VERTEX = words("v ", " ", " ", "\n");
const FACE = words("f ", " ", " ", "\n");

/** A name on one line, without the backslash at its end that would join it to the next line. */
const lineOf = (name: string): string =>
  name
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/[\s\\]+$/, "")
    .trim() || "model";
