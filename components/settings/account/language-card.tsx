"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useTransition } from "react";
import { call } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { Card } from "@/components/ui/card";
import { Field } from "@/components/ui/field";
import { storePreference } from "@/components/ui/preference";
import { Select } from "@/components/ui/select";
import type { Locale } from "@/server/core/locale";

const AUTOMATIC = "automatic";

export interface LanguageCardProps {
  /** Null: the browser decides. */
  selectedLocale: Locale | null;
  /** Name of the language that the browser would get. */
  automaticLanguage: string;
  /** Name of the language of mails. */
  /** Null if unknown: then mails have the language of each request. */
  mailLanguage: string | null;
  languages: Record<Locale, string>;
}

export function LanguageCard({
  selectedLocale,
  automaticLanguage,
  mailLanguage,
  languages,
}: LanguageCardProps) {
  const t = useTranslations();
  const router = useRouter();
  const [isPending, startTransition] = useTransition();

  const changeLocale = useAction(
    (locale: Locale | null) => call.account.setLocale.mutate({ body: { locale } }),
    {
      onSuccess: (_, locale) => {
        storePreference("locale", locale);
        router.refresh();
      },
    },
  );

  return (
    <div id="language">
      <Card title={t("settings.language.title")} description={t("settings.language.text")}>
        <div className="max-w-sm">
          <Field label={t("settings.language.label")} hint={t("settings.language.hint")}>
            <Select
              value={selectedLocale ?? AUTOMATIC}
              disabled={isPending}
              onValueChange={(value) =>
                startTransition(() => changeLocale.run(value === AUTOMATIC ? null : (value as Locale)))
              }
              options={[
                {
                  value: AUTOMATIC,
                  label: t("settings.language.automatic", { language: automaticLanguage }),
                },
                ...Object.entries(languages).map(([value, label]) => ({
                  value,
                  label: <span lang={value}>{label}</span>,
                })),
              ]}
            />
          </Field>
        </div>
        {selectedLocale || !mailLanguage ? null : (
          <p className="mt-4 text-fg-muted text-sm">
            {t("settings.language.mails", { language: mailLanguage })}
          </p>
        )}
      </Card>
    </div>
  );
}
