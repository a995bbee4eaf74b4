/** A binary heap: `goesFirst(a, b)` is whether a leaves before b. */
export class Heap<Item> {
  readonly #items: Item[];
  readonly #goesFirst: (a: Item, b: Item) => boolean;

  /** Takes over `items`, which may be in any order. */
  constructor(goesFirst: (a: Item, b: Item) => boolean, items: Item[] = []) {
    this.#goesFirst = goesFirst;
    this.#items = items;
    for (let at = (items.length >> 1) - 1; at >= 0; at--) this.#siftDown(at);
  }

  get size(): number {
    return this.#items.length;
  }

  /** The item that leaves next; undefined if the heap is empty. */
  peek(): Item | undefined {
    return this.#items[0];
  }

  push(item: Item): void {
    const items = this.#items;
    let at = items.length;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#goesFirst(item, items[parent])) break;
      items[at] = items[parent];
      at = parent;
    }
    items[at] = item;
  }

  pop(): Item | undefined {
    const items = this.#items;
    const first = items[0];
    const last = items.pop();
    if (items.length > 0) {
      items[0] = last as Item;
      this.#siftDown(0);
    }
    return first;
  }

  /** Restores the order after a change of the item of {@link peek} that makes it leave later. */
  siftTop(): void {
    this.#siftDown(0);
  }

  #siftDown(from: number): void {
    const items = this.#items;
    const item = items[from];
    let at = from;
    for (let child = 2 * at + 1; child < items.length; child = 2 * at + 1) {
      if (child + 1 < items.length && this.#goesFirst(items[child + 1], items[child])) child++;
      if (!this.#goesFirst(items[child], item)) break;
      items[at] = items[child];
      at = child;
    }
    items[at] = item;
  }
}

/** A queue whose items leave by priority, the greatest first; at equal priority, the item that was added first. */
export interface PriorityQueue<Item> {
  add(item: Item, priority: number): void;
  take(): Item | undefined;
}

interface QueuedItem<Item> {
  readonly item: Item;
  readonly priority: number;
  readonly order: number;
}

export function newPriorityQueue<Item>(): PriorityQueue<Item> {
  const heap = new Heap<QueuedItem<Item>>(
    (a, b) => a.priority > b.priority || (a.priority === b.priority && a.order < b.order),
  );
  let added = 0;
  return {
    add: (item, priority) => heap.push({ item, priority, order: added++ }),
    take: () => heap.pop()?.item,
  };
}
