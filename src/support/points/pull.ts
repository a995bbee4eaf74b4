import type { SpanLayer } from "../../slice/span-layers.ts";
import type { SupportSettings } from "../settings.ts";

/**
 * What one touch of 1 mm² holds of a layer, mm². Working value: a film pulls a layer with about 0.04 N/mm² as it comes off,
 * and fresh resin tears at about 10 N/mm²; but the film comes off from one side to the other, so that at any time no more
 * than about a fifth of the touches carry.
 */
const HELD_PER_TOUCH = 50;

/** How much of the layers so far must be held against the pull of the film, and how much is. */
export class Pull {
  readonly #pixelMm: number;
  readonly #heldPerPointMm2: number;
  #onPlatformMm2 = 0;
  #mostMm2 = 0;

  constructor(pixelMm: number, { touchpointSizeMm, density }: SupportSettings) {
    this.#pixelMm = pixelMm;
    const touchMm2 = Math.PI * (touchpointSizeMm / 2) ** 2;
    this.#heldPerPointMm2 = (HELD_PER_TOUCH * touchMm2) / density;
  }

  /** The next layer from the platform up; what stands on that is held by it. */
  rise({ index, starts, ends }: SpanLayer): void {
    let pixels = 0;
    for (let i = 0; i < starts.length; i++) pixels += ends[i] - starts[i];
    const areaMm2 = pixels * this.#pixelMm ** 2;
    if (index === 0) this.#onPlatformMm2 = areaMm2;
    this.#mostMm2 = Math.max(this.#mostMm2, areaMm2);
  }

  /** How many more than so many points it takes to hold the largest layer so far. */
  lacking(points: number): number {
    return Math.max(0, Math.ceil((this.#mostMm2 - this.#onPlatformMm2) / this.#heldPerPointMm2) - points);
  }
}
