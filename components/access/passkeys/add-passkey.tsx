"use client";

import { Plus } from "lucide-react";
import { useTranslations } from "next-intl";
import { useProven } from "@/components/accounts/users/use-proven";
import { api, call } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { Button } from "@/components/ui/button";
import { usePasskeyProblem } from "./problem";

/** Asks the device for a new passkey; its default name is that of its provider. */
export function AddPasskey() {
  const t = useTranslations();
  const utils = api.useUtils();
  const { prove, confirmation } = useProven();
  const explain = usePasskeyProblem();
  const add = useAction(
    async () => {
      const begun = await prove(t("passkeys.add"), () => call.passkeys.registerOptions.mutate());
      if (!begun) return;
      const { startRegistration } = await import("@simplewebauthn/browser");
      const credential = await startRegistration({ optionsJSON: begun.options });
      return call.passkeys.register.mutate({ body: { credential, challenge_ref: begun.challenge_ref } });
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
