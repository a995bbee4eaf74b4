import { canonicalMachineType, CATALOG } from "../../catalog/catalog.ts";
import { nearest } from "../../catalog/nearest.ts";
import type { PrinterType } from "../../catalog/setting.ts";
import { inputError } from "../../core/fault.ts";
import type { VirtualPrinterChoice } from "./virtual-printer.ts";

/**
 * The printers that `MACHINE_TYPE[=NAME]` order; aliases of machine types are accepted. One without a name gets a serial name
 * that is made of its machine type and stays the same as long as the command line does. Faults: INPUT_ERROR for a machine
 * type that the catalog does not know, an empty name, a name that two have.
 */
export function parseVirtualPrinters(orders: readonly string[]): VirtualPrinterChoice[] {
  const parsed = orders.map(parseOrder);
  const taken = new Set<string>();
  for (const { name } of parsed) {
    if (name === undefined) continue;
    if (taken.has(name))
      throw inputError(`--virtual-printer: two printers are named "${name}"; give each its own name`);
    taken.add(name);
  }
  return parsed.map(({ printerType, name = freeName(printerType, taken) }) => {
    taken.add(name);
    return { id: name, printerType };
  });
}

interface Order {
  readonly printerType: PrinterType;
  readonly name?: string;
}

function parseOrder(order: string): Order {
  const [machineType, ...afterSign] = order.split("=");
  const name = afterSign.length === 0 ? undefined : afterSign.join("=");
  if (name?.trim() === "") throw inputError(`--virtual-printer: the name after "${machineType}=" is empty`);
  return { printerType: printerTypeOf(machineType), name };
}

/** Of types that share a machine type, the one listed first. */
function printerTypeOf(machineType: string): PrinterType {
  const printerTypes = CATALOG.map(({ printerType }) => printerType);
  const found = printerTypes.find((one) => one.machineType === canonicalMachineType(machineType));
  if (found) return found;
  const known = nearest(
    machineType,
    printerTypes.map((one) => one.machineType),
  );
  throw inputError(`--virtual-printer: no machine type is called "${machineType}"; known: ${known.join(", ")}`);
}

function freeName({ machineType }: PrinterType, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const name = `Virtual-${machineType}-${number}`;
    if (!taken.has(name)) return name;
  }
}
