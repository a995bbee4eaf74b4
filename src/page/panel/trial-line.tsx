import { trial, trialWords } from "../state/preview.ts";

/** What is to say about the change that a form tries out: that it is computed, why it cannot be made, and its remarks. */
export function TrialLine({ path }: { path: string }) {
  const words = trial.value?.wish.path === path ? trialWords.value : undefined;
  const { isComputing = false, refusal, remarks = [] } = words ?? {};
  return (
    <div class="trial-line" role="status">
      {isComputing && <p class="note">Showing how it will be…</p>}
      {refusal !== undefined && <p class="problem">{refusal}</p>}
      {remarks.map((remark) => (
        <p key={remark} class="note">
          {remark}
        </p>
      ))}
    </div>
  );
}
