"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { api, call } from "@/components/api/client";
import { FormField } from "@/components/form/form-field";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import type { Passkey } from "./types";

export function RenamePasskey({ passkey }: { passkey: Passkey }) {
  const t = useTranslations("passkeys");
  const [open, setOpen] = useState(false);
  const name = passkey.device_name;
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      size="sm"
      trigger={
        <Button size="sm" labelSuffix={name}>
          {t("rename")}
        </Button>
      }
      title={t("renameTitle")}
      description={t("renameText")}
    >
      <RenameForm passkey={passkey} onDone={() => setOpen(false)} />
    </Dialog>
  );
}

function RenameForm({ passkey, onDone }: { passkey: Passkey; onDone: () => void }) {
  const t = useTranslations();
  const utils = api.useUtils();
  const form = useOperationForm(
    () => import("@/server/domains/access/passkeys/contract").then((file) => file.renamePasskey),
    {
      defaultValues: { device_name: passkey.device_name },
      submit: (body) => call.passkeys.rename.mutate({ params: { id: passkey.id }, body }),
      onSuccess: async () => {
        await utils.passkeys.list.invalidate();
        onDone();
      },
    },
  );
  return (
    <OperationForm form={form} label={t("passkeys.renameTitle")}>
      <FormField name="device_name" label={t("passkeys.name")} autoComplete="off" />
      <SubmitButton block>{t("common.save")}</SubmitButton>
    </OperationForm>
  );
}
