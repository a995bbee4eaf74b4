const KEY = "printwright.printers";
/** Printers that are remembered. */
const MAX_RECENT = 5;

/** Labels of the printer types that were chosen last in this browser, the last one first. */
export function recentPrinters(): readonly string[] {
  try {
    const labels: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(labels) ? labels.filter((label) => typeof label === "string").slice(0, MAX_RECENT) : [];
  } catch {
    return [];
  }
}

/** Remembers that a printer type was chosen. */
export function rememberPrinter(label: string): void {
  const labels = [label, ...recentPrinters().filter((one) => one !== label)];
  localStorage.setItem(KEY, JSON.stringify(labels.slice(0, MAX_RECENT)));
}
