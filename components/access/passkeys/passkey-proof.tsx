"use client";

import { startAuthentication } from "@simplewebauthn/browser";
import { KeyRound } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { api } from "@/components/api/client";
import { toFormError } from "@/components/form/form-error";
import { Button } from "@/components/ui/button";
import { FormAlert } from "@/components/ui/form-alert";
import { problemOf } from "./problem";

/** Proves the person's identity with one of the account's passkeys. */
export function PasskeyProof({ onProven }: { onProven: () => void }) {
  const t = useTranslations();
  const begin = api.passkeys.loginOptions.useMutation();
  const prove = api.passkeys.prove.useMutation();
  const [working, setWorking] = useState(false);
  const [problem, setProblem] = useState<string>();

  async function ask() {
    setWorking(true);
    setProblem(undefined);
    try {
      const { options, challenge_ref } = await begin.mutateAsync({ body: {} });
      const credential = await startAuthentication({ optionsJSON: options });
      await prove.mutateAsync({ body: { credential, challenge_ref } });
      onProven();
    } catch (error) {
      const own = problemOf(error);
      setProblem(own ? t(`auth.passkey.problem.${own}`) : toFormError(error).message);
      setWorking(false);
    }
  }

  return (
    <div className="flex flex-col gap-4">
      <Button block variant="primary" icon={<KeyRound />} working={working} onClick={ask}>
        {t("identity.use.passkey")}
      </Button>
      {problem ? <FormAlert live>{problem}</FormAlert> : null}
    </div>
  );
}
