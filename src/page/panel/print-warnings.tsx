import { useEffect, useState } from "preact/hooks";
import { printWarnings } from "../action/print-warnings.ts";
import { details, family, fetchedScene } from "../state/project.ts";
import { callEndpoint, isFailure } from "../state/tasks.ts";
import { Icon } from "../widget/icon.tsx";

type Overlaps = readonly (readonly [string, string])[];

/** Warnings before printing: models that are outside, overlap, or have no supports. None of them prevents printing. */
export function PrintWarnings() {
  const [overlaps, setOverlaps] = useState<Overlaps | undefined>(undefined);
  const [failure, setFailure] = useState<string | undefined>(undefined);
  const { id, version } = fetchedScene();
  useEffect(() => {
    const leaving = new AbortController();
    setOverlaps(undefined);
    setFailure(undefined);
    findOverlaps(id, leaving.signal).then(setOverlaps, (thrown: unknown) => {
      if (!leaving.signal.aborted && isFailure(thrown)) setFailure(thrown.message);
    });
    return () => leaving.abort();
  }, [id, version]);
  const warnings = printWarnings({ models: [...details.value.values()], family: family.value, overlaps });
  return (
    <div role="status" aria-label="Warnings before printing">
      {warnings.map(({ severity, text }) => (
        <p key={text} class={`finding finding-${severity}`}>
          <Icon name={severity} />
          {text}
        </p>
      ))}
      {overlaps === undefined && (
        <p class="note">
          {failure === undefined ? "Checking for overlaps…" : `Overlaps could not be checked: ${failure}`}
        </p>
      )}
    </div>
  );
}

async function findOverlaps(sceneId: string, signal: AbortSignal): Promise<Overlaps> {
  const path = "/v1/scene/model/validate/interferences/";
  const context = { signal, progress: () => {} };
  return (await callEndpoint<{ interferences: Overlaps }>(path, { scene_id: sceneId }, context)).interferences;
}
