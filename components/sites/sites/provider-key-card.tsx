"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { FormField } from "@/components/form/form-field";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useAction } from "@/components/form/use-action";
import { useOperationForm } from "@/components/form/use-operation-form";
import { AlertDialog } from "@/components/ui/alert-dialog";
import { Ltr } from "@/components/ui/bidi";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Dialog } from "@/components/ui/dialog";
import type { SiteDetail } from "./types";
import { useUpdateSite } from "./use-update-site";

export function ProviderKeyCard({ site }: { site: Pick<SiteDetail, "id" | "ai_provider_api_key"> }) {
  const t = useTranslations("sites.provider");
  const { update, refresh } = useUpdateSite(site.id);
  const [open, setOpen] = useState(false);
  const storedKey = site.ai_provider_api_key;
  const form = useOperationForm(() => import("./forms").then((file) => file.providerKeyForm), {
    defaultValues: { ai_provider_api_key: "" },
    submit: ({ ai_provider_api_key }) => update({ ai_provider_api_key }),
    onSuccess: async () => {
      form.reset();
      setOpen(false);
      await refresh();
    },
  });
  const removal = useAction(() => update({ ai_provider_api_key: null }), { onSuccess: refresh });
  return (
    <Card
      title={t("title")}
      description={t("text")}
      actions={
        <>
          {storedKey ? (
            <AlertDialog
              trigger={
                <Button size="sm" variant="ghost">
                  {t("remove")}
                </Button>
              }
              title={t("removeTitle")}
              description={t("removeText")}
              confirmLabel={t("remove")}
              onConfirm={removal.attempt}
            />
          ) : null}
          <Dialog
            open={open}
            onOpenChange={(next) => {
              setOpen(next);
              if (!next) form.reset();
            }}
            trigger={<Button size="sm">{t(storedKey ? "replace" : "set")}</Button>}
            title={t(storedKey ? "replaceTitle" : "setTitle")}
            description={t("writeOnly")}
          >
            <OperationForm form={form} label={t("title")}>
              <FormField
                name="ai_provider_api_key"
                as="password"
                label={t("key")}
                autoComplete="new-password"
                data-1p-ignore
                data-lpignore="true"
                dir="ltr"
              />
              <div className="flex justify-end">
                <SubmitButton>{t("save")}</SubmitButton>
              </div>
            </OperationForm>
          </Dialog>
        </>
      }
    >
      <p className="text-fg-muted text-sm">
        {storedKey ? t.rich("stored", { key: () => <Ltr mono>{storedKey}</Ltr> }) : t("none")}
      </p>
    </Card>
  );
}
