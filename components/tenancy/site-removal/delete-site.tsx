"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useProven } from "@/components/accounts/users/use-proven";
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

/** Deletes a site after showing the effects, typing the domain and proving one's identity. */
export function DeleteSite({ site }: { site: { id: number; domain: string } }) {
  const t = useTranslations("sites.deletion");
  const router = useRouter();
  const utils = api.useUtils();
  const { prove, confirmation } = useProven();
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState("");
  const params = { id: String(site.id) };
  const removal = api.siteRemoval.getForecast.useQuery({ params }, { enabled: open, staleTime: 0 });
  const action = useAction(
    () => prove(t("title"), () => call.siteRemoval.remove.mutate({ params, body: { confirmation: typed } })),
    {
      onSuccess: async () => {
        router.push("/sites");
        await utils.sites.invalidate();
      },
    },
  );

  function changeOpen(next: boolean) {
    setOpen(next);
    if (next) return;
    setTyped("");
    action.setProblem(undefined);
  }

  return (
    <Card
      tone="danger"
      title={t("title")}
      description={t("text")}
      footer={
        <Dialog
          open={open}
          onOpenChange={changeOpen}
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
                working={action.working}
                disabled={typed.trim() === ""}
                onClick={() => action.attempt()}
              >
                {t("confirm")}
              </Button>
            </>
          }
        >
          <div className="flex flex-col gap-5">
            {action.problem ? <FormAlert live>{action.problem}</FormAlert> : null}
            {removal.data ? (
              <DeletionEffects removal={removal.data} />
            ) : removal.error ? (
              <FormAlert>{removal.error.message}</FormAlert>
            ) : (
              <Skeleton height="6rem" />
            )}
            <Field label={t.rich("typed", { domain: () => <Ltr mono>{site.domain}</Ltr> })}>
              <Input
                dir="ltr"
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                value={typed}
                onChange={(event) => setTyped(event.target.value)}
              />
            </Field>
          </div>
          {confirmation}
        </Dialog>
      }
    />
  );
}
