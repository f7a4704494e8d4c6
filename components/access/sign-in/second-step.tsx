"use client";

import { ShieldCheck } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { PasskeyButton } from "@/components/access/passkeys/passkey-button";
import { ResendButton } from "@/components/access/verification/resend-button";
import { publicCall } from "@/components/api/public-call";
import { Button } from "@/components/ui/button";
import { Countdown } from "@/components/ui/countdown";
import { Outcome, type OutcomeProps } from "./outcome";
import { ProofForm, type ProofFormProps, type ProofKind } from "./proof-form";
import type { PendingSignIn } from "./tab-storage";

export interface SecondStepProps extends Pick<ProofFormProps, "enter" | "onClosedGate" | "onExpired"> {
  pendingSignIn: PendingSignIn;
  title?: ReactNode;
  heading?: OutcomeProps["heading"];
  children?: ReactNode;
}

/** Asks for a code of a second factor or a recovery code. A passkey also works: it counts as both steps. */
export function SecondStep({ pendingSignIn, title, heading, children, ...form }: SecondStepProps) {
  const t = useTranslations("auth.second");
  const [proof, setProof] = useState<ProofKind>(pendingSignIn.methods[0] ?? "recovery");
  const proofs: ProofKind[] = [...pendingSignIn.methods, "recovery"];
  return (
    <Outcome
      icon={<ShieldCheck />}
      tone="info"
      title={title ?? t("title")}
      text={t(`text.${proof}`)}
      heading={heading}
      focusOnMount
    >
      {proof === "email" || proof === "sms" ? (
        <ResendButton
          key={proof}
          label={t("send")}
          send={() =>
            publicCall.signIn.sendCode.mutate({ body: { interim_token: pendingSignIn.token, method: proof } })
          }
        />
      ) : null}
      <ProofForm
        key={`form-${proof}`}
        token={pendingSignIn.token}
        firstMethod={pendingSignIn.firstMethod}
        proof={proof}
        {...form}
      />
      {pendingSignIn.expiresAt ? (
        <p className="text-center text-compact text-fg-muted">
          {t("left")} <Countdown until={pendingSignIn.expiresAt} onEnd={() => form.onExpired(t("expired"))} />
        </p>
      ) : null}
      <div className="flex flex-col gap-1 border-border border-t pt-5">
        <PasskeyButton variant="ghost" enter={form.enter} onClosedGate={form.onClosedGate} />
        {proofs
          .filter((each) => each !== proof)
          .map((each) => (
            <Button key={each} block variant="ghost" onClick={() => setProof(each)}>
              {t(`use.${each}`)}
            </Button>
          ))}
        {children}
      </div>
    </Outcome>
  );
}
