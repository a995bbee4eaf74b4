/** What `make` made for the size before, if that was the same, so that its memory is used again. */
export function reusedForSize<T>(make: (width: number, height: number) => T): (size: readonly [number, number]) => T {
  let kept: { readonly width: number; readonly height: number; readonly made: T } | undefined;
  return ([width, height]) => {
    if (kept?.width !== width || kept.height !== height) kept = { width, height, made: make(width, height) };
    return kept.made;
  };
}
