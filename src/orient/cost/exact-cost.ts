import type { Vec3 } from "../../core/geometry.ts";
import { costOf, type Criteria } from "../criteria.ts";
import type { Part } from "../form/part.ts";
import { surfelsOf } from "../form/surfels.ts";
import { measureRoughly } from "./measure-roughly.ts";
import { measure } from "./measure.ts";
import { severityOf } from "./severity.ts";

/** What the part costs with a direction of it up. */
export type Cost = (up: Vec3) => number;

/** A mesh of more facets is so fine that pieces of its surface tell as much, in a fifth of the time. */
const MOST_FACETS = 100_000;
/** From so many facets on, pieces are the quicker way to find where a cost is least. */
const MANY_FACETS = 8_000;
/** Pieces of 2.5 mm and less on a part of 100 mm. */
const CELLS = 40;

/** What each direction costs, without its cups: by the facets of a part, or by fine pieces of its surface. */
export function exactCost(part: Part, criteria: Criteria): Cost {
  const severity = severityOf(criteria);
  if (part.areas.length <= MOST_FACETS) return (up) => costOf(measure(part, up, severity), part.areaMm2, criteria);
  return costByPieces(part, criteria);
}

/** What directions cost beside one another, for a search among near ones; where it ends, the exact cost decides. */
export const searchCost = (part: Part, criteria: Criteria, exact: Cost): Cost =>
  part.areas.length <= MANY_FACETS || part.areas.length > MOST_FACETS ? exact : costByPieces(part, criteria);

function costByPieces(part: Part, criteria: Criteria): Cost {
  const severity = severityOf(criteria);
  const surfels = surfelsOf(part, CELLS);
  return (up) => costOf(measureRoughly(surfels, part.vertices, up, severity), part.areaMm2, criteria);
}
