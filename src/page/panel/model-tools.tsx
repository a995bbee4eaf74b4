import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { endpointForm } from "../server/endpoints.ts";
import { choiceLabel } from "../action/form-field.ts";
import { deleteSelected, duplicate, replaceModelBy, setLock, setUnits, setVisible } from "../state/edit.ts";
import { chooseModels } from "../state/import-files.ts";
import { targetModels } from "../state/target-models.ts";
import { details, scene, selectedIds } from "../state/project.ts";
import { Dialog } from "../widget/dialog.tsx";
import { IconButton } from "../widget/icon.tsx";
import { Menu, type MenuItem } from "../widget/menu.tsx";
import { parseNumber } from "../widget/quantities.ts";

const UPDATE = endpointForm("/v1/scene/model/update/").body?.properties ?? {};
const LOCKS = (UPDATE.lock?.enum ?? []).map(String);
const UNITS = (UPDATE.units?.enum ?? []).map(String);

/** Whether the dialog for the number of copies is open. */
export const isDuplicating = signal(false);

/** Tools for the selected models, above their list. */
export function ModelTools() {
  const [isReplacing, setReplacing] = useState(false);
  const ids = selectedIds.value;
  const [first] = ids;
  const none = first === undefined;
  const selected = new Set(ids);
  const chosen = (scene.value?.models ?? []).filter(({ id }) => selected.has(id));
  const areVisible = chosen.every(({ visible }) => visible);
  return (
    <div class="model-tools" role="toolbar" aria-label="Selected parts">
      <IconButton icon="add" name="Import parts" shortcut="Ctrl+O" onClick={chooseModels} />
      <IconButton
        icon="copy"
        name="Duplicate"
        shortcut="Ctrl+D"
        disabled={none}
        onClick={() => (isDuplicating.value = true)}
      />
      <IconButton
        icon="swap"
        name="Replace with another part"
        disabled={ids.length !== 1 || (scene.value?.models.length ?? 0) < 2}
        onClick={() => setReplacing(true)}
      />
      <IconButton
        icon={areVisible ? "eye" : "eyeOff"}
        name={areVisible ? "Hide" : "Show"}
        shortcut="H"
        disabled={none}
        onClick={() => void setVisible(targetModels(), !areVisible)}
      />
      <Menu name="Lock and units" icon="lock" items={lockAndUnits(none)} />
      <IconButton icon="trash" name="Delete" shortcut="Del" disabled={none} onClick={() => void deleteSelected()} />
      {isReplacing && first !== undefined && <ReplaceDialog id={first} onClose={() => setReplacing(false)} />}
    </div>
  );
}

const lockAndUnits = (disabled: boolean): readonly MenuItem[] => [
  ...LOCKS.map((lock) => ({
    label: `Lock: ${choiceLabel(lock).toLowerCase()}`,
    disabled,
    run: () => void setLock(targetModels(), lock),
  })),
  ...UNITS.map((units) => ({
    label: `Units: ${choiceLabel(units).toLowerCase()}`,
    disabled,
    run: () => void setUnits(targetModels(), units),
  })),
];

/** Asks for the number of copies. It is not part of the tools, which narrow windows may hide. */
export function DuplicateDialog({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState("1");
  const count = parseNumber(text);
  const isGood = count !== undefined && Number.isInteger(count) && count >= 1 && count <= 10_000;
  const submit = (event: Event): void => {
    event.preventDefault();
    if (!isGood) return;
    onClose();
    void duplicate(count);
  };
  return (
    <Dialog title="Duplicate" onClose={onClose}>
      <form onSubmit={submit}>
        <div class="field">
          <label for="copies">Copies of each model</label>
          <input
            id="copies"
            type="text"
            inputMode="numeric"
            autofocus
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </div>
        {!isGood && <p class="problem">A whole number from 1 to 10,000.</p>}
        <footer>
          <button type="submit" class="primary" disabled={!isGood}>
            Duplicate
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

function ReplaceDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const others = (scene.value?.models ?? []).filter((model) => model.id !== id);
  const [replacement, setReplacement] = useState(others[0]?.id);
  const submit = (event: Event): void => {
    event.preventDefault();
    onClose();
    if (replacement !== undefined) void replaceModelBy(id, replacement);
  };
  return (
    <Dialog title="Replace" onClose={onClose}>
      <form onSubmit={submit}>
        <p>
          The other model takes the position, rotation, scale and lock of <b>{details.value.get(id)?.name}</b>, which is
          deleted.
        </p>
        <div class="field">
          <label for="replacement">Replace with</label>
          <select id="replacement" value={replacement} onChange={(event) => setReplacement(event.currentTarget.value)}>
            {others.map((model) => (
              <option key={model.id} value={model.id}>
                {model.name}
              </option>
            ))}
          </select>
        </div>
        <footer>
          <button type="submit" class="primary">
            Replace
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
