import { once } from "../../core/once.ts";
import { type Edges, edgesOf } from "../edges.ts";
import { type Surface, vertexCount } from "../mesh.ts";

/** The edges of a surface, found once: steps that change nothing hand it on to the next. */
export const edgesFor: (surface: Surface) => Edges = once((surface: Surface) =>
  edgesOf(surface.triangles, vertexCount(surface)),
);
