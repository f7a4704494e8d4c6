"use client";

import { Monitor, Moon, Sun } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { IconButton } from "@/components/ui/icon-button";
import { Menu, MenuChoice } from "@/components/ui/menu";
import { applyTheme, type Theme } from "@/components/ui/preference";

const THEME_ICONS = { light: Sun, dark: Moon, system: Monitor };

export function useThemeChoice(initialTheme: Theme) {
  const t = useTranslations("theme");
  const [theme, setTheme] = useState(initialTheme);
  const Icon = THEME_ICONS[theme];
  return {
    icon: <Icon />,
    choice: {
      label: t("label"),
      value: theme,
      options: (["light", "dark", "system"] as const).map((value) => {
        const Choice = THEME_ICONS[value];
        return { value, label: t(value), icon: <Choice /> };
      }),
      onValueChange: (next: Theme) => {
        applyTheme(next);
        setTheme(next);
      },
    },
  };
}

export function ThemeSwitch({ theme }: { theme: Theme }) {
  const t = useTranslations("theme");
  const { icon, choice } = useThemeChoice(theme);
  return (
    <Menu trigger={<IconButton label={t("label")} icon={icon} tooltip={false} />}>
      <MenuChoice {...choice} />
    </Menu>
  );
}
