"use client";

import { Download } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { api, call } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { Ltr } from "@/components/ui/bidi";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { StatusChip } from "@/components/ui/status-chip";
import { Switch } from "@/components/ui/switch";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import type { Output } from "@/server/core/contract";
import type { getConsents } from "@/server/domains/accounts/consents/contract";
import { ConsentText } from "./consent-text";

type ConsentsState = Output<typeof getConsents>;
type Consent = ConsentsState["consents"][number];

export function ConsentsPanel({ initial }: { initial: ConsentsState }) {
  const t = useTranslations("consentSettings");
  const { data } = api.consents.get.useQuery(undefined, { initialData: initial });
  const mandatoryConsents = data.consents.filter((consent) => consent.mandatory);
  const optionalConsents = data.consents.filter((consent) => !consent.mandatory);
  const needsNoConsents =
    data.missing_consents.length === 0 && mandatoryConsents.every(({ granted }) => granted === null);
  return (
    <>
      <Card title={t("optional")} description={t("optionalText")}>
        <ul className="divide-y divide-border">
          {optionalConsents.map((consent) => (
            <OptionalRow key={consent.key} consent={consent} />
          ))}
        </ul>
      </Card>
      {needsNoConsents ? null : (
        <Card title={t("mandatory")} description={t.rich("mandatoryText", { delete: renderDeletionLink })}>
          <ul className="divide-y divide-border">
            {mandatoryConsents.map((consent) => (
              <li key={consent.key} className="flex items-start gap-4 py-4 first:pt-0 last:pb-0">
                <div className="min-w-0 flex-1">
                  <p className="font-medium text-sm">
                    <ConsentTitle consentKey={consent.key} />
                  </p>
                  <ConsentFacts consent={consent} />
                </div>
                <ConsentChip consent={consent} />
              </li>
            ))}
          </ul>
        </Card>
      )}
      <History history={data.history} />
    </>
  );
}

const renderDeletionLink = (children: ReactNode) => (
  <TextLink href="/settings/privacy#delete">{children}</TextLink>
);

function ConsentTitle({ consentKey }: { consentKey: Consent["key"] }) {
  const t = useTranslations("consents");
  return <span>{t(`${consentKey}.title`)}</span>;
}

function OptionalRow({ consent }: { consent: Consent }) {
  const t = useTranslations();
  const utils = api.useUtils();
  const setConsent = useAction(
    (granted: boolean) => call.consents.change.mutate({ body: { consents: { [consent.key]: granted } } }),
    { onSuccess: ({ message: _, ...state }) => utils.consents.get.setData(undefined, state) },
  );
  const isGranted = consent.granted === true;
  const [chosenValue, setChosenValue] = useState(isGranted);
  return (
    <li className="py-4 first:pt-0 last:pb-0">
      <Switch
        label={t(`consents.${consent.key}.title`)}
        hint={t(`consents.${consent.key}.summary`)}
        checked={setConsent.isPending ? chosenValue : isGranted}
        disabled={setConsent.isPending}
        onChange={({ target }) => {
          setChosenValue(target.checked);
          void setConsent.run(target.checked);
        }}
      />
      <ConsentFacts consent={consent} />
    </li>
  );
}

function ConsentChip({ consent: { granted, text_version, current_version } }: { consent: Consent }) {
  const t = useTranslations("consentSettings");
  if (!granted)
    return <StatusChip tone="warning">{t(granted === null ? "unknown" : "withdrawn")}</StatusChip>;
  return text_version === current_version ? (
    <StatusChip tone="success">{t("given")}</StatusChip>
  ) : (
    <StatusChip tone="warning">{t("outdated")}</StatusChip>
  );
}

function ConsentFacts({ consent: { key, since, ip, text_version, current_version } }: { consent: Consent }) {
  const t = useTranslations("consentSettings");
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-compact text-fg-muted">
      {since ? <Time value={since} /> : <span>{t("never")}</span>}
      {ip ? <Ltr>{ip}</Ltr> : null}
      <span>
        {t.rich("version", { version: text_version ?? current_version, ltr: (text) => <Ltr>{text}</Ltr> })}
      </span>
      <ConsentText consentKey={key} />
    </p>
  );
}

function History({ history }: Pick<ConsentsState, "history">) {
  const t = useTranslations("consentSettings");

  function download() {
    const file = new Blob([JSON.stringify(history, null, 2)], { type: "application/json" });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(file);
    link.download = "consents.json";
    link.click();
    URL.revokeObjectURL(link.href);
  }

  return (
    <Card
      title={t("history")}
      description={t("historyText")}
      actions={
        history.length > 0 ? (
          <Button size="sm" icon={<Download />} onClick={download}>
            {t("download")}
          </Button>
        ) : undefined
      }
    >
      {history.length === 0 ? (
        <p className="text-fg-muted text-sm">{t("empty")}</p>
      ) : (
        <ul className="divide-y divide-border">
          {history.map((entry) => (
            <li
              key={entry.id}
              className="flex flex-wrap items-center gap-x-4 gap-y-1 py-3 first:pt-0 last:pb-0"
            >
              <div className="min-w-0 flex-1">
                <p className="font-medium text-sm">
                  <ConsentTitle consentKey={entry.key} />
                </p>
                <p className="mt-0.5 flex flex-wrap gap-x-3 text-compact text-fg-muted">
                  <Time value={entry.created_at} />
                  {entry.ip ? <Ltr>{entry.ip}</Ltr> : null}
                  <Ltr>{entry.text_version}</Ltr>
                  {entry.hash ? <Ltr mono>{entry.hash.slice(0, 12)}</Ltr> : null}
                </p>
              </div>
              <StatusChip tone={entry.granted ? "success" : "neutral"}>
                {t(entry.granted ? "given" : "withdrawn")}
              </StatusChip>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
