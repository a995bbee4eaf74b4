import { counted } from "../../core/quantities.ts";
import type { SupportArea } from "../action/support-edits.ts";
import { edit, supportDraft } from "../state/support-mode.ts";

/** The areas of one kind of the part whose supports are edited. */
export function SupportAreas({ mode }: { mode: SupportArea["mode"] }) {
  const areas = supportDraft.value?.areas ?? [];
  const own = areas.filter((area) => area.mode === mode);
  const clear = (): void => edit({ kind: "areas", areas: areas.filter((area) => area.mode !== mode) });
  return (
    <div class="support-area" data-mode={mode.toLowerCase()}>
      <b>
        {mode === "NEVER" ? "Protected" : "Always"}: {counted(own.length, "area")}
      </b>
      <button type="button" class="link" disabled={own.length === 0} onClick={clear}>
        Clear
      </button>
    </div>
  );
}
