import type { Protocol } from "./protocol.ts";
import { virtualProtocol, type VirtualPrinters } from "./virtual/virtual-protocol.ts";

/** Every way in which printers are reached. A network protocol is one file that makes a {@link Protocol}, and a line here. */
export const openProtocols = (virtual?: VirtualPrinters): readonly Protocol[] =>
  virtual ? [virtualProtocol(virtual)] : [];
