"use client";

import { Download, Printer } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Ltr } from "@/components/ui/bidi";
import { Button } from "@/components/ui/button";
import { downloadText } from "@/components/ui/export-text";
import { KeyValue } from "@/components/ui/key-value";
import { PageHeader } from "@/components/ui/page-header";
import { Time } from "@/components/ui/time";
import type { Output } from "@/server/core/contract";
import type { getDeletionCertificate } from "@/server/domains/settings/account-deletion/contract";
import { TopicList } from "./topic-list";

type CertificateData = Output<typeof getDeletionCertificate>["certificate"];

export interface CertificateProps {
  certificate: CertificateData;
  /** Printed with the certificate, to check it later. */
  code: string;
  siteUrl: string;
  /** Opens the certificate from paper. */
  qrCode: ReactNode;
}

export function Certificate({ certificate, code, siteUrl, qrCode }: CertificateProps) {
  const t = useTranslations("deletion.certificate");
  const { id, mode, created_at, kept_until, topics, outside, fingerprint } = certificate;
  const { pending, failed } = outside;
  const hasTasks = outside.done + pending + failed > 0;
  const facts = [
    { key: "number", label: t("number"), value: <Ltr mono>{id}</Ltr> },
    { key: "code", label: t("askCode"), value: <Ltr mono>{code}</Ltr> },
    { key: "address", label: t("address"), value: <Ltr mono>{`${siteUrl}/certificates/${id}`}</Ltr> },
    { key: "date", label: t("date"), value: <Time value={created_at} show="dateTime" showZone /> },
    ...(kept_until
      ? [{ key: "until", label: t("keptUntil"), value: <Time value={kept_until} show="date" /> }]
      : []),
    {
      key: "outside",
      label: t("outside"),
      value: hasTasks ? t("outsideText", { pending, failed }) : t("outsideNone"),
    },
    { key: "fingerprint", label: t("fingerprint"), value: <Ltr mono>{fingerprint}</Ltr> },
  ];
  return (
    <>
      <PageHeader title={t("title")} description={t(mode)} />
      <div className="flex flex-col gap-6">
        <TopicList topics={topics} keptUntil={kept_until} isDeleted />
        <KeyValue items={facts} />
        {qrCode}
        <div data-print="never" className="flex flex-col gap-3">
          <p className="text-fg-muted text-sm">{t("save")}</p>
          <div className="grid gap-2 sm:grid-cols-2">
            <Button block icon={<Printer />} onClick={() => window.print()}>
              {t("print")}
            </Button>
            <Button
              block
              icon={<Download />}
              onClick={() => downloadText(`certificate-${id}.json`, [JSON.stringify(certificate, null, 2)])}
            >
              {t("json")}
            </Button>
          </div>
        </div>
      </div>
    </>
  );
}
