import type { Pixel } from "./orbit.ts";

/** A line over the picture. */
export interface OverlayLine {
  readonly points: readonly Pixel[];
  /** Of `view.css`: what it belongs to. */
  readonly style: string;
}

/** Lines and words over the picture: the rectangle of a selection, handles, amounts. Of the page, so sharp and in its colours. */
export interface Overlay {
  show(lines: readonly OverlayLine[]): void;
  /** Words beside a place; undefined takes them away. */
  say(text: string | undefined, at?: Pixel): void;
}

const SVG = "http://www.w3.org/2000/svg";
/** So far from the pointer words do not lie under it. */
const WORDS_PX = 18;

export function newOverlay(container: HTMLElement): Overlay {
  const layer = document.createElementNS(SVG, "svg");
  layer.setAttribute("class", "view-overlay");
  layer.setAttribute("aria-hidden", "true");
  const words = document.createElement("output");
  words.className = "view-amount";
  container.append(layer, words);
  return {
    show(lines) {
      layer.replaceChildren(
        // Handles have a rim, so that they stand out of parts of any colour.
        ...lines.flatMap(({ points, style }) =>
          [`view-line view-line-${style} view-line-rim`, `view-line view-line-${style}`].map((name) => {
            const line = document.createElementNS(SVG, "polyline");
            line.setAttribute("class", name);
            line.setAttribute("points", points.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" "));
            return line;
          }),
        ),
      );
    },
    say(text, at) {
      words.textContent = text ?? "";
      if (at) words.style.transform = `translate(${at.x + WORDS_PX}px, ${at.y + WORDS_PX}px)`;
    },
  };
}
