/** Takes out what is worth most first; of things worth the same the one put in first. A binary heap. */
export interface Queue<Thing> {
  add(thing: Thing, worth: number): void;
  take(): Thing | undefined;
}

interface Entry<Thing> {
  readonly thing: Thing;
  readonly worth: number;
  readonly number: number;
}

export function newQueue<Thing>(): Queue<Thing> {
  const heap: Entry<Thing>[] = [];
  let added = 0;
  const goesFirst = (a: Entry<Thing>, b: Entry<Thing>): boolean =>
    a.worth > b.worth || (a.worth === b.worth && a.number < b.number);
  return {
    add(thing, worth) {
      const entry = { thing, worth, number: added++ };
      let at = heap.length;
      while (at > 0) {
        const parent = (at - 1) >> 1;
        if (!goesFirst(entry, heap[parent])) break;
        heap[at] = heap[parent];
        at = parent;
      }
      heap[at] = entry;
    },
    take() {
      const first = heap[0];
      const entry = heap.pop();
      if (entry === undefined || entry === first) return first?.thing;
      let at = 0;
      for (let child = 1; child < heap.length; child = 2 * at + 1) {
        if (child + 1 < heap.length && goesFirst(heap[child + 1], heap[child])) child++;
        if (!goesFirst(heap[child], entry)) break;
        heap[at] = heap[child];
        at = child;
      }
      heap[at] = entry;
      return first.thing;
    },
  };
}
