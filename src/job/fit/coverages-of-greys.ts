/**
 * The coverage for each grey of a picture, 0 to 255, that was made by a table of greys: the middle one of those that have the nearest grey in
 * the table. Ascending from 0 to 255, as the table.
 */
export function coveragesOfGreys(greyOf: Uint8Array): Uint8Array {
  const last = greyOf.length - 1;
  return Uint8Array.from(greyOf, (_, grey) => {
    if (grey === 0 || grey === last) return grey;
    const off = greyOf.map((other) => Math.abs(other - grey));
    const nearest = Math.min(...off);
    return Math.round((off.indexOf(nearest) + off.lastIndexOf(nearest)) / 2);
  });
}
