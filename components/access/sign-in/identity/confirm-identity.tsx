"use client";

import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import { PasskeyProof } from "@/components/access/passkeys/passkey-proof";
import { ResendButton } from "@/components/access/verification/resend-button";
import type { ProofDialogProps } from "@/components/accounts/users/proof-dialog";
import type { ProofMethod } from "@/components/accounts/users/proof-method";
import { call } from "@/components/api/client";
import { getCurrentPath } from "@/components/api/local-path";
import { endSession } from "@/components/api/session";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { IdentityForm } from "./identity-form";

export function ConfirmIdentity({ open, actionLabel, methods, onEnd }: ProofDialogProps) {
  const t = useTranslations("identity");
  const firstFieldRef = useRef<HTMLElement | null>(null);
  return (
    <Dialog
      open={open}
      size="sm"
      initialFocus={firstFieldRef}
      onOpenChange={(next) => !next && onEnd(false)}
      title={t("title")}
      description={t("text", { action: actionLabel })}
    >
      <div
        ref={(node) => {
          firstFieldRef.current = node?.querySelector<HTMLElement>("input, button") ?? null;
        }}
      >
        <ProofMethods methods={methods} onProven={() => onEnd(true)} />
      </div>
    </Dialog>
  );
}

function ProofMethods({ methods, onProven }: { methods: readonly ProofMethod[]; onProven: () => void }) {
  const t = useTranslations();
  const [method, setMethod] = useState<ProofMethod>(methods[0] ?? "password");
  const [hasChosenMethod, setHasChosenMethod] = useState(false);
  const [interimToken, setInterimToken] = useState<string>();
  const otherMethods = methods.filter((otherMethod) => otherMethod !== method);
  const usesSentCode = method === "email" || method === "sms";

  function chooseMethod(nextMethod: ProofMethod) {
    setInterimToken(undefined);
    setHasChosenMethod(true);
    setMethod(nextMethod);
  }

  async function sendCode() {
    const channel = method === "sms" ? "sms" : "email";
    const { interim_token, masked_destination } = await call.signIn.startIdentityCheck.mutate({
      body: { method: channel },
    });
    setInterimToken(interim_token);
    setHasChosenMethod(true);
    return { message: t("identity.sent", { address: masked_destination ?? "" }) };
  }

  return (
    <div className="flex flex-col gap-5">
      <p className="text-sm">{t(`identity.how.${method}`)}</p>
      {usesSentCode ? <ResendButton key={method} label={t("auth.second.send")} send={sendCode} /> : null}
      {method === "passkey" ? <PasskeyProof onProven={onProven} /> : null}
      {method === "sign_in" ? (
        <Button block variant="primary" onClick={() => endSession(getCurrentPath())}>
          {t("identity.signInAgain")}
        </Button>
      ) : null}
      {method === "passkey" || method === "sign_in" || (usesSentCode && !interimToken) ? null : (
        <IdentityForm
          key={method}
          method={method}
          interimToken={interimToken}
          focusOnMount={hasChosenMethod}
          onProven={onProven}
        />
      )}
      {otherMethods.length > 0 ? (
        <div className="flex flex-col gap-1 border-border border-t pt-4">
          {otherMethods.map((otherMethod) => (
            <Button key={otherMethod} block variant="ghost" onClick={() => chooseMethod(otherMethod)}>
              {t(`identity.use.${otherMethod}`)}
            </Button>
          ))}
        </div>
      ) : null}
    </div>
  );
}
