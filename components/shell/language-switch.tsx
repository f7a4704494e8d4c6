"use client";

import { Languages } from "lucide-react";
import { useRouter } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { useTransition } from "react";
import { Button } from "@/components/ui/button";
import { Menu, MenuChoice } from "@/components/ui/menu";
import { storePreference } from "@/components/ui/preference";
import type { Locale } from "@/server/core/locale";

export type LanguageNames = Record<Locale, string>;

export interface LanguageSwitchProps {
  languages: LanguageNames;
  /** Saves the choice with the account. This browser remembers it in any case. */
  onChange?: (locale: Locale) => void | Promise<void>;
}

export function useLanguageChoice({ languages, onChange }: LanguageSwitchProps) {
  const t = useTranslations("shell");
  const locale = useLocale();
  const router = useRouter();
  const [isPending, startTransition] = useTransition();
  return {
    isPending,
    locale,
    choice: {
      label: t("language"),
      value: locale,
      options: (Object.entries(languages) as [Locale, string][]).map(([value, label]) => ({
        value,
        label,
        lang: value,
      })),
      onValueChange: (newLocale: Locale) =>
        startTransition(async () => {
          await onChange?.(newLocale);
          storePreference("locale", newLocale);
          router.refresh();
        }),
    },
  };
}

export function LanguageSwitch(props: LanguageSwitchProps) {
  const t = useTranslations("shell");
  const { choice, isPending, locale } = useLanguageChoice(props);
  return (
    <Menu
      trigger={
        <Button variant="ghost" icon={<Languages />} working={isPending}>
          <span className="sr-only">{t("language")}</span>
          <span>{props.languages[locale]}</span>
        </Button>
      }
    >
      <MenuChoice {...choice} />
    </Menu>
  );
}
