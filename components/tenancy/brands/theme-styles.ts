import type { CSSProperties } from "react";
import type { ThemeName } from "@/server/core/brand-colour";

/** Colours of each theme, copied from `app/globals.css`, to show one theme in a page of the other. */
export const THEME_STYLES = {
  light: {
    "--bg": "oklch(0.985 0.002 265)",
    "--surface": "oklch(1 0 0)",
    "--border": "oklch(0.915 0.006 265)",
    "--fg": "oklch(0.235 0.02 265)",
    "--fg-muted": "oklch(0.465 0.02 265)",
    "--primary": "oklch(0.5 0.19 268)",
    "--primary-border": "transparent",
    "--primary-fg": "oklch(1 0 0)",
    "--primary-soft": "oklch(0.955 0.018 268)",
    "--primary-text": "oklch(0.475 0.19 268)",
  },
  dark: {
    "--bg": "oklch(0.175 0.012 265)",
    "--surface": "oklch(0.215 0.014 265)",
    "--border": "oklch(0.315 0.016 265)",
    "--fg": "oklch(0.955 0.005 265)",
    "--fg-muted": "oklch(0.755 0.014 265)",
    "--primary": "oklch(0.72 0.14 268)",
    "--primary-border": "transparent",
    "--primary-fg": "oklch(0.18 0.04 268)",
    "--primary-soft": "oklch(0.3 0.07 268)",
    "--primary-text": "oklch(0.79 0.1 268)",
  },
} as Record<ThemeName, CSSProperties>;
