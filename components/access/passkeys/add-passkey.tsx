"use client";

import { Plus } from "lucide-react";
import { useTranslations } from "next-intl";
import { useProofPrompt } from "@/components/accounts/users/use-proof-prompt";
import { api, call } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { Button } from "@/components/ui/button";
import { useExplainPasskeyProblem } from "./passkey-problem";

export function AddPasskey() {
  const t = useTranslations();
  const utils = api.useUtils();
  const { prove, proofDialog } = useProofPrompt();
  const explain = useExplainPasskeyProblem();
  const add = useAction(
    async () => {
      const registration = await prove(t("passkeys.add"), () => call.passkeys.registerOptions.mutate());
      if (!registration) return;
      const { startRegistration } = await import("@simplewebauthn/browser");
      const credential = await startRegistration({ optionsJSON: registration.options });
      return call.passkeys.register.mutate({
        body: { credential, challenge_ref: registration.challenge_ref },
      });
    },
    {
      onSuccess: () => Promise.all([utils.passkeys.list.invalidate(), utils.twoFactor.getDuty.invalidate()]),
      explainError: explain,
    },
  );

  return (
    <>
      <Button size="sm" icon={<Plus />} working={add.isPending} onClick={add.run}>
        {t("passkeys.add")}
      </Button>
      {proofDialog}
    </>
  );
}
