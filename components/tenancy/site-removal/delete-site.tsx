"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useProofPrompt } from "@/components/accounts/users/use-proof-prompt";
import { api, call } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { Ltr } from "@/components/ui/bidi";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Dialog, DialogClose } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { FormAlert } from "@/components/ui/form-alert";
import { Input } from "@/components/ui/input";
import { Skeleton } from "@/components/ui/skeleton";
import { DeletionEffects } from "./deletion-effects";

export function DeleteSite({ site }: { site: { id: number; domain: string } }) {
  const t = useTranslations("sites.deletion");
  const router = useRouter();
  const utils = api.useUtils();
  const { prove, proofDialog } = useProofPrompt();
  const [open, setOpen] = useState(false);
  const [typedDomain, setTypedDomain] = useState("");
  const params = { id: String(site.id) };
  const forecast = api.siteRemoval.getForecast.useQuery({ params }, { enabled: open, staleTime: 0 });
  const deletion = useAction(
    () =>
      prove(t("title"), () =>
        call.siteRemoval.remove.mutate({ params, body: { confirmation: typedDomain } }),
      ),
    {
      onSuccess: async () => {
        router.push("/sites");
        await utils.sites.invalidate();
      },
    },
  );

  function handleOpenChange(next: boolean) {
    setOpen(next);
    if (next) return;
    setTypedDomain("");
    deletion.setProblem(undefined);
  }

  return (
    <Card
      tone="danger"
      title={t("title")}
      description={t("text")}
      footer={
        <Dialog
          open={open}
          onOpenChange={handleOpenChange}
          trigger={<Button variant="danger">{t("title")}</Button>}
          title={t("title")}
          description={t("final")}
          footer={
            <>
              <DialogClose>
                <Button>{t("cancel")}</Button>
              </DialogClose>
              <Button
                variant="danger"
                working={deletion.isPending}
                disabled={typedDomain.trim() === ""}
                onClick={() => deletion.attempt()}
              >
                {t("confirm")}
              </Button>
            </>
          }
        >
          <div className="flex flex-col gap-5">
            {deletion.problem ? <FormAlert live>{deletion.problem}</FormAlert> : null}
            {forecast.data ? (
              <DeletionEffects forecast={forecast.data} />
            ) : forecast.error ? (
              <FormAlert>{forecast.error.message}</FormAlert>
            ) : (
              <Skeleton height="6rem" />
            )}
            <Field label={t.rich("typed", { domain: () => <Ltr mono>{site.domain}</Ltr> })}>
              <Input
                dir="ltr"
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                value={typedDomain}
                onChange={(event) => setTypedDomain(event.target.value)}
              />
            </Field>
          </div>
          {proofDialog}
        </Dialog>
      }
    />
  );
}
