/** Pairs of the elements at equal indices, in order. Throws where the lengths differ: that is a defect of the program. */
export function paired<A, B>(first: readonly A[], second: ArrayLike<B>): (readonly [A, B])[] {
  if (first.length !== second.length)
    throw new Error(`${first.length} elements cannot be paired with ${second.length}.`);
  // The lengths are equal, so that the index is in range.
  return first.map((element, i) => [element, second[i]!] as const);
}
