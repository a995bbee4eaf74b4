// Decimals of the measures in responses. Positions, angles and scales keep all decimals: clients read them and set them again, which must
// not move a part.

/** Makes a function that rounds to this many decimals; -0 becomes 0. */
const roundedTo = (decimals: number) => {
  const steps = 10 ** decimals;
  return (value: number): number => Math.round(value * steps) / steps + 0;
};

/** Corners of boxes in mm: a thousandth of the tolerance of `in_bounds` (interface supplement, section 7). */
export const wireMm = roundedTo(6);
/** Areas in mm². */
export const wireMm2 = roundedTo(4);
/** Volumes in mm³ and ml, masses in kg and densities. */
export const wireVolume = roundedTo(6);
/** Times in seconds. */
export const wireS = roundedTo(1);
/** Forces in N. */
export const wireN = roundedTo(4);
/** Shares in percent. */
export const wirePercent = roundedTo(3);
