import type { Pixel, PictureSize } from "./orbit.ts";

/** Shows what is under a finger, which hides it, above the finger. */
export interface Loupe {
  /** Follows a finger over a picture of this size; undefined hides the loupe. */
  show(at: Pixel | undefined, size: PictureSize): void;
  /** Copies the picture. Called in the task that has drawn it: later a browser may have cleared it. */
  copy(picture: HTMLCanvasElement): void;
}

/** Side of the loupe, CSS pixels; also in `view.css`. */
const SIDE_PX = 96;
/** Distance of its middle from the finger. */
const ABOVE_PX = 72;
const ZOOM = 2;

export function newLoupe(container: HTMLElement): Loupe {
  const frame = document.createElement("div");
  frame.className = "view-loupe";
  frame.hidden = true;
  frame.setAttribute("aria-hidden", "true");
  const canvas = document.createElement("canvas");
  frame.append(canvas);
  container.append(frame);
  let shown: Pixel | undefined;
  return {
    show(at, size) {
      shown = at;
      frame.hidden = at === undefined;
      if (!at) return;
      const { x, y } = loupeMiddle(at, size);
      frame.style.transform = `translate(${x - SIDE_PX / 2}px, ${y - SIDE_PX / 2}px)`;
    },
    copy(picture) {
      const context = shown && canvas.getContext("2d");
      if (!shown || !context) return;
      const ratio = picture.width / picture.clientWidth;
      const side = Math.round(SIDE_PX * devicePixelRatio);
      [canvas.width, canvas.height] = [side, side];
      const sourcePx = (SIDE_PX / ZOOM) * ratio;
      const [left, top] = [shown.x * ratio - sourcePx / 2, shown.y * ratio - sourcePx / 2];
      context.drawImage(picture, left, top, sourcePx, sourcePx, 0, 0, side, side);
    },
  };
}

/** The middle of the loupe for a finger: above it, or where the picture has no room there, beside it. */
export function loupeMiddle({ x, y }: Pixel, { width, height }: PictureSize): Pixel {
  const half = SIDE_PX / 2;
  const within = (value: number, end: number): number => Math.max(half, Math.min(end - half, value));
  if (y - ABOVE_PX >= half) return { x: within(x, width), y: within(y - ABOVE_PX, height) };
  const aside = x + ABOVE_PX + half <= width ? ABOVE_PX : -ABOVE_PX;
  return { x: within(x + aside, width), y: within(y, height) };
}
