/** Numbers whose products spread cells over the slots (Teschner et al., "Optimized Spatial Hashing", 2003). */
const [MIX_X, MIX_Y] = [73_856_093, 19_349_663];

/** The octants, a bit each, that are not beside those of a mask: edges that face each other have directions in such octants. */
const ACROSS = Uint8Array.from({ length: 256 }, (_, octants) => {
  let across = 0;
  for (let octant = 0; octant < 8; octant++) {
    if (((octants >> octant) & 1) === 0) continue;
    for (let step = 2; step <= 6; step++) across |= 1 << ((octant + step) % 8);
  }
  return across;
});

/** Pieces of edges in cells of a grid, by their middles. Memory is reused from layer to layer. */
export class EdgeCells {
  cellCount = 0;
  #perCell = 1;
  #xs = new Int32Array();
  #ys = new Int32Array();
  /** Octants of the directions of the pieces of a cell, one bit each. */
  #octants = new Uint8Array();
  /** The first piece of a cell, and the next one of its cell after each piece; −1 for none. */
  #firsts = new Int32Array();
  #next = new Int32Array();
  /** Hash table: a cell plus 1, or 0. */
  #slots = new Int32Array();
  /** The cell of the last piece: most others are in the same one. */
  #last = -1;
  readonly #around = new Int32Array(9);

  /** Empties all cells, and makes room for pieces. */
  begin(cellMm: number, capacity: number): void {
    this.#perCell = 1 / cellMm;
    this.#last = -1;
    if (this.#next.length < capacity) {
      const size = 2 ** Math.ceil(Math.log2(capacity));
      this.#xs = new Int32Array(size);
      this.#ys = new Int32Array(size);
      this.#octants = new Uint8Array(size);
      this.#firsts = new Int32Array(size);
      this.#next = new Int32Array(size);
      this.#slots = new Int32Array(2 * size);
    } else if (4 * this.cellCount < this.#slots.length) this.#emptySlots();
    else this.#slots.fill(0);
    this.cellCount = 0;
  }

  /** Faster than to fill all slots, where few are used. */
  #emptySlots(): void {
    for (let cell = this.cellCount - 1; cell >= 0; cell--)
      this.#slots[this.#slotOf(this.#xs[cell], this.#ys[cell])] = 0;
  }

  /** Adds a piece by its middle and its direction. */
  add(piece: number, xMm: number, yMm: number, dx: number, dy: number): void {
    const x = Math.floor(xMm * this.#perCell);
    const y = Math.floor(yMm * this.#perCell);
    let cell = this.#last;
    if (cell < 0 || this.#xs[cell] !== x || this.#ys[cell] !== y) cell = this.#last = this.#cellAt(x, y);
    this.#next[piece] = this.#firsts[cell];
    this.#firsts[cell] = piece;
    this.#octants[cell] |= 1 << octantOf(dx, dy);
  }

  #cellAt(x: number, y: number): number {
    const slot = this.#slotOf(x, y);
    const known = this.#slots[slot] - 1;
    if (known >= 0) return known;
    const cell = this.cellCount++;
    this.#slots[slot] = cell + 1;
    this.#xs[cell] = x;
    this.#ys[cell] = y;
    this.#firsts[cell] = -1;
    this.#octants[cell] = 0;
    return cell;
  }

  firstOf(cell: number): number {
    return this.#firsts[cell];
  }

  /** The next piece of the same cell; −1 at the end. */
  after(piece: number): number {
    return this.#next[piece];
  }

  /**
   * The cells beside a cell, and itself, in the first entries of an array that is −1 after them, if some of their pieces may face some of its own;
   * undefined if none may. Overwritten by the next call.
   */
  facing(cell: number): Int32Array | undefined {
    const x = this.#xs[cell];
    const y = this.#ys[cell];
    const around = this.#around.fill(-1);
    let count = 0;
    let octants = 0;
    for (let j = y - 1; j <= y + 1; j++) {
      for (let i = x - 1; i <= x + 1; i++) {
        const other = this.#slots[this.#slotOf(i, j)] - 1;
        if (other < 0) continue;
        around[count++] = other;
        octants |= this.#octants[other];
      }
    }
    return (ACROSS[this.#octants[cell]] & octants) === 0 ? undefined : around;
  }

  /** The slot of a cell, which may be empty. */
  #slotOf(x: number, y: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    const hash = Math.imul(x, MIX_X) ^ Math.imul(y, MIX_Y);
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (; slots[slot] > 0; slot = (slot + 1) & mask) {
      const cell = slots[slot] - 1;
      if (this.#xs[cell] === x && this.#ys[cell] === y) break;
    }
    return slot;
  }
}

/** The octant of a direction, from 0 to 7, in the order of their angles. */
function octantOf(x: number, y: number): number {
  if (y >= 0) return x >= 0 ? (x >= y ? 0 : 1) : -x < y ? 2 : 3;
  return x < 0 ? (-x >= -y ? 4 : 5) : x < -y ? 6 : 7;
}
