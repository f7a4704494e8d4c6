"use client";

import { Printer } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { api } from "@/components/api/client";
import { Ltr } from "@/components/ui/bidi";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { FormAlert } from "@/components/ui/form-alert";
import { KeyValue } from "@/components/ui/key-value";
import { Time } from "@/components/ui/time";
import type { Output } from "@/server/core/contract";
import type { getAgreement } from "@/server/domains/tenancy/legal-texts/contract";
import { AgreementText } from "./agreement-text";
import { SignCard } from "./sign-card";
import type { Agreement, Signature } from "./types";

export interface AgreementPanelProps {
  initialData: Output<typeof getAgreement>;
  accountName: string;
  /** True when shown instead of another page until the agreement is signed. */
  blocksPage?: boolean;
}

export function AgreementPanel({ initialData, accountName, blocksPage = false }: AgreementPanelProps) {
  const t = useTranslations("agreement");
  const { data } = api.legalTexts.getAgreement.useQuery(undefined, { initialData });
  const { agreement } = data;
  const [readVersion, setReadVersion] = useState<string>();
  return (
    <div className="flex max-w-3xl flex-col gap-6">
      {blocksPage && !agreement.signed ? (
        <FormAlert tone="warning" title={t("gateTitle")}>
          {t("gateText")}
        </FormAlert>
      ) : null}
      {agreement.due_by ? (
        <FormAlert tone="info">
          {t.rich("dueBy", { date: () => <Time value={agreement.due_by!} show="date" /> })}
        </FormAlert>
      ) : null}
      {agreement.changes ? <AgreementChanges changes={agreement.changes} /> : null}
      <AgreementText
        key={`text ${agreement.version}`}
        agreement={agreement}
        onRead={() => setReadVersion(agreement.version)}
      />
      {agreement.due ? (
        readVersion === agreement.version ? (
          <SignCard key={`signature ${agreement.version}`} agreement={agreement} accountName={accountName} />
        ) : (
          <FormAlert tone="info">{t("readFirst")}</FormAlert>
        )
      ) : null}
      <SignatureList agreement={agreement} />
    </div>
  );
}

function AgreementChanges({ changes }: { changes: NonNullable<Agreement["changes"]> }) {
  const t = useTranslations("agreement");
  return (
    <Card title={t("changes")}>
      <ul className="flex flex-col gap-3 text-sm">
        {changes
          .filter(({ kind }) => kind !== "same")
          .map(({ kind, text }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the paragraphs never change order and may repeat
            <li key={index} className="wrap-anywhere">
              <span className="font-medium">{`${t(kind === "added" ? "added" : "removed")}: `}</span>
              {kind === "removed" ? <del>{text}</del> : <ins className="no-underline">{text}</ins>}
            </li>
          ))}
      </ul>
    </Card>
  );
}

function SignatureList({ agreement }: { agreement: Agreement }) {
  const t = useTranslations("agreement");
  const { signatures, signed_at, signed_version } = agreement;
  return (
    <>
      {signed_version === "paper" && signed_at ? (
        <FormAlert tone="success">
          {t.rich("paper", { date: () => <Time value={signed_at} show="date" /> })}
        </FormAlert>
      ) : null}
      {signatures.length > 0 ? (
        <Card
          title={t("signatures")}
          actions={
            <Button size="sm" icon={<Printer />} onClick={() => window.print()}>
              {t("print")}
            </Button>
          }
        >
          <ul className="flex flex-col gap-6">
            {signatures.map((signature) => (
              <li key={signature.hash}>
                <SignatureFacts signature={signature} />
              </li>
            ))}
          </ul>
        </Card>
      ) : null}
    </>
  );
}

function SignatureFacts({ signature }: { signature: Signature }) {
  const t = useTranslations("agreement");
  return (
    <KeyValue
      items={[
        { key: "version", label: t("signed"), value: t("version", { version: signature.version }) },
        {
          key: "when",
          label: t("when"),
          value: <Time value={signature.signed_at} show="dateTime" showZone />,
        },
        { key: "typed", label: t("typed"), value: <bdi>{signature.typed_name}</bdi> },
        { key: "address", label: t("address"), value: <Ltr mono>{signature.ip ?? "–"}</Ltr> },
        { key: "text", label: t("textHash"), value: <Ltr mono>{signature.text_hash}</Ltr> },
        { key: "hash", label: t("hash"), value: <Ltr mono>{signature.hash}</Ltr> },
      ]}
    />
  );
}
