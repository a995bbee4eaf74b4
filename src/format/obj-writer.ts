import { placedSurface, triangleCount, vertexCount } from "../mesh/mesh.ts";
import type { ModelWriter } from "./model-formats.ts";
import { TextBuffer, words } from "./text-buffer.ts";

/**
 * Wavefront OBJ (Advanced Visualizer manual, appendix B1), in millimetres: an object for each body, in scene coordinates. It has no colours:
 * those of the format are in a second file, which could not be replaced in one step with this one.
 */
export const objWriter: ModelWriter = {
  *chunks(bodies, _refuse, progress) {
    const total = bodies.reduce((sum, { mesh }) => sum + vertexCount(mesh) + triangleCount(mesh), 0);
    const buffer = new TextBuffer();
    buffer.text("# Printwright, in millimetres\n");
    let done = 0;
    let firstVertex = 1;
    for (const body of bodies) {
      const { vertices, triangles } = placedSurface(body);
      buffer.text(`o ${lineOf(body.name)}\n`);
      for (let at = 0; at < vertices.length; at += 3) {
        buffer.floats(VERTEX, vertices, at);
        if (buffer.isFull) {
          progress.report((done + at / 3) / total);
          yield buffer.take();
        }
      }
      done += vertices.length / 3;
      for (let at = 0; at < triangles.length; at += 3) {
        buffer.integers(FACE, triangles, at, firstVertex);
        if (buffer.isFull) {
          progress.report((done + at / 3) / total);
          yield buffer.take();
        }
      }
      done += triangles.length / 3;
      firstVertex += vertices.length / 3;
    }
    yield buffer.take();
  },
};

const VERTEX = words("v ", " ", " ", "\n");
const FACE = words("f ", " ", " ", "\n");

/** A name in one line, which ends without the sign that would join the next one to it. */
const lineOf = (name: string): string =>
  name
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/[\s\\]+$/, "")
    .trim() || "model";
