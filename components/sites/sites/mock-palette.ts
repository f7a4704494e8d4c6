import type { CSSProperties } from "react";
import { PAGE_COLOR, type PageTheme } from "./contrast";

/** Colours of the mock page, which follow its own theme instead of the panel's. */
const NEUTRAL_COLORS_BY_THEME: Record<PageTheme, Record<`--${string}`, string>> = {
  light: {
    "--surface": "#FFFFFF",
    "--sunken": "#F3F4F7",
    "--border": "#E1E4EA",
    "--fg": "#1B1F2A",
    "--fg-muted": "#4B5263",
    "--fg-subtle": "#5C6373",
  },
  dark: {
    "--surface": "#20242C",
    "--sunken": "#16181D",
    "--border": "#3A3F4B",
    "--fg": "#EEF0F4",
    "--fg-muted": "#B4BAC6",
    "--fg-subtle": "#A3A9B7",
  },
};

export function getMockPageStyles(theme: PageTheme): CSSProperties {
  return { ...NEUTRAL_COLORS_BY_THEME[theme], backgroundColor: PAGE_COLOR[theme] } as CSSProperties;
}
