import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

// The peer slicer is PrusaSlicer, run as `prusa-slicer` with the printer of peer-printer.ini.

/** A model for both slicers. */
export interface PeerModel {
  readonly name: string;
  readonly file: string;
  /** Rotation about z, with which the model fits on the platform; the peer does not rotate parts itself. */
  readonly turnDeg?: number;
}

/** The file into which the peer writes its job. */
export const PEER_OUTPUT = join(tmpdir(), "printwright-bench-peer.sl1");

/** Arguments with which the peer slices a model with these options. */
export const peerArguments = ({ file, turnDeg }: PeerModel, options: readonly string[]): string[] => [
  "--export-sla",
  "--load",
  fileURLToPath(new URL("peer-printer.ini", import.meta.url)),
  "--output",
  PEER_OUTPUT,
  ...options,
  ...(turnDeg ? ["--rotate", String(turnDeg)] : []),
  file,
];

/** The time of a line in the peer's log, in milliseconds. */
export function logTime(line: string): number {
  const [, day, clock] = /^\[(\S+) (\S+)\]/.exec(line)!;
  return Date.parse(`${day}T${clock}Z`);
}
