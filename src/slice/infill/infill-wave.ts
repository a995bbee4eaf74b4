import type { SheetKind } from "../../mesh/mesh.ts";

/**
 * A triply periodic surface f = 0. Along each axis f is one sinusoid, ρ·sin(x + φ) + c, if the other two coordinates are constant: so the
 * borders of |f| ≤ t in a row are roots in closed form. x, y, z are 2π for a cell.
 */
interface PeriodicSurface {
  /** Sets a, b, c of f = a·sin x + b·cos x + c in a row along x, at y and z, or in one along y, at x and z. */
  readonly alongX: (y: number, z: number, wave: Float64Array) => void;
  readonly alongY: (x: number, z: number, wave: Float64Array) => void;
  /** Mean length of the gradient of f on the surface (measured: the sheet of |f| ≤ t is t ÷ this thick on either side). */
  readonly gradient: number;
}

const { sin, cos } = Math;

function setWave(wave: Float64Array, a: number, b: number, c: number): void {
  wave[0] = a;
  wave[1] = b;
  wave[2] = c;
}

const primitive: PeriodicSurface["alongX"] = (y, z, wave) => setWave(wave, 0, 1, cos(y) + cos(z));
const diamond: PeriodicSurface["alongX"] = (y, z, wave) => setWave(wave, -sin(y) * sin(z), cos(y) * cos(z), 0);

/** A. H. Schoen, "Infinite periodic minimal surfaces without self-intersections" (1970): nodal approximations of the three surfaces. */
export const PERIODIC_SURFACES: Readonly<Record<SheetKind, PeriodicSurface>> = {
  // sin x cos y + sin y cos z + sin z cos x
  GYROID: {
    alongX: (y, z, wave) => setWave(wave, cos(y), sin(z), sin(y) * cos(z)),
    alongY: (x, z, wave) => setWave(wave, cos(z), sin(x), sin(z) * cos(x)),
    gradient: 1.53,
  },
  // cos x + cos y + cos z
  SCHWARZ_P: { alongX: primitive, alongY: primitive, gradient: 1.32 },
  // cos x cos y cos z − sin x sin y sin z
  SCHWARZ_D: { alongX: diamond, alongY: diamond, gradient: 1.05 },
};

/** The level t of the sheet |f| ≤ t whose walls are `wallMm` thick on average. */
export const sheetLevel = (kind: SheetKind, cellMm: number, wallMm: number): number =>
  (Math.PI / cellMm) * wallMm * PERIODIC_SURFACES[kind].gradient;
