import { useEffect, useState } from "preact/hooks";
import { post } from "../server/call.ts";
import type { CatalogPrinter, MaterialType, SceneSettings } from "../server/replies.ts";
import { type MadePrinter, fetchCatalog } from "../state/catalog.ts";
import { chooseSettingFile } from "../state/download.ts";
import { notify } from "../state/notices.ts";
import { refresh, showScene, summary, fetchedScene } from "../state/project.ts";
import { notifyFailure } from "../state/tasks.ts";
import { rememberPrinter } from "../state/recent-printers.ts";
import { Dialog } from "../widget/dialog.tsx";
import { SearchField } from "../widget/search-field.tsx";
import { PrinterField } from "./printer-field.tsx";

/** Dialog for printer, material, print setting and layer thickness of a new scene or of the shown one. */
export function SceneDialog({ isNew, onClose }: { isNew: boolean; onClose: () => void }) {
  const choice = useSettingsChoice();
  const { types, printer, chosen, setChosen } = choice;
  const material = printer?.materials.find((one) => has(one, chosen));
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (!chosen) return;
    try {
      await (isNew ? createScene(chosen) : updateScene(chosen));
      if (printer) rememberPrinter(printer.label);
      onClose();
    } catch (thrown) {
      notifyFailure(isNew ? "New scene" : "Change settings", thrown);
    }
  };
  return (
    <Dialog title={isNew ? "New scene" : "Printer and material"} onClose={onClose} class="scene-dialog">
      <form onSubmit={(event) => void submit(event)}>
        <PrinterField types={types} printer={printer} onChange={(next) => choice.choosePrinter(next, material)} />
        <MaterialField key={printer?.label} printer={printer} material={material} onChange={setChosen} />
        <SettingField material={material} chosen={chosen} onChange={setChosen} />
        <footer>
          {!isNew && (
            <button
              type="button"
              class="plain"
              onClick={() => {
                onClose();
                chooseSettingFile();
              }}
            >
              Apply .fps file…
            </button>
          )}
          <button type="submit" class="primary" disabled={chosen === undefined}>
            {isNew ? "Create scene" : "Apply"}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

interface SettingsChoice {
  readonly types: readonly MadePrinter[];
  readonly printer: CatalogPrinter | undefined;
  readonly chosen: SceneSettings | undefined;
  setChosen(settings: SceneSettings): void;
  /** Chooses a printer; keeps the material if the printer has it. */
  choosePrinter(next: CatalogPrinter, material: MaterialType | undefined): void;
}

/** Fetches the catalog, and begins with the settings of the shown scene. */
function useSettingsChoice(): SettingsChoice {
  const [types, setTypes] = useState<readonly MadePrinter[]>([]);
  const [chosen, setChosen] = useState<SceneSettings>();
  const [printerLabel, setPrinterLabel] = useState("");
  useEffect(() => {
    fetchCatalog().then(
      (list) => {
        setTypes(list);
        const present = summary.value?.setting;
        const printer = list.find(({ label }) => label === present?.printer_label) ?? list[0];
        if (!printer) return;
        setPrinterLabel(printer.label);
        setChosen(sameSetting(printer, present) ?? defaultSettings(printer.materials[0]));
      },
      (thrown) => notifyFailure("Print settings", thrown),
    );
  }, []);
  const choosePrinter = (next: CatalogPrinter, material: MaterialType | undefined): void => {
    setPrinterLabel(next.label);
    const same = next.materials.find((one) => one.label === material?.label) ?? next.materials[0];
    setChosen(defaultSettings(same));
  };
  return { types, printer: types.find(({ label }) => label === printerLabel), chosen, setChosen, choosePrinter };
}

/** List of the printer's materials with a search. */
function MaterialField(props: {
  printer: CatalogPrinter | undefined;
  material: MaterialType | undefined;
  onChange: (settings: SceneSettings) => void;
}) {
  const { printer, material, onChange } = props;
  const [search, setSearch] = useState("");
  const words = search.toLowerCase();
  const shown = (printer?.materials ?? []).filter((one) => one === material || one.label.toLowerCase().includes(words));
  return (
    <>
      <SearchField id="material-search" noun="Material" value={search} onInput={setSearch} />
      <select
        class="material-list"
        size={8}
        aria-label="Material"
        value={material?.label ?? ""}
        onChange={(event) => {
          const next = printer?.materials.find(({ label }) => label === event.currentTarget.value);
          const settings = defaultSettings(next);
          if (settings) onChange(settings);
        }}
      >
        {shown.map(({ label }) => (
          <option key={label} value={label}>
            {label}
          </option>
        ))}
      </select>
    </>
  );
}

function SettingField(props: {
  material: MaterialType | undefined;
  chosen: SceneSettings | undefined;
  onChange: (settings: SceneSettings) => void;
}) {
  const { material, chosen, onChange } = props;
  return (
    <fieldset class="choices">
      <legend>Layer thickness and setting</legend>
      {(material?.material_settings ?? []).map(({ label, scene_settings }) => (
        <label key={label + scene_settings.print_setting}>
          <input
            type="radio"
            name="setting"
            checked={isSame(scene_settings, chosen)}
            onChange={() => onChange(scene_settings)}
          />
          {label.replace(" (Default settings)", "")}
        </label>
      ))}
    </fieldset>
  );
}

const isSame = (a: SceneSettings, b: SceneSettings | undefined): boolean =>
  a.machine_type === b?.machine_type &&
  a.material_code === b.material_code &&
  a.print_setting === b.print_setting &&
  String(a.layer_thickness_mm) === String(b.layer_thickness_mm);

const has = (material: MaterialType, settings: SceneSettings | undefined): boolean =>
  material.material_settings.some(({ scene_settings }) => isSame(scene_settings, settings));

/** The first settings of a material. */
const defaultSettings = (material: MaterialType | undefined): SceneSettings | undefined =>
  material?.material_settings[0]?.scene_settings;

const sameSetting = (printer: CatalogPrinter, settings: SceneSettings | undefined): SceneSettings | undefined =>
  printer.materials
    .flatMap(({ material_settings }) => material_settings.map(({ scene_settings }) => scene_settings))
    .find((one) => isSame(one, settings));

async function createScene(settings: SceneSettings): Promise<void> {
  const { scene_id } = await post<{ scene_id: string }>("/v1/scene/create/", settings);
  showScene(scene_id);
}

async function updateScene(settings: SceneSettings): Promise<void> {
  const body = { scene_id: fetchedScene().id, ...settings };
  const { unsupported_model_ids: bare } = await post<{ unsupported_model_ids: string[] }>("/v1/scene/update/", body);
  await refresh();
  if (bare.length > 0) {
    notify({
      severity: "warning",
      text: `The supports of ${bare.length === 1 ? "a model" : `${bare.length} models`} were removed: generate them again.`,
    });
  }
}
