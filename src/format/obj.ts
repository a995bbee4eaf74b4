import { parseObj } from "./obj/parse-obj.ts";
import type { ModelReader } from "./reader.ts";
import { withSource } from "./source.ts";

/**
 * Wavefront OBJ (Advanced Visualizer manual, appendix B1): vertices and faces of every object and group make one part.
 * Texture, normals, lines, points and free-form geometry are passed over. The format knows no unit.
 */
export const objReader: ModelReader = {
  async read(file, _options, watch) {
    return withSource(file, (source) => ({ parts: [{ index: 0, ...parseObj(source, watch) }] }));
  },
};
