// Parses typed quantities, and marks those that are being computed. Formats of quantities are in `core/quantities.ts`.

/** Text in place of a quantity that is being computed. */
export const PENDING = "…";
/** Text of a fact that there is not: of an empty scene, or refused by the server. */
export const NOTHING = "–";

/** Parses a typed number. A comma counts as a decimal point; one addition, multiplication or division is computed ("25.4*2"). */
export function parseNumber(text: string): number | undefined {
  const plain = text.trim().replaceAll(",", ".").replace(/\s+/g, "");
  const parts = /^(-?[\d.]+)(?:([+*/])(-?[\d.]+))?$/.exec(plain);
  if (!parts) return undefined;
  const [a, b] = [Number(parts[1]), Number(parts[3] ?? 0)];
  const value = { "+": a + b, "*": a * b, "/": a / b }[parts[2] ?? "+"];
  return value !== undefined && Number.isFinite(value) ? value : undefined;
}
