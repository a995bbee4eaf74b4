import assert from "node:assert/strict";
import { test } from "node:test";
import { newPriorityQueue } from "../../src/geometry/heap.ts";
import { randomFrom } from "../fixture/random.ts";

test("items leave by priority, and in order of arrival at equal priority", () => {
  const random = randomFrom(7);
  for (let round = 0; round < 200; round++) {
    const queue = newPriorityQueue<number>();
    const held: { thing: number; worth: number }[] = [];
    for (let i = 0; i < 60; i++) {
      if (random() < 0.6) {
        const worth = Math.floor(random() * 12);
        queue.add(i, worth);
        held.push({ thing: i, worth });
      } else {
        const first = held.toSorted((a, b) => b.worth - a.worth || a.thing - b.thing)[0];
        assert.equal(queue.take(), first?.thing);
        if (first) held.splice(held.indexOf(first), 1);
      }
    }
  }
});
