// AssemblyScript, part of the kernel `layer-kernel.as.ts`: the layer to encode, as in `LayerRuns`.

export let width: u32;
export let height: u32;
/** 4 bytes for each row, and for the end of the last one. */
export let rowStarts: usize;
/** 2 bytes for each run. */
export let starts: usize;
export let ends: usize;
/** 1 byte for each run. */
export let values: usize;

/** The first run of a row. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
export function firstRun(row: u32): u32 {
  return load<u32>(rowStarts + (row << 2));
}
// @ts-ignore: a decorator of AssemblyScript.
@inline
export function startOf(run: u32): u32 {
  return load<u16>(starts + (run << 1));
}
// @ts-ignore: a decorator of AssemblyScript.
@inline
export function endOf(run: u32): u32 {
  return load<u16>(ends + (run << 1));
}
// @ts-ignore: a decorator of AssemblyScript.
@inline
export function valueOf(run: u32): u32 {
  return load<u8>(values + run);
}

/** Whether a row has the same runs as the row above. */
export function equalsRowAbove(row: u32): bool {
  if (row === 0) return false;
  const above = firstRun(row - 1);
  const first = firstRun(row);
  const runs = first - above;
  if (firstRun(row + 1) - first !== runs) return false;
  for (let i: u32 = 0; i < runs; i++) {
    const a = above + i;
    const b = first + i;
    if (startOf(a) !== startOf(b) || endOf(a) !== endOf(b) || valueOf(a) !== valueOf(b)) return false;
  }
  return true;
}
