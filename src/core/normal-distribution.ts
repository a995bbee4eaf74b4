/** The cumulative normal distribution, within 1e-7 (Abramowitz and Stegun, 7.1.26). Engines differ in the last bits. */
export function normal(x: number): number {
  const z = Math.abs(x) / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * z);
  const series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  const tail = (series * Math.exp(-z * z)) / 2;
  return x < 0 ? tail : 1 - tail;
}

/** The argument between `from` and `to` at which a function that falls crosses 0, by bisection to 1e-12. */
export function crossing(falling: (x: number) => number, from: number, to: number): number {
  let [low, high] = [from, to];
  while (high - low > 1e-12) {
    const middle = (low + high) / 2;
    if (falling(middle) > 0) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** The argument at which {@link normal} is `share`, between −8 and 8. */
export const normalQuantile = (share: number): number => crossing((x) => share - normal(x), -8, 8);
