import type { BuildVolume, Mat3, Vec3 } from "../../core/geometry.ts";
import { nearestFit } from "../../place/nearest-fit.ts";
import { BOUNDS_TOLERANCE_MM, footprintOf } from "../../place/volume.ts";
import { marksOf, type Moments } from "../form/moments.ts";
import { type Right, rotationOf, type Silhouette, silhouetteOf, turnedHull } from "./silhouette.ts";
import { type Turn, turnOf, turnsOf } from "./turns.ts";

/** A way to stand, with its turn about the vertical. */
export interface Stance {
  readonly rotation: Mat3;
  /** Whether it lies in the build volume, somewhere. */
  readonly fits: boolean;
}

/** Measures that differ by a smaller share are equal, and the shape decides. */
const EQUAL = 1e-3;

/**
 * How a part stands with `up` up: turned so that the rectangle around its silhouette is the least, its long side along that of
 * the platform; of several such turns the one that its shape tells. Where that turn does not fit the volume but another does, it
 * is that one.
 */
export function stanceOf(vertices: Float64Array, moments: Moments, up: Vec3, volume: BuildVolume): Stance {
  const silhouette = silhouetteOf(vertices, up);
  const right = bestTurn(silhouette, moments, volume).right;
  const fitting = fittingTurn(silhouette, right, volume);
  return { rotation: rotationOf(silhouette, fitting ?? right), fits: fitting !== undefined };
}

function bestTurn(silhouette: Silhouette, moments: Moments, { dimensionsMm: [x, y] }: BuildVolume): Turn {
  const turns = turnsOf(silhouette);
  const least = Math.min(...turns.map(({ widthMm, depthMm }) => widthMm * depthMm));
  const alongPlatform = ({ widthMm, depthMm }: Turn): boolean =>
    x >= y ? widthMm >= depthMm * (1 - EQUAL) : depthMm >= widthMm * (1 - EQUAL);
  const small = turns.filter((turn) => turn.widthMm * turn.depthMm <= least * (1 + EQUAL) && alongPlatform(turn));
  const marked = small.map((turn) => ({ turn, marks: marksOf(moments, rotationOf(silhouette, turn.right)) }));
  return firstByMarks(marked).turn;
}

/** Those with the highest first mark, of them those with the highest second one, and so on. */
export function firstByMarks<T extends { readonly marks: readonly number[] }>(all: readonly T[]): T {
  return all[0].marks.reduce<readonly T[]>((left, _, mark) => {
    const highest = Math.max(...left.map(({ marks }) => marks[mark]));
    return left.filter(({ marks }) => marks[mark] >= highest - EQUAL);
  }, all)[0];
}

/** Turns by whole degrees are tried once those along the sides of the hull have failed. */
const DEGREES = 180;

function fittingTurn(silhouette: Silhouette, wanted: Right, volume: BuildVolume): Right | undefined {
  if (silhouette.heightMm > volume.dimensionsMm[2] + BOUNDS_TOLERANCE_MM) return undefined;
  const footprint = footprintOf(volume);
  const [x, y] = volume.dimensionsMm;
  const fits = (right: Right): boolean => {
    const { widthMm, depthMm } = turnOf(silhouette, right);
    if (widthMm > x + BOUNDS_TOLERANCE_MM || depthMm > y + BOUNDS_TOLERANCE_MM) return false;
    return nearestFit(turnedHull(silhouette, right), footprint, [0, 0]) !== undefined;
  };
  if (fits(wanted)) return wanted;
  return turnsByDegree(wanted).find(fits);
}

/** From the wanted turn outward, so that the nearest that fits is found. Sines are rounded: engines may differ in their last bits. */
const turnsByDegree = ([c, s]: Right): Right[] =>
  Array.from({ length: DEGREES }, (_, i): Right => {
    const angle = ((i % 2 === 0 ? 1 : -1) * Math.ceil((i + 1) / 2) * Math.PI) / DEGREES;
    const [cos, sin] = [Math.fround(Math.cos(angle)), Math.fround(Math.sin(angle))];
    return [c * cos - s * sin, s * cos + c * sin];
  });
