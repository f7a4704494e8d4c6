"use client";

import { Plus } from "lucide-react";
import { useTranslations } from "next-intl";
import { useProven } from "@/components/accounts/users/use-proven";
import { api } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { Button } from "@/components/ui/button";
import { usePasskeyProblem } from "./problem";

/** Asks the device for a new passkey; its default name is that of its provider. */
export function AddPasskey() {
  const t = useTranslations();
  const utils = api.useUtils();
  const { prove, confirmation } = useProven();
  const begin = api.passkeys.registerOptions.useMutation();
  const register = api.passkeys.register.useMutation();
  const explain = usePasskeyProblem();
  const add = useAction(
    async () => {
      const begun = await prove(t("passkeys.add"), () => begin.mutateAsync());
      if (!begun) return;
      const { startRegistration } = await import("@simplewebauthn/browser");
      const credential = await startRegistration({ optionsJSON: begun.options });
      return register.mutateAsync({ body: { credential, challenge_ref: begun.challenge_ref } });
    },
    {
      onSuccess: () => Promise.all([utils.passkeys.list.invalidate(), utils.twoFactor.getDuty.invalidate()]),
      explain,
    },
  );

  return (
    <>
      <Button size="sm" icon={<Plus />} working={add.working} onClick={add.press}>
        {t("passkeys.add")}
      </Button>
      {confirmation}
    </>
  );
}
