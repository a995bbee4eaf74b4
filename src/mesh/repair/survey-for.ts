import { once } from "../../core/once.ts";
import type { Watch } from "../../core/watch.ts";
import type { Mesh } from "../mesh.ts";
import { type Survey, survey } from "../survey.ts";

const known = once<Mesh, { survey?: Survey }>(() => ({}));

/** The survey of a mesh, made once: what mends a mesh makes sure, and so does who asked for it. */
export const surveyFor = (mesh: Mesh, watch: Watch): Survey => (known(mesh).survey ??= survey(mesh, watch));
