import { signal } from "@preact/signals";

/** What a phone shows over the view. Wider screens show all of it side by side. */
export type PhonePanel = "VIEW" | "PARTS" | "STEPS";

export const phonePanel = signal<PhonePanel>("VIEW");

/** Whether the drawer with the parts is open, on windows that are too narrow to show them beside the view. */
export const isDrawerOpen = signal(false);

/** Heights of the sheet with the steps, from the lowest to the highest. */
const SHEET_HEIGHTS = ["PEEK", "HALF", "FULL"] as const;
export type SheetHeight = (typeof SHEET_HEIGHTS)[number];

export const sheetHeight = signal<SheetHeight>("HALF");

/** The next larger height; after the largest the smallest. */
export const nextHeight = (height: SheetHeight): SheetHeight =>
  SHEET_HEIGHTS[(SHEET_HEIGHTS.indexOf(height) + 1) % SHEET_HEIGHTS.length] ?? height;

/** Shorter drags are presses that slipped. */
const DRAG_PX = 12;

/** The height after a drag of the sheet's handle by `upPx`, on a window of this height: one step for each half of the window begun. */
export function heightAfterDrag(height: SheetHeight, upPx: number, windowPx: number): SheetHeight {
  const steps = Math.sign(upPx) * Math.ceil(Math.max(0, Math.abs(upPx) - DRAG_PX) / (windowPx / 2));
  const index = SHEET_HEIGHTS.indexOf(height) + steps;
  return SHEET_HEIGHTS[Math.max(0, Math.min(SHEET_HEIGHTS.length - 1, index))] ?? height;
}
