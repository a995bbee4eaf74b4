/** Element around the picture, with help for keyboard users and a message about problems. */
export interface ViewFrame {
  readonly element: HTMLElement;
  /** Describes the canvas for screen readers, and shows a message while its WebGL context is lost. */
  describe(canvas: HTMLCanvasElement, signal: AbortSignal): void;
  /** Shows a message; an empty text removes it. */
  say(text: string): void;
}

const HELP =
  "Arrow keys rotate the view, Shift and arrow keys move it, plus and minus zoom. Home shows the whole volume, F the selection. " +
  "Ctrl and arrow keys move the selection, or rotate or scale it, as the tool bar says; with Shift in larger steps. " +
  "While choosing places, Enter chooses the place in the middle. A question mark lists all keys.";

export function newViewFrame(container: HTMLElement): ViewFrame {
  const frame = newElement("div", "view");
  const help = newElement("p", "view-help", HELP);
  help.id = "view-help";
  const notice = newElement("p", "view-notice");
  notice.setAttribute("role", "status");
  container.append(frame);
  const say = (text: string): void => {
    notice.textContent = text;
  };
  return {
    element: frame,
    describe(canvas, signal) {
      canvas.tabIndex = 0;
      canvas.setAttribute("role", "application");
      canvas.setAttribute("aria-label", "3D view of the scene");
      canvas.setAttribute("aria-describedby", help.id);
      // After the canvas in the document, so that CSS can show them when the canvas has the focus.
      frame.append(help, newElement("div", "view-aim"), notice);
      const lost = "The graphics have stopped. The picture returns when they work again.";
      canvas.addEventListener("webglcontextlost", () => say(lost), { signal });
      canvas.addEventListener("webglcontextrestored", () => say(""), { signal });
    },
    say,
  };
}

function newElement(tag: "div" | "p", className: string, text = ""): HTMLElement {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}
