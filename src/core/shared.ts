/** The same numbers where every thread can read them: `words` itself where they are so already. */
export function shared<T extends Float32Array | Float64Array | Uint32Array>(words: T): T {
  if (words.buffer instanceof SharedArrayBuffer) return words;
  const copy = new (words.constructor as new (buffer: SharedArrayBuffer) => T)(new SharedArrayBuffer(words.byteLength));
  copy.set(words);
  return copy;
}
