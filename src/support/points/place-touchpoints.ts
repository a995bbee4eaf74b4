import type { Progress } from "../../core/progress.ts";
import { memoize } from "../../core/memoize.ts";
import { boxOf } from "../../geometry/box.ts";
import { Heap } from "../../geometry/heap.ts";
import { halveResolution, type SpanGrid, type SpanLayer } from "../../geometry/spans.ts";
import { add, subtract } from "../../geometry/vector.ts";
import { type Bvh, buildBvh } from "../../mesh/bvh/bvh.ts";
import { type Surface, facetNormal, triangleCount } from "../../mesh/mesh.ts";
import { OverhangDistance } from "../../slice/overhang-distance.ts";
import { findOverhangs, placedSolidSurface } from "../../slice/overhangs.ts";
import { spanLayers } from "../../slice/span-layers.ts";
import { midHeightsMm } from "../../slice/layer-heights.ts";
import type { PlacedMesh } from "../../mesh/placed-mesh.ts";
import type { FindStanding, Standing, Touchpoint, TouchpointCause } from "./touchpoint.ts";
import type { SupportSettings } from "../support-settings.ts";
import { overhangGrid, sectionGrid } from "../../hold/part-sections.ts";
import { SectionRecorder, type Sections } from "../../hold/sections.ts";
import { findIslands, findLocalMinima, islandTouchpoint } from "./islands.ts";
import { type HoldCandidate, holdCandidates } from "./hold-candidates.ts";
import { type PlacedPoint, findHoldPoints } from "./hold-points.ts";
import { Underside, unitNormal } from "./underside.ts";

export interface TouchpointRequest {
  /** The model as it is printed, above the raft. */
  readonly placed: PlacedMesh;
  /** Layer k reaches from entry k to entry k + 1; ascending, from 0. */
  readonly boundariesMm: Float64Array;
  readonly settings: SupportSettings;
  /** Parts that begin below this height rest on the platform or the raft, mm. */
  readonly groundMm: number;
  readonly standingOf: FindStanding;
}

export interface PlacedTouchpoints {
  readonly touchpoints: readonly Touchpoint[];
  readonly sections: Sections;
  /** The region of the sections that each touchpoint touches; −1 where there is none. */
  readonly regions: Int32Array;
}

/** Shares of the progress at which each stage ends; points that hold against the pull of the film are the last. */
const SHARES = { solid: 0.1, overhangs: 0.2, layers: 0.7 };

/** A touchpoint is firm this far from an edge, in touchpoint sizes: edges are looked for within this distance. */
const SIZES_FROM_EDGE = 2;

/** Side of the triangles of the lattice under wide flat faces, in spacings. */
const LATTICE_PITCH = 1.25;

/** Points with a smaller fraction of solid around them than at a straight edge are at a corner or the end of a peninsula. */
const CORNER_SHARE = 0.4;

/**
 * The touchpoints of a model, from the lowest layer up. Each region that begins in the air gets one. Then overhanging
 * faces get touchpoints where their overhang distance is largest ({@link OverhangDistance}), until nowhere it exceeds
 * the spacing. What the film still pulls off gets more ({@link findHoldPoints}), on all faces that tips reach.
 */
export function placeTouchpoints(request: TouchpointRequest, progress: Progress): PlacedTouchpoints {
  const { mesh, pose } = request.placed;
  const [x, y, z] = pose.position;
  // At the centre of the platform, so that rounding does not depend on the model's place.
  const placed = { mesh, pose: { ...pose, position: [0, 0, z] as const } };
  const inScene = memoize((point: Touchpoint) => ({ ...point, position: add(point.position, [x, y, 0]) }));
  const standingOf = (point: Touchpoint): Standing | undefined => {
    const standing = request.standingOf(inScene(point));
    return standing?.foot ? { foot: subtract(standing.foot, [x, y, 0]) } : standing;
  };
  const { touchpoints, recorder, regions } = placeAtOrigin({ ...request, placed, standingOf }, progress);
  return { touchpoints: touchpoints.map(inScene), sections: recorder.build([x, y]), regions };
}

interface PlacedAtOrigin {
  readonly touchpoints: readonly Touchpoint[];
  readonly recorder: SectionRecorder;
  readonly regions: Int32Array;
}

function placeAtOrigin(
  { placed, boundariesMm, settings, groundMm, standingOf }: TouchpointRequest,
  progress: Progress,
): PlacedAtOrigin {
  const { selfSupportingAngleDeg, onlyMinima, touchpointSizeMm, density } = settings;
  const { solid: solidShare, overhangs: overhangsShare, layers: layersShare } = SHARES;
  const surface = placedSolidSurface(placed, progress.part(0, solidShare));
  const grid = overhangGrid(boxOf(surface.vertices));
  const sampleHeightsMm = midHeightsMm(boundariesMm);
  const finding = progress.part(solidShare, overhangsShare);
  const overhangs = findOverhangs(surface, sampleHeightsMm, grid, selfSupportingAngleDeg, finding);
  const minima = findLocalMinima(surface, sampleHeightsMm, grid);
  const distances = new OverhangDistance(grid, selfSupportingAngleDeg);
  const underside = new Underside({ surface, grid, overhangs, sampleHeightsMm, distances });
  const spacing = touchpointSpacing(surface, settings);
  const spacingMm = (pixel: number): number => spacing.ofFacet(underside.facetAt(pixel));
  /** Overhang distance of a pixel with a facet, in spacings. */
  const needOf = (pixel: number): number => distances.distanceMm(pixel) / spacingMm(pixel);
  let built: Bvh | undefined;
  const bvh = (): Bvh => (built ??= buildBvh(surface, progress.silent()));
  const insetMm = SIZES_FROM_EDGE * touchpointSizeMm;

  const points: Touchpoint[] = [];
  // A layer may get hundreds of touchpoints, so each of them checks whether the job was cancelled.
  const checking = progress.silent();
  const place = (pixels: readonly number[], causeOf: (pixel: number) => TouchpointCause): void => {
    checking.report(1);
    for (const pixel of pixels) points.push({ ...underside.pointAt(pixel), cause: causeOf(pixel) });
    distances.anchor(pixels);
  };
  const isWanted = ({ touchpoint }: HoldCandidate): boolean =>
    settings.slopeMultiplier > 0 || -touchpoint.normal[2] >= FLAT_COSINE;
  const candidates = onlyMinima || density === 0 ? [] : holdCandidates(surface).filter(isWanted);
  const candidatePoints = candidates.map(({ touchpoint }) => touchpoint.position);
  const recorder = new SectionRecorder(sectionGrid(grid), sampleHeightsMm, candidatePoints);
  const regions: number[] = [];
  const locate = (): void => {
    for (const { position } of points.slice(regions.length)) regions.push(recorder.regionAt(position[0], position[1]));
  };
  const layers = spanLayers(
    { placed: [placed], boundariesMm, grid: sectionGrid(grid), minCoverage: 1 },
    progress.part(overhangsShare, layersShare),
  );
  let below: SpanLayer | undefined;
  for (const layer of layers) {
    const { index } = layer;
    const heightMm = sampleHeightsMm[index];
    distances.addLayer(heightMm, [{ layer: halveResolution(layer), isAnchored: index === 0 }]);
    const newPixels = underside.addLayer(index);
    const islands = below ? findIslands(layer, below, grid.columns) : [];
    below = layer;
    for (const island of islands) {
      const localMinima = minima.get(index) ?? [];
      const { position, normal, pixel } = islandTouchpoint({
        island,
        surface,
        underside,
        localMinima,
        heightMm,
        insetMm,
        bvh,
      });
      points.push({ position, normal, cause: "MINIMUM" });
      distances.anchor([pixel]);
    }
    recorder.addLayer(layer);
    locate();
    if (onlyMinima) continue;
    const isIsland = (pixel: number): boolean => islands.some((island) => island.has(pixel));
    const isNeedy = (pixel: number): boolean => underside.hasFacet(pixel) && needOf(pixel) > 1;
    const needy = newPixels.filter(isNeedy);
    const lattice = triangularLattice(needy, isNeedy, grid, LATTICE_PITCH * spacing.flatMm, spacing.flatMm);
    place(lattice, (pixel) => (isIsland(pixel) ? "ISLAND" : "OVERHANG"));
    farthestFirst(needy, needOf, (pixel) => {
      const inset = underside.insetFromEdges(pixel, Math.min(insetMm, spacingMm(pixel) / 2));
      const cause = isIsland(pixel) ? "ISLAND" : inset.solidShare < CORNER_SHARE ? "PENINSULA" : "OVERHANG";
      place([inset.pixel], () => cause);
      if (needOf(pixel) > 1) place([pixel], () => cause);
    });
    locate();
  }
  if (candidates.length > 0) {
    const reached = points.flatMap((touchpoint, i): PlacedPoint[] => {
      const [region, standing] = [regions[i], standingOf(touchpoint)];
      return region >= 0 && standing ? [{ touchpoint, region, foot: standing.foot }] : [];
    });
    const held = findHoldPoints(
      {
        sections: recorder.build([0, 0]),
        placed: reached,
        candidates,
        regions: recorder.regions,
        settings,
        groundMm,
        standingOf,
      },
      progress.part(layersShare, 1),
    );
    for (const { touchpoint, region } of held) {
      points.push(touchpoint);
      regions.push(region);
    }
  }
  return { touchpoints: points, recorder, regions: Int32Array.from(regions) };
}

/**
 * Spacing as a share of the bridging distance: gives about as many points as PrusaSlicer 2.9 on the models compared.
 */
const SHARE_OF_BRIDGE = 0.44;

/** Faces up to 10° from horizontal count as flat. */
const FLAT_COSINE = 0.9848;

/** Points per area on slopes, as a share of those on flat faces: a slope supports part of itself. */
const SHARE_ON_SLOPES = 0.42;

/** The largest overhang distance that needs no touchpoint, mm; infinite where none is ever needed. */
interface Spacing {
  readonly flatMm: number;
  readonly ofFacet: (facet: number) => number;
}

/**
 * The spacing over a surface. Points per area grow with `density`, and on faces that are not flat with `density` ·
 * `slopeMultiplier`, so spacings are divided by the square root of these. None is smaller than a touchpoint.
 */
function touchpointSpacing(surface: Surface, settings: SupportSettings): Spacing {
  const { bridgingDistanceMm, density, slopeMultiplier, touchpointSizeMm } = settings;
  const spacingMm = (points: number): number =>
    Math.max(touchpointSizeMm, (SHARE_OF_BRIDGE * bridgingDistanceMm) / Math.sqrt(points));
  const flatMm = spacingMm(density);
  const slopeMm = spacingMm(density * slopeMultiplier * SHARE_ON_SLOPES);
  /** Cache by facet; 0: not computed yet. */
  const known = new Float64Array(triangleCount(surface));
  const isFlat = (facet: number): boolean => -unitNormal(facetNormal(surface, facet))[2] >= FLAT_COSINE;
  return { flatMm, ofFacet: (facet) => (known[facet] ||= isFlat(facet) ? flatMm : slopeMm) };
}

/** Share of the disc around a lattice point that must be wanted: near edges {@link farthestFirst} places the points. */
const MIN_WANTED_SHARE = 0.97;

/**
 * The pixels among those given that belong to a triangular lattice and are at least `marginMm` away from unwanted pixels. `pitchMm` is
 * the side of the lattice's triangles.
 */
function triangularLattice(
  pixels: readonly number[],
  isWanted: (pixel: number) => boolean,
  { columns, pixelMm }: SpanGrid,
  pitchMm: number,
  marginMm: number,
): number[] {
  if (pixels.length === 0) return [];
  const disc = discOffsets(Math.floor(marginMm / pixelMm), columns);
  const pitch = pitchMm / pixelMm;
  const rowPitch = (pitch * Math.sqrt(3)) / 2;
  return pixels.filter((pixel) => {
    const row = Math.floor(pixel / columns);
    const line = Math.round(row / rowPitch);
    if (row !== Math.round(line * rowPitch)) return false;
    const shift = line % 2 === 0 ? 0 : pitch / 2;
    const column = pixel - row * columns;
    if (column !== Math.round(Math.round((column - shift) / pitch) * pitch + shift)) return false;
    return disc.filter((offset) => isWanted(pixel + offset)).length >= MIN_WANTED_SHARE * disc.length;
  });
}

/** Offsets from a pixel to those within a radius, in pixels. */
function discOffsets(radius: number, columns: number): number[] {
  const offsets: number[] = [];
  for (let y = -radius; y <= radius; y++) {
    for (let x = -radius; x <= radius; x++) if (x * x + y * y <= radius * radius) offsets.push(y * columns + x);
  }
  return offsets;
}

/**
 * Farthest-first traversal: calls `place` for the pixel of greatest need, which must lower the need there, until no pixel has a need
 * above 1. Needs may only decrease. Among equal ones the first is taken.
 */
function farthestFirst(
  pixels: readonly number[],
  needOf: (pixel: number) => number,
  place: (pixel: number) => void,
): void {
  const needs = Float64Array.from(pixels, needOf);
  const heap = new Heap<number>(
    (a, b) => needs[a] > needs[b] || (needs[a] === needs[b] && a < b),
    pixels.map((_, i) => i).filter((i) => needs[i] > 1),
  );
  for (let top = heap.peek(); top !== undefined; top = heap.peek()) {
    const need = needOf(pixels[top]);
    if (need === needs[top]) place(pixels[top]);
    else if (need <= 1) heap.pop();
    else {
      needs[top] = need;
      heap.siftTop();
    }
  }
}
