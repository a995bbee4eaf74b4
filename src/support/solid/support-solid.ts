import type { BuildVolume } from "../../core/geometry.ts";
import { operationFailed } from "../../core/fault.ts";
import type { Watch } from "../../core/watch.ts";
import { union } from "../../mesh/boolean/union.ts";
import { canonicalMesh } from "../../mesh/canonical.ts";
import { type Mesh, type Surface } from "../../mesh/mesh.ts";
import { dropCollapsed } from "../../mesh/repair/drop-collapsed.ts";
import { survey } from "../../mesh/survey.ts";
import { raftBodies } from "../raft/raft.ts";
import type { SupportSettings } from "../settings.ts";
import type { SupportTree } from "../tree/tree.ts";
import { standingFeet } from "./standing-feet.ts";
import { treeBodies } from "./tree-bodies.ts";
import { within } from "./within.ts";

export interface SupportSolidRequest {
  readonly tree: SupportTree;
  readonly settings: SupportSettings;
  /** x, y of the hull of the model's silhouette, scene coordinates. */
  readonly footprint: Float64Array;
  readonly room?: { readonly volume: BuildVolume };
  /** What the raft says where it is labelled. */
  readonly label: string;
}

/** How often the bodies are united at most, each time with their corners turned a little. */
const ATTEMPTS = 4;
const TURN_PER_ATTEMPT = 0.1;

/**
 * The solid of a tree and the raft that it stands on, in scene coordinates: closed, each edge between two facets, one body
 * for all that hangs together; what would stand out of the platform or the room is cut off. Throws OPERATION_FAILED for a tree without struts.
 */
export async function supportSolid(request: SupportSolidRequest, watch: Watch): Promise<Mesh> {
  const { tree, settings, label } = request;
  if (tree.struts.length === 0) {
    throw operationFailed("No touchpoint can be led to the ground. Turn the model, or allow internal supports.");
  }
  const feet = standingFeet(tree);
  const raft = await raftBodies({ ...request, feet }, label);
  for (let attempt = 0; ; attempt++) {
    const part = watch.part(attempt / ATTEMPTS, (attempt + 1) / ATTEMPTS);
    const bodies = [...raft, ...treeBodies(tree, feet, settings, TURN_PER_ATTEMPT * attempt)];
    const united = await union(bodies, part.part(0, 0.6));
    const mesh = meshOf(await within(united, request.room), part.part(0.7, 0.9));
    // Places that singles cannot tell apart become one and may pinch the surface. In the last attempt that stays: it is
    // closed all the same.
    if (attempt + 1 === ATTEMPTS || isManifold(mesh, part.part(0.9, 1))) return mesh;
  }
}

/** Without the facets of which two corners have become one: their neighbours then meet. */
function meshOf(united: Surface, watch: Watch): Mesh {
  const mesh = canonicalMesh(united, 1, watch.part(0, 0.5));
  const kept = dropCollapsed(mesh);
  return kept === mesh ? mesh : canonicalMesh(kept, 1, watch.part(0.5, 1));
}

function isManifold(mesh: Mesh, watch: Watch): boolean {
  const { openEdges, nonManifoldEdges, misorientedEdges } = survey(mesh, watch);
  return openEdges + nonManifoldEdges + misorientedEdges === 0;
}
