import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { LegalBody } from "@/components/accounts/consents/legal-body";
import { Ltr } from "@/components/ui/bidi";
import { PageHeader } from "@/components/ui/page-header";
import { PrintButton } from "@/components/ui/print-button";
import { Time } from "@/components/ui/time";
import { getTextDirection } from "@/server/core/locale";
import { CONSENTS, type ConsentKey } from "@/server/domains/accounts/consents/policy";
import { getPanelCaller } from "@/server/transports/trpc/caller";
import { AuthFrame } from "../../frame";

export async function generateMetadata({ params }: PageProps<"/legal/[key]">): Promise<Metadata> {
  const [t, { key }] = await Promise.all([getTranslations("consents"), params]);
  return { title: isConsentKey(key) ? t(`${key}.title`) : t("read") };
}

const isConsentKey = (key: string): key is ConsentKey => CONSENTS.some((each) => each === key);

export default async function LegalPage({ params }: PageProps<"/legal/[key]">) {
  const { key } = await params;
  if (!isConsentKey(key)) notFound();
  const [t, { api }] = await Promise.all([getTranslations("consents"), getPanelCaller()]);
  const { text } = await api.legalTexts.read({ params: { key } });
  return (
    <AuthFrame wide>
      <PageHeader
        title={t(`${key}.title`)}
        description={
          <>
            {t.rich("version", { version: text.version, ltr: (words) => <Ltr>{words}</Ltr> })}
            {text.published_at ? (
              <span>
                {" · "}
                <Time value={text.published_at} show="date" />
              </span>
            ) : null}
          </>
        }
        actions={<PrintButton>{t("print")}</PrintButton>}
      />
      <div className="flex flex-col gap-8">
        {text.previous_version ? (
          <section aria-labelledby="changes" data-print="never">
            <h2 id="changes" className="mb-2 font-semibold text-base">
              {t.rich("changes", { version: text.previous_version, ltr: (words) => <Ltr>{words}</Ltr> })}
            </h2>
            {text.changes.length === 0 ? <p className="text-fg-muted text-sm">{t("same")}</p> : null}
            <ul className="flex flex-col gap-2 text-sm">
              {text.changes.map(({ kind, text: paragraph }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs may repeat, and never move
                <li key={index} className="wrap-anywhere whitespace-pre-line">
                  <span className="font-medium">{`${t(kind)}: `}</span>
                  <bdi>
                    {kind === "removed" ? (
                      <del>{paragraph}</del>
                    ) : (
                      <ins className="no-underline">{paragraph}</ins>
                    )}
                  </bdi>
                </li>
              ))}
            </ul>
          </section>
        ) : null}
        <div lang={text.locale} dir={getTextDirection(text.locale)}>
          <LegalBody text={text.body} heading="h2" />
        </div>
      </div>
    </AuthFrame>
  );
}
