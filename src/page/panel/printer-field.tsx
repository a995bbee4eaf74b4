import { useState } from "preact/hooks";
import { shortNumber } from "../../core/quantities.ts";
import type { CatalogPrinter } from "../server/replies.ts";
import type { MadePrinter } from "../state/catalog.ts";
import { recentPrinters } from "../state/recent-printers.ts";
import { SearchField } from "../widget/search-field.tsx";

const ALL_MAKERS = "";

/** List of printers with a search and a choice of the maker: those that were chosen last, then all by their makers. */
export function PrinterField(props: {
  types: readonly MadePrinter[];
  printer: CatalogPrinter | undefined;
  onChange: (printer: CatalogPrinter) => void;
}) {
  const { types, printer, onChange } = props;
  const [search, setSearch] = useState("");
  const [maker, setMaker] = useState(ALL_MAKERS);
  const makers = [...new Set(types.map((type) => type.maker))];
  const groups = groupsOf(
    types.filter((type) => type.label === printer?.label || isMeant(type, search, maker)),
    recentPrinters(),
  );
  return (
    <>
      <SearchField id="printer-search" noun="Printer" value={search} onInput={setSearch} />
      <div class="field">
        <label for="printer-maker">Maker</label>
        <select id="printer-maker" value={maker} onChange={(event) => setMaker(event.currentTarget.value)}>
          <option value={ALL_MAKERS}>All makers</option>
          {makers.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <select
        class="printer-list"
        size={6}
        aria-label="Printer"
        value={printer?.label ?? ""}
        onChange={(event) => {
          const next = types.find(({ label }) => label === event.currentTarget.value);
          if (next) onChange(next);
        }}
      >
        {groups.map(({ name, members }) => (
          <optgroup key={name} label={name}>
            {members.map(({ label, build_volume_dimensions_mm: size }) => (
              <option key={label} value={label}>
                {label} ({size.map((mm) => shortNumber(mm, 0)).join(" × ")} mm)
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </>
  );
}

/** Whether a printer is of the maker, and all words of the search are in its names or machine types. */
function isMeant(type: MadePrinter, search: string, maker: string): boolean {
  const names = [type.maker, type.label, ...type.supported_product_names, ...type.supported_machine_type_ids];
  const text = names.join(" ").toLowerCase();
  const words = search.toLowerCase().split(/\s+/);
  return (maker === ALL_MAKERS || maker === type.maker) && words.every((word) => text.includes(word));
}

interface PrinterGroup {
  readonly name: string;
  readonly members: readonly MadePrinter[];
}

/** The printers in groups: those that were chosen last, in that order, then the others by their makers. */
export function groupsOf(types: readonly MadePrinter[], recent: readonly string[]): PrinterGroup[] {
  const last = recent.flatMap((label) => types.filter((type) => type.label === label));
  const others = types.filter(({ label }) => !recent.includes(label));
  const byMaker = [...Map.groupBy(others, ({ maker }) => maker)].map(([name, members]) => ({ name, members }));
  return last.length === 0 ? byMaker : [{ name: "Chosen last", members: last }, ...byMaker];
}
