/**
 * Adds the cover of one piece of outline to a row. `cover[p]` holds by how much the cover of pixel p differs from that of
 * the pixel before it, so the running sum is the share of each pixel that lies right of the outline: exact areas, after
 * R. Levien's signed-area accumulation (font-rs, 2016). It is two entries longer than the row. `height` is the piece's
 * extent in y, positive where it runs down. Ends that rounding took out of the row are taken to its border.
 */
export function deposit(cover: Float64Array, xa: number, xb: number, height: number): void {
  const width = cover.length - 2;
  const left = Math.max(0, Math.min(width, xa, xb));
  const right = Math.min(width, Math.max(0, xa, xb));
  const first = Math.floor(left);
  const last = Math.floor(right);
  if (first === last) {
    const share = (left + right) / 2 - first;
    cover[first] += height * (1 - share);
    cover[first + 1] += height * share;
    return;
  }
  const perPixel = height / (right - left);
  const into = first + 1 - left;
  const firstCover = (perPixel * into * into) / 2;
  cover[first] += firstCover;
  let before = firstCover;
  if (last - first > 1) {
    cover[first + 1] += perPixel * (into + 0.5) - firstCover;
    for (let pixel = first + 2; pixel < last; pixel++) cover[pixel] += perPixel;
    before = perPixel * (into + (last - first - 2) + 0.5);
  }
  const out = right - last;
  const lastCover = perPixel * (last - left) + perPixel * out * (1 - out / 2);
  cover[last] += lastCover - before;
  cover[last + 1] += height - lastCover;
}
