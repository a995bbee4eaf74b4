/** How often the outlines of each model wind around the place that the sweep of a row has reached. */
export class Winding {
  readonly #turns: Int32Array;
  readonly #boundary: number;
  #modelsInside = 0;

  /** `boundary`: the number of the outline that bounds the layer, beyond which nothing is drawn; −1 for none. */
  constructor(modelCount: number, boundary: number) {
    this.#turns = new Int32Array(modelCount);
    this.#boundary = boundary;
  }

  /** Whether the place is drawn: inside the boundary, and inside a model, whose outlines wind around it more than 0 times. */
  get isInside(): boolean {
    return this.#modelsInside > 0 && (this.#boundary < 0 || this.#turns[this.#boundary] > 0);
  }

  turn(model: number, turns: number): void {
    const before = this.#turns[model];
    this.#turns[model] = before + turns;
    if (model === this.#boundary) return;
    if (before <= 0 && before + turns > 0) this.#modelsInside++;
    else if (before > 0 && before + turns <= 0) this.#modelsInside--;
  }
}
