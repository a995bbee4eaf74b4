import type { Vec3 } from "../../core/geometry.ts";
import { costOf, type Criteria } from "../criteria.ts";
import type { Part } from "../form/part.ts";
import { surfelsOf } from "../form/surfels.ts";
import { measureRoughly } from "./measure-roughly.ts";
import { measure } from "./measure.ts";
import { severityOf } from "./severity.ts";

/** A mesh of more facets is so fine that pieces of its surface tell as much, in a fifth of the time. */
const MOST_FACETS = 100_000;
/** Pieces of 2.5 mm and less on a part of 100 mm. */
const CELLS = 40;

/** What each direction costs, without its cups: by the facets of a part, or by fine pieces of its surface. */
export function exactCost(part: Part, criteria: Criteria): (up: Vec3) => number {
  const severity = severityOf(criteria);
  if (part.areas.length <= MOST_FACETS) return (up) => costOf(measure(part, up, severity), part.areaMm2, criteria);
  const surfels = surfelsOf(part, CELLS);
  return (up) => costOf(measureRoughly(surfels, part.vertices, up, severity), part.areaMm2, criteria);
}
