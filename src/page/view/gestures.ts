import type { Pixel } from "./orbit.ts";

/** A drag that somebody has taken over from turning the view. */
export interface Drag {
  move(to: Pixel): void;
  /** The pointer is let go at the place of the last move. */
  end(): void;
  cancel(): void;
}

/** What pointers and keys mean; places and distances in CSS pixels. */
export interface GestureEvents {
  turn(by: Pixel): void;
  pan(by: Pixel): void;
  /** Shows `factor` times as much; the place `about`, or the middle, stays. */
  zoom(factor: number, about: Pixel | undefined): void;
  hover(at: Pixel | undefined): void;
  /** `extends` the selection: with Shift, Ctrl or Cmd. */
  click(at: Pixel, extendsSelection: boolean): void;
  /** The primary button or a finger begins to drag here: who takes it; otherwise the view turns. `reachPx` is how exactly it can point. */
  grab(at: Pixel, withShift: boolean, reachPx: number): Drag | undefined;
  /** A key that is no gesture; whether it was used. */
  key(event: KeyboardEvent): boolean;
  /** The keys go elsewhere from now on. */
  leave(): void;
}

/** A pointer that moved less has clicked: a hand with a mouse, a finger. */
const CLICK_PX = { mouse: 4, touch: 10 } as const;
/** How far from a handle a pointer may be. */
const REACH_PX = { mouse: 8, touch: 20 } as const;
const ZOOM_PER_WHEEL_PX = 0.0015;
/** A pinch on a trackpad comes as a wheel with Ctrl, in smaller steps. */
const ZOOM_PER_PINCH_PX = 0.01;
/** A line of wheels that count lines. */
const LINE_PX = 30;
/** One press of an arrow key: 12° of turning. */
const KEY_PX = 30;
const KEY_ZOOM = 1.2;

const ARROWS: Readonly<Record<string, Pixel>> = {
  ArrowLeft: { x: -KEY_PX, y: 0 },
  ArrowRight: { x: KEY_PX, y: 0 },
  ArrowUp: { x: 0, y: -KEY_PX },
  ArrowDown: { x: 0, y: KEY_PX },
};

interface Finger {
  readonly at: Pixel;
  readonly from: Pixel;
}

/** Listens to mouse, pen, fingers and keys on an element until the signal ends it. */
export function listenForGestures(element: HTMLElement, events: GestureEvents, signal: AbortSignal): void {
  const fingers = new Map<number, Finger>();
  let drag: Drag | undefined;
  let mode: "none" | "pending" | "drag" | "turn" | "pan" = "none";

  const placeOf = (event: MouseEvent): Pixel => {
    const { left, top } = element.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };
  const kindOf = ({ pointerType }: PointerEvent): "mouse" | "touch" => (pointerType === "touch" ? "touch" : "mouse");
  const stop = (): void => {
    drag?.cancel();
    [drag, mode] = [undefined, "none"];
  };
  const listen = <K extends keyof HTMLElementEventMap>(type: K, act: (event: HTMLElementEventMap[K]) => void): void =>
    element.addEventListener(type, act, { signal, passive: false });

  listen("pointerdown", (event) => {
    element.focus({ preventScroll: true });
    // Hints for the keyboard are for who uses it.
    element.dataset.pointed = "true";
    element.setPointerCapture(event.pointerId);
    const at = placeOf(event);
    fingers.set(event.pointerId, { at, from: at });
    if (fingers.size > 1) stop();
    if (fingers.size === 1) mode = event.button === 0 ? "pending" : "pan";
    else mode = "pan";
    event.preventDefault();
  });

  listen("pointermove", (event) => {
    const at = placeOf(event);
    const finger = fingers.get(event.pointerId);
    if (!finger) return events.hover(at);
    if (mode === "pending" && distance(at, finger.from) > CLICK_PX[kindOf(event)]) {
      drag = events.grab(finger.from, event.shiftKey, REACH_PX[kindOf(event)]);
      mode = drag ? "drag" : "turn";
    }
    if (mode === "pending") return;
    const by = difference(at, finger.at);
    if (fingers.size === 2) pinch(event.pointerId, at, by);
    else if (mode === "drag") drag?.move(at);
    else if (mode === "turn") events.turn(by);
    else if (mode === "pan") events.pan(by);
    fingers.set(event.pointerId, { at, from: finger.from });
  });

  /** Two fingers: the view follows their middle and their distance. */
  const pinch = (moved: number, at: Pixel, by: Pixel): void => {
    const [still] = [...fingers].filter(([id]) => id !== moved).map(([, finger]) => finger.at);
    const before = distance(difference(at, by), still);
    events.pan({ x: by.x / 2, y: by.y / 2 });
    if (before > 1) events.zoom(before / Math.max(1, distance(at, still)), middle(at, still));
  };

  listen("pointerup", (event) => {
    const finger = fingers.get(event.pointerId);
    fingers.delete(event.pointerId);
    if (!finger || fingers.size > 0) return;
    const extendsSelection = event.shiftKey || event.ctrlKey || event.metaKey;
    if (mode === "drag") drag?.end();
    if (mode === "pending") events.click(finger.from, extendsSelection);
    [drag, mode] = [undefined, "none"];
  });
  listen("pointercancel", (event) => {
    fingers.delete(event.pointerId);
    stop();
  });
  listen("blur", () => {
    events.leave();
    // Another window may be in front: the focus comes back as it was.
    if (document.hasFocus()) delete element.dataset.pointed;
  });
  listen("pointerleave", () => events.hover(undefined));
  listen("contextmenu", (event) => event.preventDefault());

  listen("wheel", (event) => {
    const px = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : event.deltaY * LINE_PX;
    events.zoom(Math.exp(px * (event.ctrlKey ? ZOOM_PER_PINCH_PX : ZOOM_PER_WHEEL_PX)), placeOf(event));
    event.preventDefault();
  });

  listen("keydown", (event) => {
    // Those that only go with the mouse do not tell of who uses the keyboard.
    if (["Shift", "Control", "Alt", "Meta"].includes(event.key)) return;
    delete element.dataset.pointed;
    const arrow = ARROWS[event.key];
    if (event.key === "Escape" && mode === "drag") stop();
    else if (!events.key(event)) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (arrow && event.shiftKey) events.pan({ x: -arrow.x, y: -arrow.y });
      else if (arrow) events.turn(arrow);
      else if (event.key === "+" || event.key === "=") events.zoom(1 / KEY_ZOOM, undefined);
      else if (event.key === "-" || event.key === "_") events.zoom(KEY_ZOOM, undefined);
      else return;
    }
    event.preventDefault();
  });
}

const difference = (a: Pixel, b: Pixel): Pixel => ({ x: a.x - b.x, y: a.y - b.y });
const distance = (a: Pixel, b: Pixel): number => Math.hypot(a.x - b.x, a.y - b.y);
const middle = (a: Pixel, b: Pixel): Pixel => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
