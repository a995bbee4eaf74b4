import { add } from "../../core/geometry.ts";
import type { Watch } from "../../core/watch.ts";
import { type FacetTree, facetTree } from "../../mesh/bvh/facet-tree.ts";
import { boxOf } from "../../mesh/measure.ts";
import type { Placed } from "../../slice/placed.ts";
import { spanGridOver, type SpanLayer, spanLayers } from "../../slice/span-layers.ts";
import { middlesOf } from "../../slice/stack.ts";
import { Anchorage } from "../anchorage/anchorage.ts";
import { halved } from "../anchorage/halved.ts";
import { overhangsOf } from "../anchorage/overhangs.ts";
import { pixelMmOver } from "../anchorage/pixel-size.ts";
import { standingSolid } from "../anchorage/standing-solid.ts";
import type { SupportSettings } from "../settings.ts";
import type { Touchpoint, TouchpointCause } from "../touchpoint.ts";
import { farthestFirst } from "./farthest-first.ts";
import { insetOf } from "./inset.ts";
import { islandsOf } from "./islands-of.ts";
import { latticeOver } from "./lattice.ts";
import { lowPointsOf } from "./low-points.ts";
import { minimumOf } from "./minimum-of.ts";
import { Pull } from "./pull.ts";
import { Reserve, type SparePlace } from "./reserve.ts";
import { spacingOver } from "./spacing.ts";
import { Underside } from "./underside.ts";

export interface TouchpointRequest {
  /** Where it is to be printed, above the raft. */
  readonly placed: Placed;
  /** Layer k reaches from entry k to entry k + 1; ascending, from 0. */
  readonly boundariesMm: Float64Array;
  readonly settings: SupportSettings;
}

/** Shares of the progress at which the solid is known, and what overhangs of it. */
const KNOWN = 0.15;
const FOUND = 0.3;

/** A point this many times its size away from an edge stands firmly: so far is looked around for edges. */
const SIZES_FROM_EDGE = 2;

/** Sides of the triangles of points under wide flat faces: spacings. */
const PITCH = 1.25;

/** Places with less solid around them than a straight edge has lie on a corner, or at the end of a jut. */
const CORNER_SHARE = 0.4;

/**
 * The places at which a model must be held, from the lowest layer up. Each region that begins in the air gets a point; then
 * overhanging faces get points, first where they lie farthest from all that carries them, until they lie nowhere farther
 * than the spacing. How far that is, tells {@link Anchorage}, whose distances points bring to 0. Where these are too few to
 * hold a layer against the {@link Pull} of the film, more are set on the faces so far, always farthest from all others.
 */
export function touchpointsOf(request: TouchpointRequest, watch: Watch): Touchpoint[] {
  const { mesh, pose } = request.placed;
  const [x, y, z] = pose.position;
  // Worked out in the middle of the platform: rounding shall not tell places apart.
  const placed = { mesh, pose: { ...pose, position: [0, 0, z] as const } };
  const points = touchpointsAtMiddle({ ...request, placed }, watch);
  return points.map((point) => ({ ...point, position: add(point.position, [x, y, 0]) }));
}

function touchpointsAtMiddle({ placed, boundariesMm, settings }: TouchpointRequest, watch: Watch): Touchpoint[] {
  const { selfSupportingAngleDeg, onlyMinima, touchpointSizeMm } = settings;
  const surface = standingSolid(placed, watch.part(0, KNOWN));
  const box = boxOf(surface.vertices);
  const grid = spanGridOver(box, pixelMmOver(box));
  const middlesMm = middlesOf(boundariesMm);
  const overhangs = overhangsOf(surface, middlesMm, grid, selfSupportingAngleDeg, watch.part(KNOWN, FOUND));
  const lowPoints = lowPointsOf(surface, middlesMm, grid);
  const anchorage = new Anchorage(grid, selfSupportingAngleDeg);
  const underside = new Underside(surface, grid, overhangs);
  const spacing = spacingOver(surface, settings);
  const spacingMm = (pixel: number): number => spacing.ofFacet(underside.facetOver(pixel));
  const needOf = (pixel: number): number => anchorage.distanceMm(pixel) / spacingMm(pixel);
  let known: FacetTree | undefined;
  const tree = (): FacetTree => (known ??= facetTree(surface, watch.part(FOUND, FOUND)));
  const insetMm = SIZES_FROM_EDGE * touchpointSizeMm;

  const points: Touchpoint[] = [];
  // A layer may get hundreds of points: each asks whether the job was cancelled.
  const asking = watch.part(FOUND, FOUND);
  const hold = (pixels: readonly number[], causeOf: (pixel: number) => TouchpointCause): void => {
    asking.report(1);
    for (const pixel of pixels) points.push({ ...underside.pointOver(pixel), cause: causeOf(pixel) });
    anchorage.carry(pixels);
  };
  const holdSpare = ({ pixel, since, position, normal }: SparePlace): void => {
    const stands = anchorage.isSolid(pixel) && anchorage.since(pixel) === since;
    if (!stands) return void points.push({ position, normal, cause: "OVERHANG" });
    const isNear = (other: number): boolean => Math.abs(underside.pointOver(other).position[2] - position[2]) < insetMm;
    hold([insetOf(pixel, touchpointSizeMm, underside, anchorage, isNear).pixel], () => "OVERHANG");
  };
  const fine = { ...grid, columns: 2 * grid.columns, rows: 2 * grid.rows, pixelMm: grid.pixelMm / 2 };
  const pull = new Pull(fine.pixelMm, settings);
  const reserve = new Reserve(insetMm);
  const isSpare = (pixel: number): boolean =>
    reserve.wants(pixel, grid) &&
    underside.hasFace(pixel) &&
    underside.isOpenBelow(pixel) &&
    anchorage.distanceMm(pixel) > 0 &&
    spacingMm(pixel) < Infinity;
  let below: SpanLayer | undefined;
  for (const layer of spanLayers({ placed: [placed], boundariesMm, grid: fine, least: 1 }, watch.part(FOUND, 1))) {
    const heightMm = middlesMm[layer.index];
    anchorage.rise(heightMm, [{ layer: halved(layer), isCarried: layer.index === 0 }]);
    const fresh = underside.rise(layer.index, middlesMm, anchorage);
    const islands = below ? islandsOf(layer, below, grid.columns) : [];
    below = layer;
    for (const island of islands) {
      const own = lowPoints.get(layer.index) ?? [];
      const minimum = minimumOf({ island, surface, underside, anchorage, lowPoints: own, heightMm, insetMm, tree });
      points.push({ position: minimum.position, normal: minimum.normal, cause: "MINIMUM" });
      anchorage.carry([minimum.pixel]);
    }
    pull.rise(layer);
    if (onlyMinima) continue;
    const isIsland = (pixel: number): boolean => islands.some((island) => island.has(pixel));
    const needs = (pixel: number): boolean => underside.hasFace(pixel) && needOf(pixel) > 1;
    const needy = fresh.filter(needs);
    const open = latticeOver(needy, needs, grid, PITCH * spacing.flatMm, spacing.flatMm);
    hold(open, (pixel) => (isIsland(pixel) ? "ISLAND" : "OVERHANG"));
    farthestFirst(needy, needOf, (pixel) => {
      const inset = insetOf(pixel, Math.min(insetMm, spacingMm(pixel) / 2), underside, anchorage);
      const cause = isIsland(pixel) ? "ISLAND" : inset.share < CORNER_SHARE ? "PENINSULA" : "OVERHANG";
      hold([inset.pixel], () => cause);
      if (needOf(pixel) > 1) hold([pixel], () => cause);
    });
    for (const pixel of fresh.filter(isSpare)) {
      reserve.add({ ...underside.pointOver(pixel), pixel, since: anchorage.since(pixel), spacingMm: spacingMm(pixel) });
    }
    for (let lacking = pull.lacking(points.length); lacking > 0; lacking--) {
      const place = reserve.farthestFrom(points);
      if (!place) break;
      holdSpare(place);
    }
  }
  return points;
}
