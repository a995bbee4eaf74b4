import { printableMachineTypes } from "../../catalog/catalog.ts";
import type { PrinterType } from "../../catalog/setting.ts";
import { inputError } from "../../core/api-error.ts";
import { requirePrinterType } from "../require-printer-type.ts";
import type { VirtualPrinterConfig } from "./virtual-printer.ts";

/**
 * Parses `MACHINE_TYPE[=NAME]` of the command line; aliases of machine types are accepted. A printer without a name gets a serial name from
 * its machine type, the same for equal command lines. Throws INPUT_ERROR for an unknown machine type, an empty name and a duplicate name.
 */
export function parseVirtualPrinters(options: readonly string[]): VirtualPrinterConfig[] {
  const parsed = options.map(parseOption);
  const taken = new Set<string>();
  for (const { name } of parsed) {
    if (name === undefined) continue;
    if (taken.has(name)) {
      throw inputError(`--virtual-printer: two printers are named "${name}"; give each its own name`);
    }
    taken.add(name);
  }
  return parsed.map(({ printerType, machineTypes, name = freeName(printerType, taken) }) => {
    taken.add(name);
    return { id: name, printerType, machineTypes };
  });
}

interface ParsedOption extends Omit<VirtualPrinterConfig, "id"> {
  readonly name: string | undefined;
}

function parseOption(option: string): ParsedOption {
  const [machineType = "", ...afterSign] = option.split("=");
  const name = afterSign.length === 0 ? undefined : afterSign.join("=");
  if (name?.trim() === "") throw inputError(`--virtual-printer: the name after "${machineType}=" is empty`);
  return {
    printerType: requirePrinterType(machineType, (why) => inputError(`--virtual-printer: ${why}`)),
    machineTypes: printableMachineTypes(machineType),
    name,
  };
}

function freeName({ machineType }: PrinterType, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const name = `Virtual-${machineType}-${number}`;
    if (!taken.has(name)) return name;
  }
}
