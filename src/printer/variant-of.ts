import type { PrinterType } from "../catalog/setting.ts";

/** The variants in which device/list shows printers: the families that have fields of their own, and the others. */
export type Variant = "resin family 4" | "resin family 3" | "resin family 2" | "powder" | "generic";

/**
 * The families of resin printers that the interface speaks of ("Device fields"), by canonical machine type: a family is a
 * generation of the maker's machines, of every size. Powder printers are one family; the catalog tells them.
 */
const FAMILIES: Readonly<Record<string, Variant>> = {
  "FORM-2-0": "resin family 2",
  "FORM-3-1": "resin family 3",
  "FRMB-3-1": "resin family 3",
  "DGSR-1-0": "resin family 3",
  "FRBL-3-0": "resin family 3",
  "FORM-4-0": "resin family 4",
  "FRML-4-0": "resin family 4",
};

export const variantOf = ({ family, machineType }: PrinterType): Variant =>
  family === "powder" ? "powder" : (FAMILIES[machineType] ?? "generic");
