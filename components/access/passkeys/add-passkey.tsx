"use client";

import { startRegistration } from "@simplewebauthn/browser";
import { Plus } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useProven } from "@/components/access/sign-in/identity/use-proven";
import { api } from "@/components/api/client";
import { toFormError } from "@/components/form/form-error";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";
import { problemOf } from "./problem";

/** Asks the device for a new passkey; its default name is that of its provider. */
export function AddPasskey() {
  const t = useTranslations();
  const utils = api.useUtils();
  const { prove, confirmation } = useProven();
  const begin = api.passkeys.registerOptions.useMutation();
  const register = api.passkeys.register.useMutation();
  const [working, setWorking] = useState(false);

  async function add() {
    setWorking(true);
    try {
      const begun = await prove(t("passkeys.add"), () => begin.mutateAsync());
      if (begun) {
        const credential = await startRegistration({ optionsJSON: begun.options });
        const { message } = await register.mutateAsync({
          body: { credential, challenge_ref: begun.challenge_ref },
        });
        toast.success(message);
        await utils.passkeys.list.invalidate();
      }
    } catch (error) {
      const own = problemOf(error);
      toast.danger(own ? t(`auth.passkey.problem.${own}`) : toFormError(error).message);
    }
    setWorking(false);
  }

  return (
    <>
      <Button size="sm" icon={<Plus />} working={working} onClick={add}>
        {t("passkeys.add")}
      </Button>
      {confirmation}
    </>
  );
}
