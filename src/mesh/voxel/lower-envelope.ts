/** Stands for no seed yet on a line; more than any squared distance. */
export const FAR = 2 ** 30;

/** Which parabola is lowest at each place of a line. */
export interface Envelope {
  /** For each place the place whose parabola is lowest there, the first of equals; −1 for all where there is none. */
  readonly lowest: Int32Array;
  /** Works it out for `length` places: the parabola of place i is heights[first + i] + (place − i)²; {@link FAR} is none. */
  readonly find: (heights: Int32Array, first: number, length: number) => void;
}

/**
 * Room for lines of up to `most` places. Integers all through, so the result is exact. Source: A. Meijster, J. Roerdink,
 * W. Hesselink, "A general algorithm for computing distance transforms in linear time" (2000), second phase.
 */
export function newEnvelope(most: number): Envelope {
  const lowest = new Int32Array(most);
  /** Parabolas of the envelope from left to right, and the place from which on each is lowest. */
  const parabolas = new Int32Array(most);
  const froms = new Int32Array(most);
  const find = (heights: Int32Array, first: number, length: number): void => {
    let top = -1;
    for (let i = 0; i < length; i++) {
      const height = heights[first + i];
      if (height === FAR) continue;
      let from = 0;
      for (; top >= 0; top--) {
        const known = parabolas[top];
        // Whole and more than −1 / 2 where the older parabola is lowest anywhere.
        const rise = i * i - known * known + height - heights[first + known];
        if (rise >= 2 * (i - known) * froms[top]) {
          from = 1 + ((rise / (2 * (i - known))) | 0);
          break;
        }
      }
      if (from >= length) continue;
      parabolas[++top] = i;
      froms[top] = from;
    }
    if (top < 0) {
      lowest.fill(-1, 0, length);
      return;
    }
    for (let place = length - 1; place >= 0; place--) {
      lowest[place] = parabolas[top];
      if (place === froms[top]) top--;
    }
  };
  return { lowest, find };
}
