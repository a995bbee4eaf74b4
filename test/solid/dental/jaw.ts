import type { Surface } from "../../../src/mesh/mesh.ts";

/** Height of a tooth, from 0 to 1, at positions from −1 to 1 along the arch and across it. */
export type ToothForm = (along: number, across: number) => number;

export const TOOTH_FORMS: Readonly<Record<string, ToothForm>> = {
  blocks: () => 1,
  domes: (along, across) => Math.sqrt(Math.max(0, 1 - (along * along + across * across) / 2)),
  cones: (along, across) => 1 - 0.95 * Math.max(Math.abs(along), Math.abs(across)),
  /** Two ridges and a valley between them. */
  molars: (along, across) => (1 - 0.2 * along * along) * (0.75 + 0.25 * Math.sin(Math.PI * Math.abs(across))),
};

export interface JawShape {
  readonly form: ToothForm;
  readonly teeth: number;
  /** Height of the gums between the teeth above the bottom at z = 0; one for all gaps or one for each. */
  readonly gumMm: number | ((gap: number) => number);
  readonly toothMm: number;
  /** Whether the jaw has a ragged rim instead of a bottom, like a scan. */
  readonly isOpen?: boolean;
}

const WIDTH_MM = 28;
const DEPTH_MM = 36;
const HALF_BAND_MM = 6;
const ACROSS = 12;
/** Sections along a tooth; a gap is between the last one and the first one of the next tooth. */
const ALONG = 10;
const GAP_SHARE = 0.06;
const RAGGED_MM = 0.8;

/**
 * A horseshoe with teeth next to each other; between two teeth are gums across the whole band. Its walls are vertical,
 * its ends flat, and it is open to −y.
 */
export function jaw({ form, teeth, gumMm, toothMm, isOpen = false }: JawShape): Surface {
  const gumAt = typeof gumMm === "number" ? () => gumMm : gumMm;
  const sections: number[][] = [];
  for (let tooth = 0; tooth < teeth; tooth++) {
    for (let i = 0; i <= ALONG; i++) {
      const share = GAP_SHARE + ((1 - 2 * GAP_SHARE) * i) / ALONG;
      const isGap = i === 0 || i === ALONG;
      const gum = gumAt(i * 2 <= ALONG ? tooth : tooth + 1);
      sections.push(
        sectionOf(
          (tooth + share) / teeth,
          (across) => (isGap || Math.abs(across) > 0.8 ? gum : gum + toothMm * form((2 * i) / ALONG - 1, across / 0.8)),
          isOpen ? RAGGED_MM * Math.sin(7 * tooth + 2.3 * i) : 0,
        ),
      );
    }
  }
  const size = sections[0].length / 3;
  const triangles: number[] = [];
  for (let s = 0; s + 1 < sections.length; s++) {
    for (let k = 0; k < size; k++) {
      if (isOpen && k === size - 1) continue;
      const [a, b] = [s * size + k, s * size + ((k + 1) % size)];
      triangles.push(a, a + size, b + size, a, b + size, b);
    }
  }
  const last = (sections.length - 1) * size;
  for (let k = 1; k + 1 < size; k++) triangles.push(0, k, k + 1, last, last + k + 1, last + k);
  return { vertices: Float64Array.from(sections.flat()), triangles: Uint32Array.from(triangles) };
}

/** The section at a share of the way around: up the outside, across the top and down the inside. */
function sectionOf(share: number, topAt: (across: number) => number, bottomMm: number): number[] {
  const angle = Math.PI * share;
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const at = (across: number, z: number): number[] => [
    c * (WIDTH_MM + HALF_BAND_MM * across),
    s * (DEPTH_MM + HALF_BAND_MM * across),
    z,
  ];
  const top = Array.from({ length: ACROSS + 1 }, (_, i) => {
    const across = 1 - (2 * i) / ACROSS;
    return at(across, topAt(across));
  });
  return [at(1, bottomMm), ...top, at(-1, bottomMm)].flat();
}
