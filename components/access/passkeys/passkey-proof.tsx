"use client";

import { KeyRound } from "lucide-react";
import { useTranslations } from "next-intl";
import { call } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { Button } from "@/components/ui/button";
import { FormAlert } from "@/components/ui/form-alert";
import { useExplainPasskeyProblem } from "./passkey-problem";

export function PasskeyProof({ onProven }: { onProven: () => void }) {
  const t = useTranslations();
  const explain = useExplainPasskeyProblem();
  const { isPending, problem, attempt } = useAction(
    async () => {
      const { options, challenge_ref } = await call.passkeys.loginOptions.mutate({
        body: { purpose: "identity" },
      });
      const { startAuthentication } = await import("@simplewebauthn/browser");
      const credential = await startAuthentication({ optionsJSON: options });
      return call.passkeys.prove.mutate({ body: { credential, challenge_ref } });
    },
    { successText: false, onSuccess: onProven, explainError: explain },
  );

  return (
    <div className="flex flex-col gap-4">
      <Button block variant="primary" icon={<KeyRound />} working={isPending} onClick={attempt}>
        {t("identity.use.passkey")}
      </Button>
      {problem ? <FormAlert live>{problem}</FormAlert> : null}
    </div>
  );
}
