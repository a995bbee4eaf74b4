import type { Watch } from "../../core/watch.ts";
import type { Surface } from "../mesh.ts";
import type { Field } from "./field.ts";
import { layerNets } from "./layer-nets.ts";

/** The surface on which values cross 0, as {@link layerNets} draws it: closed. */
export const surfaceNets = (field: Field, watch: Watch): Surface => layerNets(field, 0, field.layers, watch).surface;
