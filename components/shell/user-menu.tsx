"use client";

import { ChevronDown, Keyboard, Languages, LifeBuoy, LogOut, ShieldCheck, UserRound } from "lucide-react";
import { useTranslations } from "next-intl";
import { useTransition } from "react";
import { getMenuPath } from "@/components/navigation/menu";
import { Avatar } from "@/components/ui/avatar";
import { Ltr } from "@/components/ui/bidi";
import { Menu, MenuChoice, MenuItem, MenuLink, MenuSeparator, Submenu } from "@/components/ui/menu";
import { hasSingleKeyShortcuts } from "@/components/ui/preference";
import { useLanguageChoice } from "./language-switch";
import type { ShellFrameProps } from "./shell-props";
import { showShortcutSheet } from "./shortcut-sheet-event";
import { useThemeChoice } from "./theme-switch";

const SHORTCUT_SHEET_KEY = "?";

export function UserMenu(
  props: Pick<ShellFrameProps, "user" | "theme" | "languages" | "onSignOut" | "onLocaleChange">,
) {
  const t = useTranslations("shell");
  const paletteText = useTranslations("palette");
  const navigationText = useTranslations("navigation");
  const { user } = props;
  const theme = useThemeChoice(props.theme);
  const language = useLanguageChoice({ languages: props.languages, onChange: props.onLocaleChange });
  const [, startTransition] = useTransition();
  return (
    <Menu
      trigger={
        <button
          type="button"
          className="flex min-h-control items-center gap-2 rounded-full ps-0.5 pe-2 hover:bg-sunken data-popup-open:bg-sunken"
        >
          <Avatar name={user.name} src={user.avatarUrl} />
          <span className="sr-only">{t("userMenu")}</span>
          <bdi className="max-w-40 truncate font-medium text-sm max-md:sr-only @max-[36rem]/bar:sr-only">
            {user.name}
          </bdi>
          <ChevronDown className="text-fg-muted max-sm:hidden" />
        </button>
      }
    >
      <div className="px-2.5 py-2">
        <p className="truncate font-medium text-sm">
          <bdi>{user.name}</bdi>
        </p>
        <p className="truncate text-compact text-fg-muted">
          <Ltr>{user.email}</Ltr>
        </p>
      </div>
      <MenuSeparator />
      <MenuLink icon={<UserRound />} href={getMenuPath("settings")}>
        {t("profile")}
      </MenuLink>
      <MenuLink icon={<ShieldCheck />} href="/settings/security">
        {t("security")}
      </MenuLink>
      <Submenu icon={<Languages />} label={t("language")}>
        <MenuChoice {...language.choice} />
      </Submenu>
      <Submenu icon={theme.icon} label={theme.choice.label}>
        <MenuChoice {...theme.choice} />
      </Submenu>
      <MenuSeparator />
      <MenuItem icon={<Keyboard />} onSelect={showShortcutSheet}>
        <span className="flex-1">{paletteText("actions.shortcuts")}</span>
        <ShortcutSheetKey />
      </MenuItem>
      <MenuLink icon={<LifeBuoy />} href={getMenuPath("docs")}>
        {navigationText("docs")}
      </MenuLink>
      <MenuSeparator />
      <MenuItem
        icon={<LogOut className="mirror" />}
        onSelect={() => startTransition(async () => props.onSignOut())}
      >
        {t("signOut")}
      </MenuItem>
    </Menu>
  );
}

/** Rendered in the open menu, because the server does not know the preference. */
function ShortcutSheetKey() {
  if (!hasSingleKeyShortcuts()) return null;
  return (
    <kbd aria-hidden dir="ltr" className="text-caption text-fg-subtle pointer-coarse:hidden">
      {SHORTCUT_SHEET_KEY}
    </kbd>
  );
}
