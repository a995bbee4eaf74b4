/** Memoizes `make` for the last size, so that its memory is reused from chunk to chunk. */
export function memoizeLastSize<T>(make: (width: number, height: number) => T): (size: readonly [number, number]) => T {
  let last: { readonly width: number; readonly height: number; readonly made: T } | undefined;
  return ([width, height]) => {
    if (last?.width !== width || last.height !== height) last = { width, height, made: make(width, height) };
    return last.made;
  };
}
