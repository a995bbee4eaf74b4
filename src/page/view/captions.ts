import type { Vec3 } from "../../geometry/vector.ts";
import { type Orbit, type PictureSize, projected } from "./orbit.ts";

/** Words at a place of the scene. */
export interface Caption {
  readonly text: string;
  readonly point: Vec3;
  /** Of `view.css`: what the words belong to. */
  readonly style: string;
}

/** Words over the picture, as text of the page: sharp, in the user's font, in the page's colours. */
export interface Captions {
  /** Of words that would lie over one another, those that come first are seen. */
  show(captions: readonly Caption[]): void;
  /** Puts the words where their places are seen. */
  follow(orbit: Orbit, size: PictureSize): void;
}

/** A rectangle of the picture, px. */
export interface CaptionBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Between words that are told apart. */
const GAP_PX = 2;

/** Which boxes are kept so that no two of them overlap: each that is clear of all kept before it. */
export function clearBoxes(boxes: readonly CaptionBox[]): readonly boolean[] {
  const kept: CaptionBox[] = [];
  return boxes.map((box) => {
    const isClear = kept.every(
      (other) =>
        box.left >= other.left + other.width + GAP_PX ||
        other.left >= box.left + box.width + GAP_PX ||
        box.top >= other.top + other.height + GAP_PX ||
        other.top >= box.top + box.height + GAP_PX,
    );
    if (isClear) kept.push(box);
    return isClear;
  });
}

interface Shown extends Caption {
  readonly element: HTMLElement;
  /** Of the words, and how far above their place they are. */
  readonly size: Pick<CaptionBox, "width" | "height"> & { readonly rise: number };
}

export function newCaptions(container: HTMLElement): Captions {
  const layer = document.createElement("div");
  layer.className = "view-captions";
  layer.setAttribute("aria-hidden", "true");
  container.append(layer);
  let shown: readonly Shown[] = [];
  return {
    show(captions) {
      const words = captions.map((caption) => {
        const element = document.createElement("span");
        element.className = `view-caption view-caption-${caption.style}`;
        element.textContent = caption.text;
        return { ...caption, element };
      });
      layer.replaceChildren(...words.map(({ element }) => element));
      // Measured once: asking in each frame would lay the page out in each.
      shown = words.map((word) => ({ ...word, size: sizeOf(word.element) }));
    },
    follow(orbit, picture) {
      const places = shown.map(({ point }) => projected(orbit, point, picture));
      const boxes = shown.map(({ size: { width, height, rise } }, i) => ({
        left: places[i].x - width / 2,
        top: places[i].y - height / 2 - rise,
        width,
        height,
      }));
      const areClear = clearBoxes(boxes);
      for (const [i, { element }] of shown.entries()) {
        const { x, y } = places[i];
        element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(-50%, -50%)`;
        element.classList.toggle("view-caption-covered", !areClear[i]);
      }
    },
  };
}

const sizeOf = (element: HTMLElement): Shown["size"] => ({
  width: element.offsetWidth,
  height: element.offsetHeight,
  rise: -element.offsetTop,
});
