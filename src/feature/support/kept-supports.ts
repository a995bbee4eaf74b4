import { createHash } from "node:crypto";
import { memoize } from "../../core/memoize.ts";
import { CancelledError } from "../../core/progress.ts";
import { orientationScaleKey } from "../../geometry/pose.ts";
import type { SupportedModel } from "../../support/support-model.ts";
import type { SupportRequest } from "../../support/support-request.ts";
import type { Compute } from "../../worker/compute.ts";
import type { HeldValues } from "../../worker/held-values.ts";

/**
 * The supports that `make` builds at given touchpoints, or those that another request builds now or has built: while a person looks at a draft,
 * its solid is built in the background.
 */
export async function keptSupports(
  request: SupportRequest,
  { held }: Compute,
  make: () => Promise<SupportedModel>,
): Promise<SupportedModel> {
  if (!held) return make();
  const key = supportsKey(request);
  const running = runningOf(held);
  for (let other = running.get(key); other; other = running.get(key)) {
    try {
      return await other;
    } catch (thrown) {
      // The other request was cancelled, not this one.
      if (!(thrown instanceof CancelledError)) throw thrown;
      if (running.get(key) === other) running.delete(key);
    }
  }
  const made = held.keep(key, request.placed.mesh, make, 0);
  running.set(key, made);
  try {
    return await made;
  } finally {
    if (running.get(key) === made) running.delete(key);
  }
}

/** The supports that are being built, by their keys. */
const runningOf = memoize((_held: HeldValues) => new Map<string, Promise<SupportedModel>>());

/** Everything on which the supports of given touchpoints depend. */
function supportsKey({ placed, settings, layerThicknessMm, label, touchpoints, volume }: SupportRequest): string {
  const { mesh, pose } = placed;
  const place = pose.position.slice(0, 2);
  const printedLabel = settings.raftLabelEnabled ? label : "";
  const content = [place, settings, layerThicknessMm, printedLabel, touchpoints, volume];
  const hash = createHash("sha256").update(JSON.stringify(content)).digest("hex");
  return `supports ${orientationScaleKey(mesh.hash, pose)} ${hash}`;
}
