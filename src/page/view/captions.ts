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
  show(captions: readonly Caption[]): void;
  /** Puts the words where their places are seen. */
  follow(orbit: Orbit, size: PictureSize): void;
}

export function newCaptions(container: HTMLElement): Captions {
  const layer = document.createElement("div");
  layer.className = "view-captions";
  layer.setAttribute("aria-hidden", "true");
  container.append(layer);
  let shown: readonly (Caption & { readonly element: HTMLElement })[] = [];
  return {
    show(captions) {
      shown = captions.map((caption) => {
        const element = document.createElement("span");
        element.className = `view-caption view-caption-${caption.style}`;
        element.textContent = caption.text;
        return { ...caption, element };
      });
      layer.replaceChildren(...shown.map(({ element }) => element));
    },
    follow(orbit, size) {
      for (const { element, point } of shown) {
        const { x, y } = projected(orbit, point, size);
        element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(-50%, -50%)`;
      }
    },
  };
}
