import { effect, signal } from "@preact/signals";

export type Theme = "auto" | "light" | "dark";

const STORE = "microsafe-theme";

export const theme = signal<Theme>((localStorage.getItem(STORE) as Theme | null) ?? "auto");

effect(() => {
  if (theme.value === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme.value;
  localStorage.setItem(STORE, theme.value);
});
