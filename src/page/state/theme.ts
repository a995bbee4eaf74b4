import { effect, signal } from "@preact/signals";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const KEY = "printwright.theme";

const isTheme = (value: string | null): value is Theme => THEMES.includes(value as Theme);

function kept(): Theme {
  const value = localStorage.getItem(KEY);
  return isTheme(value) ? value : "system";
}

/** Colours of the page: those of the system, unless the user chose others. */
export const theme = signal<Theme>(kept());

effect(() => {
  document.documentElement.dataset.theme = theme.value;
  localStorage.setItem(KEY, theme.value);
});
