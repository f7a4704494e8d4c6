"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { useFormProof } from "@/components/accounts/users/use-proof-prompt";
import { call } from "@/components/api/client";
import { FormField } from "@/components/form/form-field";
import { FormNumber } from "@/components/form/form-number";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { Card } from "@/components/ui/card";
import { FormAlert } from "@/components/ui/form-alert";
import type { Output } from "@/server/core/contract";
import { LOCALE_LABELS, LOCALES } from "@/server/core/locale";
import type { getLegalText, previewLegalText } from "@/server/domains/tenancy/legal-texts/contract";

type LegalText = Output<typeof getLegalText>["text"];
type Preview = Output<typeof previewLegalText>;

/** Previews the changes to the current text, then publishes. `days` is null without a grace period. */
export function LegalTextForm({ currentText, days }: { currentText: LegalText; days: number | null }) {
  const t = useTranslations("legalTexts");
  const router = useRouter();
  const [preview, setPreview] = useState<Preview>();
  const { key } = currentText;
  const form = useOperationForm(() => import("./forms").then((file) => file.legalTextForm), {
    proofPrompt: useFormProof(t("publish")),
    defaultValues: {
      version: "",
      days,
      bodies: Object.fromEntries(LOCALES.map((locale) => [locale, currentText.bodies[locale] ?? ""])),
    },
    submit: async (values) => {
      if (!preview) {
        setPreview(
          await call.legalTexts.preview.mutate({ params: { key }, body: { bodies: values.bodies } }),
        );
        return undefined;
      }
      return call.legalTexts.publish.mutate({
        params: { key },
        body: { ...values, expected_version: currentText.version },
      });
    },
    onSuccess: () => {
      form.reset(form.getValues());
      router.push("/admin/legal-texts");
      router.refresh();
    },
  });
  return (
    // Only the compared text may be published, so any input discards the preview.
    <div onInput={() => setPreview(undefined)}>
      <OperationForm form={form} label={t("edit")}>
        <FormField
          name="version"
          label={t("versionName")}
          hint={t("versionHint")}
          dir="ltr"
          autoComplete="off"
          spellCheck={false}
        />
        {days !== null ? <FormNumber name="days" label={t("days")} /> : null}
        {LOCALES.map((locale) => (
          <FormField
            key={locale}
            name={`bodies.${locale}`}
            as="textarea"
            rows={locale === "tr" ? 14 : 6}
            label={LOCALE_LABELS[locale]}
            hint={t(locale === "tr" ? "structure" : "bodyHint")}
            optional={locale !== "tr"}
            dir="auto"
          />
        ))}
        {preview ? <PreviewedChanges preview={preview} /> : null}
        <SubmitButton>{t(preview ? "publish" : "compare")}</SubmitButton>
      </OperationForm>
    </div>
  );
}

function PreviewedChanges({ preview: { changes, fallback, asked } }: { preview: Preview }) {
  const t = useTranslations("legalTexts");
  const startRef = useRef<HTMLDivElement>(null);
  // The same button now publishes, so move the focus before the changes.
  useEffect(() => startRef.current?.focus(), []);
  return (
    <Card title={t("changes")}>
      <div className="flex flex-col gap-5 text-sm">
        <div ref={startRef} tabIndex={-1} className="scroll-mt-32 outline-none">
          <FormAlert tone="warning" title={t("final")}>
            <span>{t("asked", { count: asked })}</span>
            {fallback.length > 0 ? (
              <span className="block">
                {t("fallback", { languages: fallback.map((locale) => LOCALE_LABELS[locale]).join(", ") })}
              </span>
            ) : null}
          </FormAlert>
        </div>
        {changes.length === 0 ? <p>{t("noChange")}</p> : null}
        {changes.map(({ locale, paragraphs }) => (
          <section key={locale} aria-label={LOCALE_LABELS[locale]} className="flex flex-col gap-2">
            <h3 className="font-medium">{LOCALE_LABELS[locale]}</h3>
            <ul className="flex flex-col gap-2">
              {paragraphs.map(({ kind, text }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs can repeat and never move
                <li key={index} className="wrap-anywhere">
                  <span className="font-medium">{`${t(kind)}: `}</span>
                  <bdi>
                    {kind === "removed" ? <del>{text}</del> : <ins className="no-underline">{text}</ins>}
                  </bdi>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </Card>
  );
}
