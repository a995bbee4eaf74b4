import type { JobFacts, JobTotals } from "./job-facts.ts";
import type { LayerRuns } from "./layer-runs.ts";

/** A format of job archives. `Layer` is plain data that threads can post to one another. */
export interface JobWriter<Layer = unknown> {
  /** With its dot. */
  readonly extension: string;
  /** Sizes of the pictures that it puts in. */
  readonly thumbnails: readonly { readonly width: number; readonly height: number }[];
  /** The heavy part: of any layer, in any order, on any thread. */
  encodeLayer(layer: LayerRuns): Layer;
  stream(facts: JobFacts): JobStream<Layer>;
}

/** Gives the bytes of an archive, to be written one after another: those of `begin`, of each layer in order, of `end`. */
export interface JobStream<Layer = unknown> {
  begin(): Iterable<Uint8Array>;
  /** `exposureS`: seconds of light on the layer; of powder, which is sintered by the machine's own parameters, 0. */
  layer(index: number, layer: Layer, exposureS: number): Iterable<Uint8Array>;
  end(totals: JobTotals): JobEnd;
}

export interface JobEnd {
  readonly chunks: Iterable<Uint8Array>;
  /** What the first bytes of the file are to be replaced with, where totals stand there. */
  readonly head?: Uint8Array;
}
