import type { Pixel } from "./orbit.ts";
import type { OverlayLine } from "./overlay.ts";

/** A drag that does not rotate the view. */
export interface Drag {
  /** With Ctrl or Cmd (`snaps`) it keeps to whole millimetres. */
  move(to: Pixel, snaps: boolean): void;
  /** The pointer is released where the last move ended. */
  end(): void;
  cancel(): void;
}

/** Modifier keys that are held during a gesture, and what makes it. */
export type HeldKeys = Pick<PointerEvent, "altKey" | "ctrlKey" | "metaKey" | "shiftKey" | "pointerType">;

export const NO_KEYS: HeldKeys = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false, pointerType: "" };

/** A tool that acts on the place under the pointer. Drags still turn the view, unless it grabs something. */
export interface PlaceTool {
  /** The pointer is here; undefined if it has left the picture, or the tool is no longer used. */
  hover(at: Pixel | undefined): void;
  /** Returns whether there was something to act on. */
  click(at: Pixel, keys: HeldKeys): boolean;
  /** Why a click is refused here, in words. */
  refusal?(at: Pixel): string | undefined;
  /** Starts a drag of what is under the pointer; undefined turns the view. */
  grab?(at: Pixel, keys: HeldKeys, reachPx: number): Drag | undefined;
  /** Returns whether it used the key. */
  key?(event: KeyboardEvent): boolean;
  /** The wheel was turned with Alt, for this factor. Returns whether it used that; else the view is zoomed. */
  wheel?(factor: number): boolean;
  /** What lights up, over the picture. */
  lines(): readonly OverlayLine[];
}

/** Meanings of pointer and key events. Positions and distances are in CSS pixels. */
export interface GestureEvents {
  rotate(by: Pixel): void;
  pan(by: Pixel): void;
  /** Multiplies the visible height by `factor`; the point at the pixel `about`, or in the middle, stays there. */
  zoom(factor: number, about: Pixel | undefined): void;
  /** The wheel was turned with Alt. Returns whether that has a meaning; else it zooms. */
  wheel(factor: number): boolean;
  hover(at: Pixel | undefined): void;
  click(at: Pixel, keys: HeldKeys): void;
  doubleClick(at: Pixel): void;
  /** The secondary button was clicked, or a finger pressed long. */
  menu(at: Pixel): void;
  /** The primary button or a finger begins to drag. Returns undefined to rotate the view. `reachPx` is the precision of the pointer. */
  grab(at: Pixel, keys: HeldKeys, reachPx: number): Drag | undefined;
  /** A key that is no gesture. `isReachedByKeys`: the element got the focus without a pointer. Returns whether the key was used. */
  key(event: KeyboardEvent, isReachedByKeys: boolean): boolean;
  /** The keyboard focus has left the element. */
  leave(): void;
}

/** Number of the secondary button, usually the right one. */
const SECONDARY = 2;
/** A pointer that moves less than this clicks. */
const CLICK_PX = { mouse: 4, touch: 10 } as const;
/** A finger that rests this long opens the menu. */
const LONG_PRESS_MS = 500;
/** Maximum distance of a pointer from a handle. */
const REACH_PX = { mouse: 8, touch: 20 } as const;
const ZOOM_PER_WHEEL_PX = 0.0015;
/** Browsers report a pinch on a trackpad as wheel events with Ctrl, in smaller steps. */
const ZOOM_PER_PINCH_PX = 0.01;
/** Height of a line, for wheel events that count lines. */
const LINE_PX = 30;
/** Movement per press of an arrow key: it rotates by 12°. */
const KEY_PX = 30;
const KEY_ZOOM = 1.2;

const ARROWS: Readonly<Record<string, Pixel>> = {
  ArrowLeft: { x: -KEY_PX, y: 0 },
  ArrowRight: { x: KEY_PX, y: 0 },
  ArrowUp: { x: 0, y: -KEY_PX },
  ArrowDown: { x: 0, y: KEY_PX },
};

/** A pressed pointer: its last position, and where it was pressed. */
interface Finger {
  readonly at: Pixel;
  readonly from: Pixel;
}

/** Listens to mouse, pen, fingers and keys on an element until the signal is aborted. */
export function listenForGestures(element: HTMLElement, events: GestureEvents, signal: AbortSignal): void {
  const pointers = new PointerGestures(element, events);
  const listen = <K extends keyof HTMLElementEventMap>(type: K, act: (event: HTMLElementEventMap[K]) => void): void =>
    element.addEventListener(type, act, { signal, passive: false });

  let isReachedByKeys = false;
  listen("focus", () => (isReachedByKeys = true));
  listen("pointerdown", (event) => {
    pointers.down(event);
    isReachedByKeys = false;
  });
  listen("dblclick", (event) => events.doubleClick(pixelOf(element, event)));
  listen("pointermove", (event) => pointers.move(event));
  listen("pointerup", (event) => pointers.up(event));
  listen("pointercancel", (event) => pointers.cancel(event));
  listen("pointerleave", () => events.hover(undefined));
  listen("contextmenu", (event) => event.preventDefault());
  listen("wheel", (event) => {
    const px = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : event.deltaY * LINE_PX;
    const factor = Math.exp(px * (event.ctrlKey ? ZOOM_PER_PINCH_PX : ZOOM_PER_WHEEL_PX));
    if (!event.altKey || !events.wheel(1 / factor)) events.zoom(factor, pixelOf(element, event));
    event.preventDefault();
  });
  listen("keydown", (event) => {
    // Modifier keys are also used together with the mouse.
    if (["Shift", "Control", "Alt", "Meta"].includes(event.key)) return;
    if (VIEW_KEYS.test(event.key)) delete element.dataset.pointed;
    const isCancel = event.key === "Escape" && pointers.cancelDrag();
    if (isCancel || events.key(event, isReachedByKeys) || moveByKey(event, events)) event.preventDefault();
  });
  listen("blur", () => {
    events.leave();
    // If only another window came to the front, the focus returns to the same state.
    if (document.hasFocus()) delete element.dataset.pointed;
  });
}

/** Keys that show that a person looks around by keys. Others, such as Delete, are shortcuts of people who use the mouse too. */
const VIEW_KEYS = /^(Arrow|Page|Home$|Enter$| $)/;

/** Moves the view by a key. Returns whether the key has a meaning. */
function moveByKey(event: KeyboardEvent, events: GestureEvents): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const arrow = ARROWS[event.key];
  if (arrow && event.shiftKey) events.pan({ x: -arrow.x, y: -arrow.y });
  else if (arrow) events.rotate(arrow);
  else if (event.key === "+" || event.key === "=") events.zoom(1 / KEY_ZOOM, undefined);
  else if (event.key === "-" || event.key === "_") events.zoom(KEY_ZOOM, undefined);
  else return false;
  return true;
}

/** Gestures of mouse, pen and fingers. */
class PointerGestures {
  readonly #element: HTMLElement;
  readonly #events: GestureEvents;
  /** Pressed pointers by id. */
  readonly #fingers = new Map<number, Finger>();
  #drag: Drag | undefined;
  /** "pending": the pointer has hardly moved, so that it may be a click; "pendingMenu" the same with the secondary button. */
  #mode: "none" | "pending" | "pendingMenu" | "drag" | "rotate" | "pan" = "none";
  #press: ReturnType<typeof setTimeout> | undefined;

  constructor(element: HTMLElement, events: GestureEvents) {
    this.#element = element;
    this.#events = events;
  }

  down(event: PointerEvent): void {
    this.#element.focus({ preventScroll: true });
    // Hides the focus ring and the help for keyboard users.
    this.#element.dataset.pointed = "true";
    this.#element.setPointerCapture(event.pointerId);
    const at = pixelOf(this.#element, event);
    this.#fingers.set(event.pointerId, { at, from: at });
    if (this.#fingers.size > 1) this.#stop();
    if (this.#fingers.size > 1) this.#mode = "pan";
    else this.#mode = event.button === 0 ? "pending" : event.button === SECONDARY ? "pendingMenu" : "pan";
    clearTimeout(this.#press);
    if (this.#mode === "pending" && event.pointerType === "touch") {
      this.#press = setTimeout(() => this.#pressLong(event.pointerId, at), LONG_PRESS_MS);
    }
    event.preventDefault();
  }

  move(event: PointerEvent): void {
    const at = pixelOf(this.#element, event);
    const finger = this.#fingers.get(event.pointerId);
    if (!finger) return this.#events.hover(at);
    if (this.#mode === "pending" && distance(at, finger.from) > CLICK_PX[kindOf(event)]) {
      this.#drag = this.#events.grab(finger.from, event, REACH_PX[kindOf(event)]);
      this.#mode = this.#drag ? "drag" : "rotate";
    }
    const isStill = distance(at, finger.from) <= CLICK_PX[kindOf(event)];
    if (this.#mode === "pending" || (this.#mode === "pendingMenu" && isStill)) return;
    if (this.#mode === "pendingMenu") this.#mode = "pan";
    clearTimeout(this.#press);
    const by = difference(at, finger.at);
    if (this.#fingers.size === 2) this.#pinch(event.pointerId, at, by);
    else if (this.#mode === "drag") this.#drag?.move(at, event.ctrlKey || event.metaKey);
    else if (this.#mode === "rotate") this.#events.rotate(by);
    else if (this.#mode === "pan") this.#events.pan(by);
    this.#fingers.set(event.pointerId, { at, from: finger.from });
  }

  up(event: PointerEvent): void {
    const finger = this.#fingers.get(event.pointerId);
    this.#fingers.delete(event.pointerId);
    if (!finger || this.#fingers.size > 0) return;
    clearTimeout(this.#press);
    if (this.#mode === "pendingMenu") this.#events.menu(finger.from);
    if (this.#mode === "drag") this.#drag?.end();
    if (this.#mode === "pending") this.#events.click(finger.from, event);
    [this.#drag, this.#mode] = [undefined, "none"];
  }

  cancel(event: PointerEvent): void {
    this.#fingers.delete(event.pointerId);
    this.#stop();
  }

  /** Cancels a drag. Returns whether there was one. */
  cancelDrag(): boolean {
    const isDrag = this.#mode === "drag";
    if (isDrag) this.#stop();
    return isDrag;
  }

  /** The finger has not moved: the menu opens, and lifting the finger is no click any more. */
  #pressLong(pointerId: number, at: Pixel): void {
    if (this.#mode !== "pending" || !this.#fingers.delete(pointerId)) return;
    this.#mode = "none";
    this.#events.menu(at);
  }

  #stop(): void {
    clearTimeout(this.#press);
    this.#drag?.cancel();
    [this.#drag, this.#mode] = [undefined, "none"];
  }

  /** Two fingers: the view follows their midpoint and their distance. */
  #pinch(moved: number, at: Pixel, by: Pixel): void {
    const [still] = [...this.#fingers].filter(([id]) => id !== moved).map(([, finger]) => finger.at);
    if (!still) return;
    const before = distance(difference(at, by), still);
    this.#events.pan({ x: by.x / 2, y: by.y / 2 });
    if (before > 1) this.#events.zoom(before / Math.max(1, distance(at, still)), middle(at, still));
  }
}

/** Position of an event relative to an element, CSS pixels. */
function pixelOf(element: HTMLElement, event: MouseEvent): Pixel {
  const { left, top } = element.getBoundingClientRect();
  return { x: event.clientX - left, y: event.clientY - top };
}

const kindOf = ({ pointerType }: PointerEvent): "mouse" | "touch" => (pointerType === "touch" ? "touch" : "mouse");

const difference = (a: Pixel, b: Pixel): Pixel => ({ x: a.x - b.x, y: a.y - b.y });
const distance = (a: Pixel, b: Pixel): number => Math.hypot(a.x - b.x, a.y - b.y);
const middle = (a: Pixel, b: Pixel): Pixel => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
