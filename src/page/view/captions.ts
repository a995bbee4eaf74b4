import type { Vec3 } from "../../geometry/vector.ts";
import { type Orbit, type PictureSize, projected } from "./orbit.ts";

/** A text at a point of the scene. */
export interface Caption {
  readonly text: string;
  readonly point: Vec3;
  /** Suffix of the class in `view.css`. */
  readonly style: string;
}

/** Captions over the picture. They are HTML text, and thus sharp and in the font and colours of the page. */
export interface Captions {
  /** If captions overlap, earlier ones win. */
  show(captions: readonly Caption[]): void;
  /** Moves the captions to the projections of their points. */
  follow(orbit: Orbit, size: PictureSize): void;
}

/** A rectangle in the picture, px. */
export interface CaptionBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Minimum distance of visible captions. */
const GAP_PX = 2;

/** Returns for each box whether it is visible: it overlaps no earlier visible box. */
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

interface PlacedCaption extends Caption {
  readonly element: HTMLElement;
  /** Size of the element; `rise` is its distance above the point, from `view.css`. */
  readonly size: CaptionSize;
}

export function newCaptions(container: HTMLElement): Captions {
  const layer = document.createElement("div");
  layer.className = "view-captions";
  layer.setAttribute("aria-hidden", "true");
  container.append(layer);
  let shown: readonly PlacedCaption[] = [];
  return {
    show(captions) {
      const elements = captions.map((caption) => {
        const element = document.createElement("span");
        element.className = `view-caption view-caption-${caption.style}`;
        element.textContent = caption.text;
        return { ...caption, element };
      });
      layer.replaceChildren(...elements.map(({ element }) => element));
      // Sizes are measured once: measuring in each frame would force a layout of the page in each frame.
      shown = elements.map((caption) => ({ ...caption, size: sizeOf(caption.element) }));
    },
    follow(orbit, picture) {
      const moved = shown.map(({ element, point, size }) => ({ element, size, at: projected(orbit, point, picture) }));
      const boxes = moved.map(({ at, size: { width, height, rise } }) => ({
        left: at.x - width / 2,
        top: at.y - height / 2 - rise,
        width,
        height,
      }));
      const areClear = clearBoxes(boxes);
      for (const [i, { element, at }] of moved.entries()) {
        const { x, y } = at;
        element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(-50%, -50%)`;
        element.classList.toggle("view-caption-covered", !areClear[i]);
      }
    },
  };
}

type CaptionSize = Pick<CaptionBox, "width" | "height"> & { readonly rise: number };

const sizeOf = (element: HTMLElement): CaptionSize => ({
  width: element.offsetWidth,
  height: element.offsetHeight,
  rise: -element.offsetTop,
});
