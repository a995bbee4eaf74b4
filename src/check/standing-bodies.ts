import { type Progress, noProgress } from "../core/progress.ts";
import { type Box, boxOf } from "../geometry/box.ts";
import { type Vec3, unitOrZero } from "../geometry/vector.ts";
import { bodiesOf, splitByLabel } from "../mesh/bodies.ts";
import { type Bvh, buildBvh } from "../mesh/bvh/bvh.ts";
import { closestPoint, distanceToSurface } from "../mesh/bvh/closest-point.ts";
import { windingNumber } from "../mesh/bvh/winding-number.ts";
import { type Surface, concatenateSurfaces, facetNormal, vertexAt, vertexCount } from "../mesh/mesh.ts";

/** Surfaces this near to each other touch, mm. */
const CONTACT_MM = 0.05;
/** A foot on the model is on a face that points up at least this steeply (z of its normal). Tips touch faces that point down, or walls. */
const FOOT_NORMAL_Z = 0.5;
/** Largest depth of a foot in the model, mm. */
const FOOT_DEPTH_MM = 2;

/** Whether a point is inside a closed surface or at most {@link CONTACT_MM} from it. */
export const touches = (tree: Bvh, point: Vec3): boolean =>
  windingNumber(tree, point) > 0 || distanceToSurface(tree, point, CONTACT_MM) < CONTACT_MM;

/** A body of supports. */
interface SupportBody {
  readonly surface: Surface;
  readonly box: Box;
}

/** Bodies of supports that rest on the raft or the platform, or on the model itself. */
export interface StandingBodies {
  readonly surface: Surface;
  /** A point on the model on which the bodies rest; absent if they rest on the raft or the platform. */
  readonly foot?: Vec3;
}

/**
 * The bodies of supports that rest on something, first those on the platform: bodies that reach into the first layer, bodies with a foot on
 * the model, and bodies that touch one of these. Bodies that hang from the model by their tips alone, because the rest was deleted, are
 * left out.
 */
export function standingBodies(
  supports: Surface,
  model: Surface,
  layerThicknessMm: number,
  progress: Progress,
): StandingBodies[] {
  const { bodyOf, count } = bodiesOf(supports);
  const bodies = splitByLabel(supports, bodyOf, count).map((surface): SupportBody => ({
    surface,
    box: boxOf(surface.vertices),
  }));
  const { low = [], high = [] } = Object.groupBy(bodies, ({ box }) =>
    box.min[2] <= layerThicknessMm ? "low" : "high",
  );
  if (high.length === 0) return [{ surface: supports }];
  const modelTree = buildBvh(model, progress);
  const onPlatform = carriedBy(low, high, progress);
  const standing: StandingBodies[] = low.length > 0 ? [{ surface: joined([...low, ...onPlatform]) }] : [];
  let hanging = high.filter((body) => !onPlatform.includes(body));
  for (const body of hanging) {
    progress.report(1);
    const foot = hanging.includes(body) && footOf(body, model, modelTree);
    if (!foot) continue;
    const others = hanging.filter((other) => other !== body);
    const carried = carriedBy([body], others, progress);
    standing.push({ surface: joined([body, ...carried]), foot });
    hanging = others.filter((other) => !carried.includes(other));
  }
  return standing;
}

const joined = (bodies: readonly SupportBody[]): Surface => concatenateSurfaces(bodies.map(({ surface }) => surface));

/** The bodies that touch a carrier, directly or through others. */
function carriedBy(
  carriers: readonly SupportBody[],
  bodies: readonly SupportBody[],
  progress: Progress,
): SupportBody[] {
  const all: SupportBody[] = [];
  let [added, hanging]: readonly (readonly SupportBody[])[] = [carriers, bodies];
  while (added.length > 0 && hanging.length > 0) {
    const tree = buildBvh(joined(added), progress.silent());
    const { carried = [], others = [] } = Object.groupBy(hanging, (body) => {
      progress.report(1);
      return isCarried(body, added, tree) ? "carried" : "others";
    });
    all.push(...carried);
    [added, hanging] = [carried, others];
  }
  return all;
}

/** The lowest point at which a body rests on the model; undefined if it does not. */
function footOf({ surface }: SupportBody, model: Surface, modelTree: Bvh): Vec3 | undefined {
  let lowest: Vec3 | undefined;
  for (let vertex = 0; vertex < vertexCount(surface); vertex++) {
    const point = vertexAt(surface, vertex);
    if ((lowest && point[2] >= lowest[2]) || !touches(modelTree, point)) continue;
    const closest = closestPoint(modelTree, point, FOOT_DEPTH_MM);
    if (closest && unitOrZero(facetNormal(model, closest.facet))[2] >= FOOT_NORMAL_Z) lowest = point;
  }
  return lowest;
}

/**
 * Whether a vertex of a body is in one of the others, or a vertex of the others is in the body. Bodies that cross without such a vertex,
 * which bars of few facets may do, count as apart. `othersTree`: tree of all others.
 */
function isCarried({ surface, box }: SupportBody, others: readonly SupportBody[], othersTree: Bvh): boolean {
  if (someVertex(surface, (point) => touches(othersTree, point))) return true;
  const near = others.filter((other) => boxesOverlap(other.box, box));
  if (near.length === 0) return false;
  const tree = buildBvh(surface, noProgress);
  return near.some((other) => someVertex(other.surface, (point) => touches(tree, point)));
}

const boxesOverlap = (a: Box, b: Box): boolean =>
  [0, 1, 2].every((axis) => a.min[axis] <= b.max[axis] && b.min[axis] <= a.max[axis]);

function someVertex(surface: Surface, isSo: (point: Vec3) => boolean): boolean {
  for (let vertex = 0; vertex < vertexCount(surface); vertex++) if (isSo(vertexAt(surface, vertex))) return true;
  return false;
}
