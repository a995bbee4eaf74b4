import { type FormField, choiceLabel } from "./form-field.ts";

/** Fields whose empty state says which value of the print setting it stands for: "0.5 mm, of the print setting". */
export function withDefaults(
  fields: readonly FormField[],
  defaults: Readonly<Record<string, unknown>> | undefined,
): readonly FormField[] {
  if (!defaults) return fields;
  return fields.map((field) => {
    const text = textOf(field, defaults[field.name]);
    return text === undefined ? field : { ...field, emptyText: text };
  });
}

function textOf({ kind, unit, ...field }: FormField, value: unknown): string | undefined {
  if ("preset" in field && field.preset !== undefined) return undefined;
  if (kind === "number" && typeof value === "number") {
    const shown = [value.toLocaleString("en"), unit].filter((part) => part !== "").join(" ");
    return `${shown}, of the print setting`;
  }
  if (kind === "switch" && typeof value === "boolean") return `Auto: ${value ? "on" : "off"}`;
  if (kind === "choice" && typeof value === "string") return `Auto: ${choiceLabel(value).toLowerCase()}`;
  return undefined;
}
