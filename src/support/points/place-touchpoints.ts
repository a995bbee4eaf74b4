import type { Progress } from "../../core/progress.ts";
import { lazy, memoize } from "../../core/memoize.ts";
import { boxOf } from "../../geometry/box.ts";
import { halveResolution, type SpanLayer } from "../../geometry/spans.ts";
import { add, subtract } from "../../geometry/vector.ts";
import { type Bvh, buildBvh } from "../../mesh/bvh/bvh.ts";
import { type Surface, facetNormal, triangleCount } from "../../mesh/mesh.ts";
import { OverhangDistance } from "../../slice/overhang-distance.ts";
import { findOverhangs } from "../../slice/overhangs.ts";
import { midHeightsMm } from "../../slice/layer-heights.ts";
import type { PlacedMesh } from "../../mesh/placed-mesh.ts";
import type { FindStanding, Standing, Touchpoint, TouchpointCause } from "./touchpoint.ts";
import type { SupportSettings } from "../support-settings.ts";
import {
  type PartLayers,
  atCentre,
  layersOfPart,
  overhangGrid,
  partLayers,
  sectionGrid,
} from "../../hold/part-sections.ts";
import { SectionRecorder, type Sections } from "../../hold/sections.ts";
import { findLocalMinima, islandPixels, islandTouchpoint } from "./islands.ts";
import { type HoldCandidate, holdCandidates } from "./hold-candidates.ts";
import { type PlacedPoint, findHoldPoints } from "./hold-points.ts";
import { farthestFirst, triangularLattice } from "./pixel-choice.ts";
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
  /** The `partLayers` of the model, if other threads have made them. */
  readonly layers?: PartLayers | undefined;
}

export interface PlacedTouchpoints {
  readonly touchpoints: readonly Touchpoint[];
  readonly sections: Sections;
  /** The region of the sections that each touchpoint touches; −1 where there is none. */
  readonly regions: Int32Array;
}

/** Shares of the progress at which each stage ends; points that hold against the pull of the film are the last. */
const SHARES = { prepared: 0.2, overhangs: 0.25, layers: 0.7 };

/** A touchpoint is firm this far from an edge, in touchpoint sizes: edges are looked for within this distance. */
const SIZES_FROM_EDGE = 2;

/** Side of the triangles of the lattice under wide flat faces, in spacings. */
const LATTICE_PITCH = 1.25;

/** Points with a smaller fraction of solid around them than at a straight edge are at a corner or the end of a peninsula. */
const CORNER_SHARE = 0.4;

/**
 * The touchpoints of a model, from the lowest layer up. Each region that begins in the air gets one. Then overhanging faces get touchpoints
 * where their overhang distance is largest ({@link OverhangDistance}), until nowhere it exceeds the spacing. Layers that the film would
 * still pull off get more ({@link findHoldPoints}), on all faces that tips reach.
 */
export function placeTouchpoints(request: TouchpointRequest, progress: Progress): PlacedTouchpoints {
  const [x, y] = request.placed.pose.position;
  const placed = atCentre(request.placed);
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

function placeAtOrigin(request: TouchpointRequest, progress: Progress): PlacedAtOrigin {
  const { placed, boundariesMm, settings } = request;
  const { prepared: preparedShare, overhangs: overhangsShare, layers: layersShare } = SHARES;
  const { surface, ...known } = request.layers ?? partLayers(placed, boundariesMm, progress.part(0, preparedShare));
  const grid = overhangGrid(boxOf(surface.vertices));
  const placing = new TouchpointPlacing(request, surface, grid, progress);
  const layers = layersOfPart(known, progress.part(overhangsShare, layersShare));
  for (const layer of layers) {
    const islands = placing.addLayer(layer);
    if (!settings.onlyMinima) placing.supportOverhangs(islands);
  }
  placing.addHoldPoints(request, progress.part(layersShare, 1));
  return placing.result();
}

/** The touchpoints of a model while its layers are added from the lowest up. */
class TouchpointPlacing {
  readonly #surface: Surface;
  readonly #grid: ReturnType<typeof overhangGrid>;
  readonly #sampleHeightsMm: Float64Array;
  readonly #minima: ReturnType<typeof findLocalMinima>;
  readonly #distances: OverhangDistance;
  readonly #underside: Underside;
  readonly #spacing: ReturnType<typeof touchpointSpacing>;
  readonly #bvh: () => Bvh;
  readonly #insetMm: number;
  /** A layer may get hundreds of touchpoints, so each of them checks whether the job was cancelled. */
  readonly #checking: Progress;
  readonly #candidates: readonly HoldCandidate[];
  readonly #recorder: SectionRecorder;
  readonly #points: Touchpoint[] = [];
  /** Region of each point. */
  readonly #regions: number[] = [];
  #newPixels: readonly number[] = [];

  constructor(
    { boundariesMm, settings }: TouchpointRequest,
    surface: Surface,
    grid: ReturnType<typeof overhangGrid>,
    progress: Progress,
  ) {
    const { selfSupportingAngleDeg, onlyMinima, touchpointSizeMm, density } = settings;
    this.#surface = surface;
    this.#grid = grid;
    const sampleHeightsMm = midHeightsMm(boundariesMm);
    this.#sampleHeightsMm = sampleHeightsMm;
    const finding = progress.part(SHARES.prepared, SHARES.overhangs);
    const overhangs = findOverhangs({ surface, sampleHeightsMm, grid, angleDeg: selfSupportingAngleDeg }, finding);
    this.#minima = findLocalMinima(surface, sampleHeightsMm, grid);
    this.#distances = new OverhangDistance(grid, selfSupportingAngleDeg);
    this.#underside = new Underside({ surface, grid, overhangs, sampleHeightsMm, distances: this.#distances });
    this.#spacing = touchpointSpacing(surface, settings);
    this.#bvh = lazy(() => buildBvh(surface, progress.silent()));
    this.#insetMm = SIZES_FROM_EDGE * touchpointSizeMm;
    this.#checking = progress.silent();
    const isWanted = ({ touchpoint }: HoldCandidate): boolean =>
      settings.slopeMultiplier > 0 || -touchpoint.normal[2] >= FLAT_COSINE;
    this.#candidates = onlyMinima || density === 0 ? [] : holdCandidates(surface).filter(isWanted);
    const candidatePoints = this.#candidates.map(({ touchpoint }) => touchpoint.position);
    this.#recorder = new SectionRecorder(sectionGrid(grid), sampleHeightsMm, candidatePoints);
  }

  /** Adds a layer and the touchpoints of its islands. */
  addLayer(layer: SpanLayer): readonly ReadonlySet<number>[] {
    const { index } = layer;
    const heightMm = this.#sampleHeightsMm[index];
    this.#distances.addLayer(heightMm, [{ layer: halveResolution(layer), isAnchored: index === 0 }]);
    this.#newPixels = this.#underside.addLayer(index);
    this.#recorder.addLayer(layer);
    const islands = islandPixels(layer, this.#recorder.lastIslands(), this.#grid.columns);
    const localMinima = this.#minima.get(index) ?? [];
    for (const island of islands) {
      const { position, normal, pixel } = islandTouchpoint({
        island,
        surface: this.#surface,
        underside: this.#underside,
        localMinima,
        heightMm,
        insetMm: this.#insetMm,
        bvh: this.#bvh,
      });
      this.#points.push({ position, normal, cause: "MINIMUM" });
      this.#distances.anchor([pixel]);
    }
    this.#locatePoints();
    return islands;
  }

  /** Adds touchpoints under the overhangs that begin in the last layer. */
  supportOverhangs(islands: readonly ReadonlySet<number>[]): void {
    const underside = this.#underside;
    const needOf = (pixel: number): number => this.#needOf(pixel);
    const isIsland = (pixel: number): boolean => islands.some((island) => island.has(pixel));
    const isNeedy = (pixel: number): boolean => underside.hasFacet(pixel) && needOf(pixel) > 1;
    const needy = this.#newPixels.filter(isNeedy);
    const { flatMm } = this.#spacing;
    const lattice = triangularLattice(needy, isNeedy, this.#grid, LATTICE_PITCH * flatMm, flatMm);
    this.#place(lattice, (pixel) => (isIsland(pixel) ? "ISLAND" : "OVERHANG"));
    farthestFirst(needy, needOf, (pixel) => {
      const inset = underside.insetFromEdges(pixel, Math.min(this.#insetMm, this.#spacingMm(pixel) / 2));
      const cause = isIsland(pixel) ? "ISLAND" : inset.solidShare < CORNER_SHARE ? "PENINSULA" : "OVERHANG";
      this.#place([inset.pixel], () => cause);
      if (needOf(pixel) > 1) this.#place([pixel], () => cause);
    });
    this.#locatePoints();
  }

  /** Adds the points that hold the part against the pull of the film. */
  addHoldPoints({ settings, groundMm, standingOf }: TouchpointRequest, progress: Progress): void {
    if (this.#candidates.length === 0) return;
    const placed = this.#points.flatMap((touchpoint, i): PlacedPoint[] => {
      const [region, standing] = [this.#regions[i], standingOf(touchpoint)];
      return region >= 0 && standing ? [{ touchpoint, region, foot: standing.foot }] : [];
    });
    const [sections, { regions }] = [this.#recorder.build([0, 0]), this.#recorder];
    const held = findHoldPoints(
      { sections, placed, candidates: this.#candidates, regions, settings, groundMm, standingOf },
      progress,
    );
    for (const { touchpoint, region } of held) {
      this.#points.push(touchpoint);
      this.#regions.push(region);
    }
  }

  result(): PlacedAtOrigin {
    return { touchpoints: this.#points, recorder: this.#recorder, regions: Int32Array.from(this.#regions) };
  }

  #place(pixels: readonly number[], causeOf: (pixel: number) => TouchpointCause): void {
    this.#checking.report(1);
    for (const pixel of pixels) this.#points.push({ ...this.#underside.pointAt(pixel), cause: causeOf(pixel) });
    this.#distances.anchor(pixels);
  }

  /** Finds the regions of the points that have none yet. */
  #locatePoints(): void {
    for (const { position } of this.#points.slice(this.#regions.length)) {
      this.#regions.push(this.#recorder.regionAt(position[0], position[1]));
    }
  }

  #spacingMm(pixel: number): number {
    return this.#spacing.ofFacet(this.#underside.facetAt(pixel));
  }

  /** Overhang distance of a pixel with a facet, in spacings. */
  #needOf(pixel: number): number {
    return this.#distances.distanceMm(pixel) / this.#spacingMm(pixel);
  }
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
