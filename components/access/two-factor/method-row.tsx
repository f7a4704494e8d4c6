"use client";

import { Mail, MessageSquareText, Smartphone } from "lucide-react";
import { useTranslations } from "next-intl";
import { useProven } from "@/components/accounts/users/use-proven";
import { call } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { Ltr } from "@/components/ui/bidi";
import { Button } from "@/components/ui/button";
import { FactorRow } from "./factor-row";
import { LastUsed } from "./last-used";
import { RemoveFactor } from "./remove-factor";
import type { FactorMethod } from "./types";
import type { SetUp, Stage } from "./use-set-up";

const ICONS = { totp: <Smartphone />, email: <Mail />, sms: <MessageSquareText /> };

export interface MethodRowProps {
  method: FactorMethod;
  last: boolean;
  setUp: SetUp;
}

export function MethodRow({ method, last, setUp }: MethodRowProps) {
  const t = useTranslations("security");
  const { method: kind, enabled, available } = method;
  return (
    <FactorRow
      icon={ICONS[kind]}
      title={t(`${kind}.title`)}
      state={enabled ? { tone: "success", label: t("isOn") } : { tone: "neutral", label: t("isOff") }}
      action={
        enabled ? (
          <RemoveFactor method={kind} last={last} onRemoved={setUp.refresh} />
        ) : available ? (
          <StartButton method={method} setUp={setUp} />
        ) : null
      }
    >
      {enabled ? <LastUsed method={method} /> : <Explanation method={method} />}
    </FactorRow>
  );
}

function Explanation({
  method: { method: kind, available, masked_destination: to },
}: {
  method: FactorMethod;
}) {
  const t = useTranslations("security");
  if (kind === "totp") return <span>{t("totp.text")}</span>;
  const address = () => <Ltr>{to}</Ltr>;
  if (kind === "email")
    return <span>{available ? t.rich("email.text", { address }) : t("email.unverified")}</span>;
  return (
    <span>
      {available ? t.rich("sms.text", { phone: address }) : t(to ? "sms.unreachable" : "sms.missing")}
    </span>
  );
}

function StartButton({ method, setUp }: Pick<MethodRowProps, "method" | "setUp">) {
  const t = useTranslations("security");
  const { prove, confirmation } = useProven();
  const start = useStart(method);
  const { working, press } = useAction(() => prove(t(`${method.method}.setUpTitle`), start), {
    onSuccess: async ({ stage, message }) => {
      if (stage) setUp.show(stage);
      // A message means that the factor is active.
      if (message) await setUp.refresh();
    },
    onError: ({ status }) => {
      // Too soon: the previous code is still valid.
      if (status === 429 && method.method === "sms")
        setUp.show({ at: "text", phone: method.masked_destination ?? "" });
    },
  });
  const isApp = method.method === "totp";
  return (
    <>
      <Button size="sm" variant={isApp ? "primary" : undefined} working={working} onClick={press}>
        {t(isApp ? "totp.setUp" : "on")}
      </Button>
      {confirmation}
    </>
  );
}

interface SetUpStart {
  stage?: Stage;
  message?: string;
}

function useStart({ method }: FactorMethod): () => Promise<SetUpStart> {
  const starts: Record<FactorMethod["method"], () => Promise<SetUpStart>> = {
    totp: async () => ({ stage: { at: "scan", start: await call.twoFactor.startTotp.mutate() } }),
    sms: async () => ({
      stage: { at: "text", phone: (await call.twoFactor.startSms.mutate()).masked_destination },
    }),
    email: async () => {
      const { message, recovery_codes: codes } = await call.twoFactor.enableEmail.mutate();
      return { message, stage: codes ? { at: "codes", codes } : undefined };
    },
  };
  return starts[method];
}
