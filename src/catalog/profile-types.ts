import type { RaftType } from "./raft-type.ts";
import type { PlatformLift } from "./setting.ts";

/** A figure of the data files; if it is unknown, a plausible working value. */
export interface Figure<Value = unknown> {
  readonly value: Value;
  readonly known: boolean;
  /** The source of a known figure, or the reason for a working value. */
  readonly source?: string;
}

/** Defaults of the fields of `auto-support` (interface supplement, section 6). */
export interface SupportDefaults {
  readonly density: number;
  readonly slopeMultiplier: number;
  readonly onlyMinima: boolean;
  readonly raftType: RaftType;
  readonly raftLabelEnabled: boolean;
  readonly breakawayStructureEnabled: boolean;
  readonly internalSupportsEnabled: boolean;
  readonly touchpointSizeMm: number;
  readonly raftThicknessMm: number;
  readonly heightAboveRaftMm: number;
  readonly zCompressionCorrectionMm: number;
  readonly earlyLayerMergeMm: number;
}

interface CommonProfile {
  /** Density of the finished part. */
  readonly densityGPerMl: number;
  /** Factors by which the machine enlarges the part to compensate its shrinkage. Layers and times apply to the unchanged model. */
  readonly correction: { readonly x: number; readonly y: number; readonly z: number };
}

/** A panel exposes the whole layer at once; a laser draws it, with `powerMw` spread over the area. */
export type Light =
  | { readonly kind: "panel"; readonly irradianceMwPerCm2: number }
  | { readonly kind: "laser"; readonly powerMw: number; readonly spotMm: number; readonly hatchMm: number };

/** Energy on the surface of the resin, mJ/cm². `overhangs`: energies of the first layers over empty space, nearest first; may be empty. */
export interface Exposures {
  readonly model: number;
  readonly perimeter: number;
  readonly supports: number;
  readonly topSurface: number;
  readonly overhangs: readonly number[];
}

/**
 * The time of a resin layer, seconds: exposure + `postExposureWait` + `separation` + `separationPerCm2` · layer area in
 * cm² + `openWait` + `travel` + `wait`. The exposure is model / irradiance on a panel, or `exposureS`; under a laser it is the energy of the layer,
 * model · area + perimeter · `spotMm` · length of the outlines, over power. Both are multiplied by the factor of
 * `firstLayers`. A print starts after `preprint`.
 */
export interface ResinTimes extends CycleTimes {
  readonly preprint: number;
  readonly separationPerCm2: number;
}

/** Times between the exposures of two layers, seconds, in their order. */
export interface CycleTimes {
  readonly postExposureWait: number;
  readonly separation: number;
  /** Between `separation` and `travel`. */
  readonly openWait: number;
  readonly travel: number;
  /** Wait before the next exposure. */
  readonly wait: number;
}

/** What was measured of how a resin cures (docs/print-quality.md). */
export interface CureFigures {
  /** The depth of resin over which light fades to 1/e. Unlike that of {@link ResinProfile}, never a working value. */
  readonly penetrationMm?: number | undefined;
  /** Dose of a white pixel at the film in a normal layer ÷ least dose that cures; above 1. */
  readonly exposureRatio?: number | undefined;
  /** Standard deviation of the blur of the dose in this resin; without it, that of the printer's optics counts. */
  readonly blurMm?: number | undefined;
  /** How far each edge prints beyond its place in normal layers. */
  readonly edgeGrowthMm?: number | undefined;
  /** How far a thick body cures beyond its faces that look down. */
  readonly printThroughMm?: number | undefined;
}

/** Switches of the corrections; each is on if it is absent, where its figures are known. */
export interface Compensation {
  /** By `correction`. */
  readonly shrinkage?: boolean | undefined;
  /** Of edges in normal layers. */
  readonly edges?: boolean | undefined;
  /** Of edges in layers of longer exposures. */
  readonly foot?: boolean | undefined;
  /** Of faces that look down. */
  readonly overCure?: boolean | undefined;
}

export interface ResinProfile extends CommonProfile {
  readonly family: "resin";
  readonly light: Light;
  readonly exposureMjPerCm2: Exposures;
  /** Exposures of the first layers and of those above, seconds, on open printers: they count in place of the energies and of the factor. */
  readonly exposureS?: { readonly first: number; readonly normal: number };
  /** The depth of resin over which light fades to 1/e: the needed energy grows by the factor e per such depth. */
  readonly penetrationMm: number;
  readonly cure?: CureFigures | undefined;
  readonly compensation?: Compensation | undefined;
  /** The first `count` layers get `exposureFactor` times the energy; the factor falls to 1 in equal steps over the next `fade` layers. */
  readonly firstLayers: { readonly count: number; readonly exposureFactor: number; readonly fade: number };
  readonly timeS: ResinTimes;
  /** Times of the first `firstLayers.count` layers, where they differ from `timeS`. */
  readonly firstTimeS?: Partial<CycleTimes>;
  /** The motions that take `separation` and `travel`. Absent for machines that do not lift the platform. */
  readonly lift?: PlatformLift;
  /** Of the first layers, where it differs from `lift`. */
  readonly firstLift?: Partial<PlatformLift>;
  /** Power of the light during the first layers and above, 0 to 255, the full power. */
  readonly lightLevel: { readonly first: number; readonly normal: number };
  /** Repeated over the layers: 1 wipes both ways, −1 one way, 0 not at all. Empty for machines that do not wipe. */
  readonly wipePattern: readonly number[];
  /** Only for the layer thickness ADAPTIVE: the thinnest and thickest layer. The exposures apply to the thickest layer. */
  readonly adaptive?: { readonly minMm: number; readonly maxMm: number };
  /** Angle between a downward face and the horizontal; faces at smaller angles need support. */
  readonly selfSupportingAngleDeg: number;
  /** The largest distance of an overhang from a touchpoint or from solid below. */
  readonly bridgingDistanceMm: number;
  readonly supports: SupportDefaults;
}

/**
 * The time of a powder layer, seconds: `recoat` + `sinterPerCm2` · layer area in cm²; of a layer of the buffers `recoat`
 * alone. A print starts after `heating` and the buffer below, ends with the buffer above, may be opened after
 * `coolToRemoval` + `coolToRemovalPerMm` · height of the powder, and is at room temperature after `coolToRoom` more.
 */
export interface PowderTimes {
  readonly heating: number;
  readonly recoat: number;
  readonly sinterPerCm2: number;
  readonly coolToRemoval: number;
  readonly coolToRemovalPerMm: number;
  readonly coolToRoom: number;
}

export interface PowderProfile extends CommonProfile {
  readonly family: "powder";
  readonly laser: { readonly powerW: number; readonly spotMm: number; readonly hatchMm: number };
  readonly bedTemperatureC: number;
  readonly removalTemperatureC: number;
  readonly timeS: PowderTimes;
  readonly unsinteredDensityGPerMl: number;
  /** Share of fresh powder in the powder of a build. */
  readonly refreshRate: number;
  /** Height of powder below and above the parts. */
  readonly bufferMm: { readonly below: number; readonly above: number };
  /** Smallest distances of packed parts: from each other, and from the sides of the build volume. */
  readonly packing: { readonly spacingMm: number; readonly wallDistanceMm: number };
}

/** The figures of printing with a machine, material, print setting and layer thickness. */
export type Profile = ResinProfile | PowderProfile;
