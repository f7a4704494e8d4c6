"use client";

import { Pause, Pencil, Play, Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { api, call } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { AlertDialog } from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";
import { Drawer } from "@/components/ui/drawer";
import { lazyPart } from "@/components/ui/lazy-part";
import type { EventType, Webhook } from "./types";

const EditForm = lazyPart(() => import("./edit-form").then((file) => file.EditForm));

export function WebhookActions({
  webhook,
  eventTypes,
}: {
  webhook: Webhook;
  eventTypes: readonly EventType[];
}) {
  const t = useTranslations("webhooks");
  const utils = api.useUtils();
  const router = useRouter();
  const [isEditing, setEditing] = useState(false);
  const params = { id: String(webhook.id) };
  const toggle = useAction(
    (is_active: boolean) => call.webhooks.update.mutate({ params, body: { is_active } }),
    {
      onSuccess: () => utils.webhooks.invalidate(),
    },
  );
  const remove = useAction(() => call.webhooks.remove.mutate({ params }), {
    onSuccess: () => {
      router.push("/developers/webhooks");
      void utils.webhooks.list.invalidate();
    },
  });
  return (
    <>
      <Drawer
        open={isEditing}
        onOpenChange={setEditing}
        trigger={<Button icon={<Pencil />}>{t("edit.open")}</Button>}
        title={t("edit.title")}
        preload={EditForm.preload}
      >
        <EditForm webhook={webhook} eventTypes={eventTypes} onSaved={() => setEditing(false)} />
      </Drawer>
      <Button
        icon={webhook.is_active ? <Pause /> : <Play />}
        working={toggle.isPending}
        onClick={() => toggle.run(!webhook.is_active)}
      >
        {t(webhook.is_active ? "pause" : "resume")}
      </Button>
      <AlertDialog
        trigger={<Button icon={<Trash2 />}>{t("delete.open")}</Button>}
        title={t("delete.title")}
        description={t("delete.text")}
        confirmLabel={t("delete.confirm")}
        onConfirm={remove.attempt}
      >
        <p dir="ltr" className="break-all text-sm">
          {webhook.url}
        </p>
      </AlertDialog>
    </>
  );
}
