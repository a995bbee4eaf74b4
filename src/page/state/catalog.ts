import { computed, signal } from "@preact/signals";
import type { PageMakers } from "../../ui/replies.ts";
import { get, post } from "../server/call.ts";
import type { ListedDevice, CatalogPrinter } from "../server/replies.ts";
import { summary } from "./project.ts";

/** A type of printers with its maker. */
export interface MadePrinter extends CatalogPrinter {
  readonly maker: string;
  readonly family: "resin" | "powder";
}

/** All types of printers with their materials and settings; empty until they are fetched. */
const printerTypes = signal<readonly MadePrinter[]>([]);

let request: Promise<readonly MadePrinter[]> | undefined;

/** Fetches the catalog of the server once, since it does not change while the server runs. A failed request is repeated. */
export function fetchCatalog(): Promise<readonly MadePrinter[]> {
  request ??= fetchPrinters().then(
    (types) => (printerTypes.value = types),
    (thrown) => {
      request = undefined;
      throw thrown;
    },
  );
  return request;
}

const UNKNOWN = { maker: "", family: "resin" } as const;

async function fetchPrinters(): Promise<MadePrinter[]> {
  const [{ printer_types }, makers] = await Promise.all([
    post<{ printer_types: CatalogPrinter[] }>("/v1/print-setting/list/"),
    get<PageMakers>("/ui/makers/"),
  ]);
  return printer_types.map((type) => ({ ...type, ...(makers[type.label] ?? UNKNOWN) }));
}

/** Printer type of the shown scene. */
const printerType = computed(() =>
  printerTypes.value.find(({ label }) => label === summary.value?.setting.printer_label),
);

/** Whether a device is a printer of the scene's type, or a queue of such printers; true until the catalog is fetched. */
export function suitsScene({ product_name, printers }: ListedDevice): boolean {
  const type = printerType.value;
  if (!type) return true;
  if (!printers) return type.supported_product_names.includes(product_name);
  return printers.some(({ machine_type_id }) => type.supported_machine_type_ids.includes(machine_type_id));
}
