import type { Pixel } from "./orbit.ts";

/** A polyline over the picture. */
export interface OverlayLine {
  readonly points: readonly Pixel[];
  /** Suffix of the class in `view.css`. */
  readonly style: string;
  /** A text beside the middle of the line. */
  readonly text?: string;
}

/** Lines and a text over the picture: selection rectangle, handles, amounts. They are page elements, and thus sharp and in the page's colours. */
export interface Overlay {
  show(lines: readonly OverlayLine[]): void;
  /** Shows a text near a pixel; undefined removes it. */
  say(text: string | undefined, at?: Pixel): void;
}

const SVG = "http://www.w3.org/2000/svg";
/** Distance of the text from the pixel, so that the pointer does not cover it. */
const WORDS_PX = 18;
/** Height of a text above its line. */
const TEXT_PX = 7;

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
        // Each line is drawn twice, first as a wider rim, so that it is visible on parts of any colour.
        ...lines.flatMap(({ points, style }) =>
          [`view-line view-line-${style} view-line-rim`, `view-line view-line-${style}`].map((name) => {
            const line = document.createElementNS(SVG, "polyline");
            line.setAttribute("class", name);
            line.setAttribute("points", points.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" "));
            return line;
          }),
        ),
        ...lines.flatMap(({ points, style, text }) => (text === undefined ? [] : textBeside(points, style, text))),
      );
    },
    say(text, at) {
      words.textContent = text ?? "";
      if (at) words.style.transform = `translate(${at.x + WORDS_PX}px, ${at.y + WORDS_PX}px)`;
    },
  };
}

function textBeside(points: readonly Pixel[], style: string, text: string): SVGTextElement {
  const [x, y] = (["x", "y"] as const).map((axis) => points.reduce((sum, at) => sum + at[axis], 0) / points.length);
  const element = document.createElementNS(SVG, "text");
  element.setAttribute("class", `view-line-text view-line-text-${style}`);
  element.setAttribute("x", (x ?? 0).toFixed(1));
  element.setAttribute("y", ((y ?? 0) - TEXT_PX).toFixed(1));
  element.textContent = text;
  return element;
}
