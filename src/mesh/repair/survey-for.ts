import { once } from "../../core/once.ts";
import { unwatched } from "../../core/watch.ts";
import type { Mesh } from "../mesh.ts";
import { type Survey, survey } from "../survey.ts";

/** The survey of a mesh, made once: what mends a mesh makes sure, and so does who asked for it. */
export const surveyFor: (mesh: Mesh) => Survey = once((mesh: Mesh) => survey(mesh, unwatched));
