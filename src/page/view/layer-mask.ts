/** What is shown of a mask: `zoom` 1 shows all of it; `x` and `y` are the middle of the shown part, as fractions from its left and top. */
export interface MaskLook {
  readonly zoom: number;
  readonly x: number;
  readonly y: number;
}

const MAX_ZOOM = 200;

/** The look after a zoom that keeps the place under a point of the canvas (fractions from its left and top) there. Shows no more than the mask. */
export function zoomed(look: MaskLook, factor: number, at: readonly [number, number]): MaskLook {
  const zoom = Math.min(MAX_ZOOM, Math.max(1, look.zoom * factor));
  const [u, v] = placeAt(look, at);
  const inside = (middle: number): number => Math.min(1 - 0.5 / zoom, Math.max(0.5 / zoom, middle));
  return { zoom, x: inside(u - (at[0] - 0.5) / zoom), y: inside(v - (at[1] - 0.5) / zoom) };
}

/** The place of the mask under a point of the canvas; both as fractions from the left and the top. */
export const placeAt = (
  { zoom, x, y }: MaskLook,
  [right, down]: readonly [number, number],
): readonly [number, number] => [x + (right - 0.5) / zoom, y + (down - 0.5) / zoom];

interface MaskDrawing {
  readonly picture: HTMLImageElement | undefined;
  /** See {@link lowerOutline}. */
  readonly outline: OffscreenCanvas | undefined;
  readonly look: MaskLook;
  /** Places of new islands, as fractions. */
  readonly rings: readonly (readonly [number, number])[];
}

const RING_PX = 14;
const RING_COLOUR = "#ffb74d";

/** Draws a mask into all of a canvas, at the resolution of the screen. */
export function drawMask(canvas: HTMLCanvasElement, { picture, outline, look, rings }: MaskDrawing): void {
  const [width, height] = [canvas.clientWidth * devicePixelRatio, canvas.clientHeight * devicePixelRatio];
  [canvas.width, canvas.height] = [Math.round(width), Math.round(height)];
  const context = canvas.getContext("2d")!;
  context.fillRect(0, 0, width, height);
  const { zoom, x, y } = look;
  const [left, top] = [width * (0.5 - x * zoom), height * (0.5 - y * zoom)];
  // Pixels that are larger than those of the screen keep their edges.
  context.imageSmoothingEnabled = picture !== undefined && picture.naturalWidth > zoom * width;
  for (const one of [picture, outline]) if (one) context.drawImage(one, left, top, zoom * width, zoom * height);
  context.strokeStyle = RING_COLOUR;
  context.lineWidth = 2 * devicePixelRatio;
  for (const [u, v] of rings) {
    context.beginPath();
    context.arc(left + u * zoom * width, top + v * zoom * height, RING_PX * devicePixelRatio, 0, 2 * Math.PI);
    context.stroke();
  }
}

/** Longer side of the picture in which the outline is found, px. */
const OUTLINE_PX = 1200;
const LIT = 128;
const BLUE = [70, 150, 255, 255] as const;

/** The outline of a layer in blue, on transparent ground. */
export function lowerOutline(picture: HTMLImageElement): OffscreenCanvas {
  const scale = Math.min(1, OUTLINE_PX / Math.max(picture.naturalWidth, picture.naturalHeight));
  const [width, height] = [picture.naturalWidth, picture.naturalHeight].map((px) =>
    Math.max(1, Math.round(scale * px)),
  );
  const canvas = new OffscreenCanvas(width!, height!);
  const context = canvas.getContext("2d", { willReadFrequently: true })!;
  context.drawImage(picture, 0, 0, width!, height!);
  const { data } = context.getImageData(0, 0, width!, height!);
  const outlined = new ImageData(width!, height!);
  const isLit = (pixel: number): boolean => data[4 * pixel]! >= LIT;
  for (let row = 1; row < height! - 1; row++) {
    for (let at = row * width! + 1; at < (row + 1) * width! - 1; at++) {
      if (isLit(at) && !(isLit(at - 1) && isLit(at + 1) && isLit(at - width!) && isLit(at + width!))) {
        outlined.data.set(BLUE, 4 * at);
      }
    }
  }
  context.putImageData(outlined, 0, 0);
  return canvas;
}
