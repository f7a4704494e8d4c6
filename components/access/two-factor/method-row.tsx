"use client";

import { Mail, MessageSquareText, Smartphone } from "lucide-react";
import { useTranslations } from "next-intl";
import { useProofPrompt } from "@/components/accounts/users/use-proof-prompt";
import { call } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { Ltr } from "@/components/ui/bidi";
import { Button } from "@/components/ui/button";
import { FactorLastUsed } from "./factor-last-used";
import { FactorRow } from "./factor-row";
import { RemoveFactor } from "./remove-factor";
import type { FactorMethod } from "./types";
import type { SetUpStage, SetUpState } from "./use-set-up";

const ICONS = { totp: <Smartphone />, email: <Mail />, sms: <MessageSquareText /> };

export interface MethodRowProps {
  method: FactorMethod;
  isLast: boolean;
  setUp: SetUpState;
}

export function MethodRow({ method, isLast, setUp }: MethodRowProps) {
  const t = useTranslations("security");
  const { method: kind, enabled, available } = method;
  return (
    <FactorRow
      icon={ICONS[kind]}
      title={t(`${kind}.title`)}
      state={enabled ? { tone: "success", label: t("isOn") } : { tone: "neutral", label: t("isOff") }}
      action={
        enabled ? (
          <RemoveFactor method={kind} isLast={isLast} onRemoved={setUp.refetchFactors} />
        ) : available ? (
          <StartButton method={method} setUp={setUp} />
        ) : null
      }
    >
      {enabled ? <FactorLastUsed method={method} /> : <Explanation method={method} />}
    </FactorRow>
  );
}

function Explanation({
  method: { method: kind, available, masked_destination: recipient },
}: {
  method: FactorMethod;
}) {
  const t = useTranslations("security");
  if (kind === "totp") return <span>{t("totp.text")}</span>;
  const address = () => <Ltr>{recipient}</Ltr>;
  if (kind === "email")
    return <span>{available ? t.rich("email.text", { address }) : t("email.unverified")}</span>;
  return (
    <span>
      {available ? t.rich("sms.text", { phone: address }) : t(recipient ? "sms.unreachable" : "sms.missing")}
    </span>
  );
}

function StartButton({ method, setUp }: Pick<MethodRowProps, "method" | "setUp">) {
  const t = useTranslations("security");
  const { prove, proofDialog } = useProofPrompt();
  const startSetUp = createStartAction(method);
  const { isPending, run } = useAction(() => prove(t(`${method.method}.setUpTitle`), startSetUp), {
    onSuccess: async ({ stage, message }) => {
      if (stage) setUp.show(stage);
      // A message means that the factor is active.
      if (message) await setUp.refetchFactors();
    },
    onError: ({ status }) => {
      // Too many requests: the previous code is still valid.
      if (status === 429 && method.method === "sms")
        setUp.show({ kind: "text", phone: method.masked_destination ?? "" });
    },
  });
  const isApp = method.method === "totp";
  return (
    <>
      <Button size="sm" variant={isApp ? "primary" : undefined} working={isPending} onClick={run}>
        {t(isApp ? "totp.setUp" : "on")}
      </Button>
      {proofDialog}
    </>
  );
}

interface SetUpStart {
  stage?: SetUpStage;
  message?: string;
}

function createStartAction({ method }: FactorMethod): () => Promise<SetUpStart> {
  const startByMethod: Record<FactorMethod["method"], () => Promise<SetUpStart>> = {
    totp: async () => ({ stage: { kind: "scan", totpStart: await call.twoFactor.startTotp.mutate() } }),
    sms: async () => ({
      stage: { kind: "text", phone: (await call.twoFactor.startSms.mutate()).masked_destination },
    }),
    email: async () => {
      const { message, recovery_codes: codes } = await call.twoFactor.enableEmail.mutate();
      return { message, stage: codes ? { kind: "codes", codes } : undefined };
    },
  };
  return startByMethod[method];
}
