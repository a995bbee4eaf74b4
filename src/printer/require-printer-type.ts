import { printerTypes, canonicalMachineType } from "../catalog/catalog.ts";
import { closestMatches, whyUncatalogued } from "../catalog/resolve.ts";
import type { PrinterType } from "../catalog/setting.ts";
import type { ErrorFactory } from "../core/api-error.ts";

/**
 * The first printer type of the catalog with this machine type, which may be an alias. Throws the error of `toError` for an unknown one.
 */
export function requirePrinterType(machineType: string, toError: ErrorFactory): PrinterType {
  const found = printerTypes().find((one) => one.machineType === canonicalMachineType(machineType));
  if (found) return found;
  const why = whyUncatalogued(machineType);
  if (why !== undefined) throw toError(why);
  const known = closestMatches(
    machineType,
    printerTypes().map((one) => one.machineType),
  );
  throw toError(`no machine type is called "${machineType}"; known: ${known.join(", ")}`);
}
