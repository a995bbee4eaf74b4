// Formats of quantities for people. Part of the page's bundle.

/** Formats a number without trailing zeros: 12.5, 0.05. */
export const shortNumber = (value: number, digits = 2): string => String(Number(value.toFixed(digits)));

/** Formats a duration: 45 s, 12 min, 2 h 05 min, 3 d 4 h. */
export function duration(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ${String(minutes % 60).padStart(2, "0")} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

export const millilitres = (ml: number): string => `${ml < 10 ? ml.toFixed(2) : ml.toFixed(1)} ml`;

/** Formats a number of things: "1 model", "3 models". */
export const counted = (count: number, word: string, plural = `${word}s`): string =>
  `${count.toLocaleString("en")} ${count === 1 ? word : plural}`;
