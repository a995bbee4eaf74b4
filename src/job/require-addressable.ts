import { operationFailed } from "../core/api-error.ts";

/** The last byte that an address of 32 bits reaches. */
const MAX_ADDRESS = 0xffff_ffff;

/** Throws OPERATION_FAILED for a file that ends behind 4 GiB, which addresses of 32 bits cannot reach. `files` names such files. */
export function requireAddressable(end: number, files: string): void {
  if (end <= MAX_ADDRESS) return;
  throw operationFailed(`${files} have at most 4 GiB: print fewer parts at once, or choose thicker layers.`);
}
