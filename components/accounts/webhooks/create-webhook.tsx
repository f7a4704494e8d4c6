"use client";

import { Plus } from "lucide-react";
import type { Route } from "next";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Drawer } from "@/components/ui/drawer";
import { lazyPart } from "@/components/ui/lazy-part";
import type { EventType, Webhook } from "./types";

const CreateForm = lazyPart(() => import("./create-form").then((file) => file.CreateForm));

export function CreateWebhook({
  eventTypes,
  sandboxUrl,
}: {
  eventTypes: readonly EventType[];
  sandboxUrl: string | undefined;
}) {
  const t = useTranslations("webhooks.create");
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);
  const [createdWebhook, setCreatedWebhook] = useState<Webhook>();

  function handleOpenChange(next: boolean) {
    // The secret is shown once: only the button below it closes the drawer.
    if (!next && createdWebhook) return;
    setOpen(next);
  }

  return (
    <Drawer
      open={isOpen}
      onOpenChange={handleOpenChange}
      trigger={
        <Button data-create variant="primary" icon={<Plus />}>
          {t("open")}
        </Button>
      }
      title={t(createdWebhook ? "ready" : "open")}
      preload={CreateForm.preload}
    >
      <CreateForm
        eventTypes={eventTypes}
        sandboxUrl={sandboxUrl}
        onCreated={setCreatedWebhook}
        onDone={({ id }) => {
          setCreatedWebhook(undefined);
          setOpen(false);
          router.push(`/developers/webhooks/${id}` as Route);
        }}
      />
    </Drawer>
  );
}
