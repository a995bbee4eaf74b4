import { lazy } from "../../core/memoize.ts";
import { must } from "../../core/must.ts";
import type { Progress } from "../../core/progress.ts";
import { boxOf } from "../../geometry/box.ts";
import { type SpanLayer, halveResolution } from "../../geometry/spans.ts";
import { type Vec3, distanceXy, subtract } from "../../geometry/vector.ts";
import {
  type PartLayers,
  atCentre,
  layersOfPart,
  overhangGrid,
  partLayers,
  sectionGrid,
} from "../../hold/part-sections.ts";
import { SectionRecorder, type Sections } from "../../hold/sections.ts";
import { type Bvh, buildBvh } from "../../mesh/bvh/bvh.ts";
import type { Surface } from "../../mesh/mesh.ts";
import type { PlacedMesh } from "../../mesh/placed-mesh.ts";
import { midHeightsMm } from "../../slice/layer-heights.ts";
import { OverhangDistance } from "../../slice/overhang/overhang-distance.ts";
import { type MarkedSurface, markSurface } from "../plan/marked-surface.ts";
import type { SupportArea } from "../plan/support-area.ts";
import type { SupportSettings } from "../support-settings.ts";
import { findLocalMinima, islandPixels, islandTouchpoint } from "./islands.ts";
import { KeptTouchpoints } from "./kept-touchpoints.ts";
import { type PackedCandidates, type PartFaces, partFaces, unpackCandidates } from "./part-faces.ts";
import { PixelMarks, rimPixels } from "./pixel-marks.ts";
import { farthestFirst, triangularLattice } from "./pixel-choice.ts";
import { type Touchpoint, type TouchpointCause, automaticPoint } from "./touchpoint.ts";
import { type Spacing, touchpointSpacing } from "./touchpoint-spacing.ts";
import { Underside } from "./underside.ts";

export interface WalkRequest {
  /** The part as it is printed, above the raft. Its x and y do not matter. */
  readonly placed: PlacedMesh;
  /** Layer k reaches from entry k to entry k + 1; ascending, from 0. */
  readonly boundariesMm: Float64Array;
  readonly settings: SupportSettings;
  /** The `partLayers` of the part, if other threads have made them. */
  readonly layers?: PartLayers | undefined;
  /** The {@link partFaces} of the part, if another thread has found them. */
  readonly faces?: PartFaces | undefined;
  readonly areas?: readonly SupportArea[] | undefined;
  /** Points that stay while the others are chosen, in the coordinates of `placed`. */
  readonly kept?: readonly Touchpoint[] | undefined;
}

/** What follows from the layers of a part at the centre of the platform. */
export interface WalkedPart {
  /** Points at minima, islands and overhangs. */
  readonly touchpoints: readonly Touchpoint[];
  /** The region of the sections that each touchpoint touches; −1 where there is none. */
  readonly regions: Int32Array;
  /** The region that each of the kept points touches; −1 where there is none. */
  readonly keptRegions: Int32Array;
  readonly sections: Sections;
  readonly candidates: PackedCandidates;
  /** The region of each candidate. */
  readonly candidateRegions: Int32Array;
}

/** Shares of the progress at which each stage ends. */
const SHARES = { prepared: 0.28, faces: 0.35 };

/** A touchpoint is firm this far from an edge, in touchpoint sizes: edges are looked for within this distance. */
const SIZES_FROM_EDGE = 2;

/** Side of the triangles of the lattice under wide flat faces, in spacings. */
const LATTICE_PITCH = 1.25;

/** Distance of touchpoints in dense areas, as a share of that elsewhere. */
const DENSE_SHARE = 0.5;

/** The rim of a barred area gets a touchpoint for it where the overhang distance is at least this many spacings. */
const RIM_NEED = 0.5;

/** Points with a smaller fraction of solid around them than at a straight edge are at a corner or the end of a peninsula. */
const CORNER_SHARE = 0.4;

/**
 * The touchpoints that follow from the layers of a part, from the lowest one up. Each region that begins in the air gets one. Then
 * overhanging faces get touchpoints where their overhang distance is largest ({@link OverhangDistance}), until nowhere it exceeds the
 * spacing.
 */
export function walkPart(request: WalkRequest, progress: Progress): WalkedPart {
  const { placed, boundariesMm, settings, areas } = request;
  const layers = request.layers ?? partLayers(placed, boundariesMm, progress.part(0, SHARES.prepared));
  const finding = progress.part(SHARES.prepared, SHARES.faces);
  const faces = request.faces ?? partFaces({ surface: layers.surface, boundariesMm, settings, areas, placed }, finding);
  const walk = new PartWalk(layers.surface, faces, request, progress);
  for (const layer of layersOfPart(layers, progress.part(SHARES.faces, 1))) {
    const islands = walk.addLayer(layer);
    if (!settings.onlyMinima) walk.supportOverhangs(islands);
  }
  return { ...walk.result(), candidates: faces.candidates };
}

/** The touchpoints of a part while its layers are added from the lowest up. */
class PartWalk {
  readonly #surface: Surface;
  readonly #grid: ReturnType<typeof overhangGrid>;
  readonly #sampleHeightsMm: Float64Array;
  readonly #minima: ReturnType<typeof findLocalMinima>;
  readonly #distances: OverhangDistance;
  readonly #underside: Underside;
  readonly #spacing: Spacing;
  readonly #surfaceMarks: MarkedSurface | undefined;
  readonly #marks: PixelMarks;
  readonly #kept: KeptTouchpoints;
  readonly #keptRegions: Int32Array;
  readonly #keptPlaces: readonly Vec3[];
  readonly #bridgingMm: number;
  readonly #bvh: () => Bvh;
  readonly #sizeMm: number;
  /** A layer may get hundreds of touchpoints, so each of them checks whether the job was cancelled. */
  readonly #checking: Progress;
  readonly #recorder: SectionRecorder;
  readonly #points: Touchpoint[] = [];
  /** Region of each point. */
  readonly #regions: number[] = [];
  #newPixels: readonly number[] = [];

  constructor(
    surface: Surface,
    { overhangs, candidates }: PartFaces,
    { placed, boundariesMm, settings, areas, kept = [] }: WalkRequest,
    progress: Progress,
  ) {
    const { selfSupportingAngleDeg, touchpointSizeMm } = settings;
    this.#surface = surface;
    const grid = overhangGrid(boxOf(surface.vertices));
    this.#grid = grid;
    const sampleHeightsMm = midHeightsMm(boundariesMm);
    this.#sampleHeightsMm = sampleHeightsMm;
    this.#minima = findLocalMinima(surface, sampleHeightsMm, grid);
    this.#distances = new OverhangDistance(grid, selfSupportingAngleDeg);
    this.#underside = new Underside({ surface, grid, overhangs, sampleHeightsMm, distances: this.#distances });
    this.#spacing = touchpointSpacing(surface, settings);
    this.#bvh = lazy(() => buildBvh(surface, progress.silent()));
    this.#surfaceMarks = markSurface(surface, areas, atCentre(placed), this.#bvh);
    this.#marks = new PixelMarks(this.#surfaceMarks, this.#underside);
    const [x, y] = placed.pose.position;
    const places = kept.map(({ position }) => subtract(position, [x, y, 0]));
    this.#kept = new KeptTouchpoints(places, sampleHeightsMm, grid);
    this.#keptRegions = new Int32Array(kept.length).fill(-1);
    this.#keptPlaces = places;
    this.#bridgingMm = settings.bridgingDistanceMm;
    this.#sizeMm = touchpointSizeMm;
    this.#checking = progress.silent();
    const candidatePoints = unpackCandidates(candidates).map(({ point }) => point.position);
    this.#recorder = new SectionRecorder(sectionGrid(grid), sampleHeightsMm, candidatePoints);
  }

  /** How far touchpoints are from edges, mm, where there is room. */
  get #insetMm(): number {
    return SIZES_FROM_EDGE * this.#sizeMm;
  }

  /** Adds a layer and the touchpoints of its islands. */
  addLayer(layer: SpanLayer): readonly ReadonlySet<number>[] {
    const { index } = layer;
    const heightMm = this.#sampleHeightsMm[index];
    this.#distances.addLayer(heightMm, [{ layer: halveResolution(layer), isAnchored: index === 0 }]);
    this.#newPixels = this.#underside.addLayer(index);
    this.#marks.nextLayer();
    this.#recorder.addLayer(layer);
    const islands = islandPixels(layer, this.#recorder.lastIslands(), this.#grid.columns);
    const held = this.#holdKept(index, islands);
    const localMinima = (this.#minima.get(index) ?? []).filter((minimum) => !this.#surfaceMarks?.isBarred(minimum));
    for (const island of islands) {
      const free = this.#freePixels(island);
      if (held.has(island) || free.size === 0) continue;
      const { pixel, ...point } = islandTouchpoint({
        island: free,
        surface: this.#surface,
        underside: this.#underside,
        localMinima,
        heightMm,
        insetMm: this.#insetMm,
        bvh: this.#bvh,
      });
      if (this.#surfaceMarks?.isBarred(point)) continue;
      this.#points.push(automaticPoint(point, "MINIMUM", this.#sizeMm));
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
    const isOpen = (pixel: number): boolean => !this.#marks.isBarred(pixel);
    const isNeedy = (pixel: number): boolean => underside.hasFacet(pixel) && needOf(pixel) > 1 && isOpen(pixel);
    const needy = this.#newPixels.filter(isNeedy);
    for (const isDense of [true, false]) {
      const isWanted = (pixel: number): boolean => isNeedy(pixel) && this.#marks.isDense(pixel) === isDense;
      const spacingMm = this.#spacing.flatMm * (isDense ? DENSE_SHARE : 1);
      const pixels = needy.filter(isWanted);
      const lattice = triangularLattice(pixels, isWanted, this.#grid, LATTICE_PITCH * spacingMm, spacingMm);
      this.#place(lattice, (pixel) => (isIsland(pixel) ? "ISLAND" : "OVERHANG"));
    }
    farthestFirst(needy, needOf, (pixel) => {
      const insetMm = Math.min(this.#insetMm, this.#spacingMm(pixel) / 2);
      const inset = underside.insetFromEdges(pixel, insetMm, isOpen);
      const cause = isIsland(pixel) ? "ISLAND" : inset.solidShare < CORNER_SHARE ? "PENINSULA" : "OVERHANG";
      this.#place([inset.pixel], () => cause);
      if (needOf(pixel) > 1) this.#place([pixel], () => cause);
    });
    this.#holdBarred((pixel) => (isIsland(pixel) ? "ISLAND" : "OVERHANG"));
    this.#locatePoints();
  }

  /** Holds the barred pixels of the last layer from the rim of their overhang, where one is near enough to bridge to them. */
  #holdBarred(causeOf: (pixel: number) => TouchpointCause): void {
    const underside = this.#underside;
    const barred = this.#newPixels.filter((pixel) => underside.hasFacet(pixel) && this.#marks.isBarred(pixel));
    if (barred.length === 0) return;
    const rims = rimPixels(barred, (pixel) => underside.hasFacet(pixel) && !this.#marks.isBarred(pixel), this.#grid);
    const needs = new Map(barred.map((pixel) => [pixel, this.#needOf(pixel)]));
    const hardest = barred.toSorted((a, b) => must(needs.get(b), "A need") - must(needs.get(a), "A need"));
    for (const pixel of hardest) {
      const rim = rims.get(pixel);
      if (rim === undefined || this.#needOf(pixel) <= 1 || this.#needOf(rim) < RIM_NEED) continue;
      if (distanceXy(underside.pixelCentre(pixel), underside.pixelCentre(rim)) > this.#bridgingMm) continue;
      this.#place([rim], causeOf);
    }
  }

  /** Anchors the last layer at the kept points that hold it. Returns the islands that they hold. */
  #holdKept(layer: number, islands: readonly ReadonlySet<number>[]): ReadonlySet<ReadonlySet<number>> {
    const held = new Set<ReadonlySet<number>>();
    for (const point of this.#kept.heldIn(layer, (pixel) => this.#distances.isSolid(pixel))) {
      const [x, y] = must(this.#keptPlaces[point.index], "A kept point");
      this.#keptRegions[point.index] = this.#recorder.regionAt(x, y);
      this.#distances.anchor([point.pixel]);
      for (const island of islands) {
        const pixels = this.#kept.pixelsOf(point, island);
        if (pixels.length === 0) continue;
        held.add(island);
        this.#distances.anchor(pixels);
      }
    }
    return held;
  }

  /** The pixels of an island at which a touchpoint may be. */
  #freePixels(island: ReadonlySet<number>): ReadonlySet<number> {
    if (!this.#surfaceMarks) return island;
    return new Set([...island].filter((pixel) => !this.#underside.hasFacet(pixel) || !this.#marks.isBarred(pixel)));
  }

  result(): Omit<WalkedPart, "candidates"> {
    return {
      touchpoints: this.#points,
      regions: Int32Array.from(this.#regions),
      keptRegions: this.#keptRegions,
      sections: this.#recorder.build([0, 0]),
      candidateRegions: this.#recorder.regions,
    };
  }

  #place(pixels: readonly number[], causeOf: (pixel: number) => TouchpointCause): void {
    this.#checking.report(1);
    for (const pixel of pixels) {
      this.#points.push(automaticPoint(this.#underside.pointAt(pixel), causeOf(pixel), this.#sizeMm));
    }
    this.#distances.anchor(pixels);
  }

  /** Finds the regions of the points that have none yet. */
  #locatePoints(): void {
    for (const { position } of this.#points.slice(this.#regions.length)) {
      this.#regions.push(this.#recorder.regionAt(position[0], position[1]));
    }
  }

  #spacingMm(pixel: number): number {
    return this.#spacing.ofFacet(this.#underside.facetAt(pixel)) * (this.#marks.isDense(pixel) ? DENSE_SHARE : 1);
  }

  /** Overhang distance of a pixel with a facet, in spacings. */
  #needOf(pixel: number): number {
    return this.#distances.distanceMm(pixel) / this.#spacingMm(pixel);
  }
}
