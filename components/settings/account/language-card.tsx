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
  choice: Locale | null;
  /** Name of the language that the browser would get. */
  automatic: string;
  languages: Record<Locale, string>;
}

export function LanguageCard({ choice, automatic, languages }: LanguageCardProps) {
  const t = useTranslations();
  const router = useRouter();
  const [isPending, startTransition] = useTransition();

  const change = useAction((locale: Locale | null) => call.account.setLocale.mutate({ body: { locale } }), {
    onSuccess: (_, locale) => {
      storePreference("locale", locale);
      router.refresh();
    },
  });

  return (
    <div id="language">
      <Card title={t("settings.language.title")} description={t("settings.language.text")}>
        <div className="max-w-sm">
          <Field label={t("settings.language.label")} hint={t("settings.language.hint")}>
            <Select
              value={choice ?? AUTOMATIC}
              disabled={isPending}
              onValueChange={(value) =>
                startTransition(() => change.press(value === AUTOMATIC ? null : (value as Locale)))
              }
              options={[
                { value: AUTOMATIC, label: t("settings.language.automatic", { language: automatic }) },
                ...Object.entries(languages).map(([value, label]) => ({
                  value,
                  label: <span lang={value}>{label}</span>,
                })),
              ]}
            />
          </Field>
        </div>
      </Card>
    </div>
  );
}
