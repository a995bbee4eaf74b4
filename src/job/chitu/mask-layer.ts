/**
 * Masks or unmasks the data of layer `index` by the key of its file, in place. The constants are those of the code of catibo; its
 * description has another one, with which files of Chitubox cannot be read.
 */
export function maskLayer(bytes: Uint8Array, key: number, index: number): void {
  const step = (Math.imul(key, 0x2d83cdac) + 0xd8a83423) | 0;
  let mask = Math.imul((Math.imul(index, 0x1e1530cd) + 0xec3d47cd) | 0, step);
  for (let at = 0; at < bytes.length; at += 4) {
    const end = Math.min(4, bytes.length - at);
    for (let i = 0; i < end; i++) bytes[at + i] ^= mask >>> (8 * i);
    mask = (mask + step) | 0;
  }
}
