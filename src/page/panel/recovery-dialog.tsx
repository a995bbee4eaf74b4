import { useState } from "preact/hooks";
import { counted } from "../../core/quantities.ts";
import { bringBack, discardRecovery, recovery } from "../state/keeping.ts";
import { Dialog } from "../widget/dialog.tsx";
import { shownDate, shownTime } from "../widget/shown-time.ts";

/** Offers the scenes that an earlier server kept. */
export function RecoveryDialog() {
  const found = recovery.value;
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  if (!found) return null;
  const { scenes, damaged } = found;
  const chosen = scenes.filter(({ id }) => !left.has(id));
  const later = (): void => void (recovery.value = undefined);
  const toggle = (id: string): void => {
    const next = new Set(left);
    if (!next.delete(id)) next.add(id);
    setLeft(next);
  };
  return (
    <Dialog title={titleOf(scenes)} onClose={later}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void bringBack(chosen.map(({ id }) => id));
        }}
      >
        <fieldset class="choices">
          <legend>{scenes.length === 0 ? "No scene is whole" : "Kept on this machine"}</legend>
          {scenes.map(({ id, name, kept_at, removed_at, model_count }) => (
            <label key={id}>
              <input type="checkbox" checked={!left.has(id)} onChange={() => toggle(id)} />
              {name}
              <small>
                {counted(model_count, "part")}, {shownTime(kept_at)}, removed on {shownDate(removed_at)}
              </small>
            </label>
          ))}
        </fieldset>
        {damaged.map(({ id, reason }) => (
          <p key={id} class="note" role="alert">
            A scene cannot be brought back: {reason}
          </p>
        ))}
        <footer>
          <button type="button" class="plain" onClick={() => void discardRecovery()}>
            Discard
          </button>
          <button type="button" class="plain" onClick={later}>
            Later
          </button>
          <button type="submit" class="primary" disabled={chosen.length === 0}>
            Bring back
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

const titleOf = (scenes: readonly { readonly kept_at: string }[]): string => {
  const [newest] = scenes;
  return newest
    ? `Bring back ${counted(scenes.length, "scene")} of ${shownTime(newest.kept_at)}?`
    : "Kept scenes are damaged";
};
