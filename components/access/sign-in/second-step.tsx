"use client";

import { ShieldCheck } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { PasskeyButton } from "@/components/access/passkeys/passkey-button";
import { ResendButton } from "@/components/access/verification/resend-button";
import { publicCall } from "@/components/api/public-call";
import { Button } from "@/components/ui/button";
import { Countdown } from "@/components/ui/countdown";
import { OutcomeScreen, type OutcomeScreenProps } from "./outcome-screen";
import { SecondFactorForm, type SecondFactorFormProps, type SecondFactorMethod } from "./second-factor-form";
import type { PendingSignIn } from "./tab-storage";

export interface SecondStepProps
  extends Pick<SecondFactorFormProps, "openPanel" | "onClosedGate" | "onExpired"> {
  pendingSignIn: PendingSignIn;
  title?: ReactNode;
  heading?: OutcomeScreenProps["heading"];
  children?: ReactNode;
}

/** Asks for a code of a second factor or a recovery code. A passkey also works: it counts as both steps. */
export function SecondStep({ pendingSignIn, title, heading, children, ...formProps }: SecondStepProps) {
  const t = useTranslations("auth.second");
  const [method, setMethod] = useState<SecondFactorMethod>(pendingSignIn.methods[0] ?? "recovery");
  const methods: SecondFactorMethod[] = [...pendingSignIn.methods, "recovery"];
  return (
    <OutcomeScreen
      icon={<ShieldCheck />}
      tone="info"
      title={title ?? t("title")}
      text={t(`text.${method}`)}
      heading={heading}
      focusOnMount
    >
      {method === "email" || method === "sms" ? (
        <ResendButton
          key={method}
          label={t("send")}
          send={() =>
            publicCall.signIn.sendCode.mutate({
              body: { interim_token: pendingSignIn.token, method },
            })
          }
        />
      ) : null}
      <SecondFactorForm
        key={`form-${method}`}
        token={pendingSignIn.token}
        firstMethod={pendingSignIn.firstMethod}
        method={method}
        {...formProps}
      />
      {pendingSignIn.expiresAt ? (
        <p className="text-center text-compact text-fg-muted">
          {t("left")}{" "}
          <Countdown until={pendingSignIn.expiresAt} onEnd={() => formProps.onExpired(t("expired"))} />
        </p>
      ) : null}
      <div className="flex flex-col gap-1 border-border border-t pt-5">
        <PasskeyButton
          variant="ghost"
          openPanel={formProps.openPanel}
          onClosedGate={formProps.onClosedGate}
        />
        {methods
          .filter((otherMethod) => otherMethod !== method)
          .map((otherMethod) => (
            <Button key={otherMethod} block variant="ghost" onClick={() => setMethod(otherMethod)}>
              {t(`use.${otherMethod}`)}
            </Button>
          ))}
        {children}
      </div>
    </OutcomeScreen>
  );
}
