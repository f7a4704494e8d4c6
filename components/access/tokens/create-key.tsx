"use client";

import { Plus } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { api } from "@/components/api/client";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { Dialog } from "@/components/ui/dialog";
import { SecretOnce } from "@/components/ui/secret-once";
import { CreateKeyForm } from "./create-key-form";
import type { CreatedKey } from "./types";

const CODE_TITLE = "curl";

export function CreateKey({ origin }: { origin: string }) {
  const t = useTranslations("keys");
  const utils = api.useUtils();
  const [open, setOpen] = useState(false);
  const [createdKey, setCreatedKey] = useState<CreatedKey>();
  const [hasConfirmedStorage, setHasConfirmedStorage] = useState(false);
  const [isCreating, setIsCreating] = useState(false);

  function handleOpenChange(next: boolean) {
    setOpen(next);
    if (next) {
      setCreatedKey(undefined);
      setHasConfirmedStorage(false);
    } else if (createdKey) void utils.tokens.listKeys.invalidate();
  }

  return (
    <Dialog
      open={open}
      onOpenChange={handleOpenChange}
      dismissible={createdKey ? hasConfirmedStorage : !isCreating}
      trigger={
        <Button data-create variant="primary" icon={<Plus />}>
          {t("create.open")}
        </Button>
      }
      title={t(createdKey ? "created.title" : "create.title")}
      description={t(createdKey ? "created.text" : "create.text")}
      footer={
        createdKey ? (
          hasConfirmedStorage ? (
            <Button variant="primary" onClick={() => handleOpenChange(false)}>
              {t("created.done")}
            </Button>
          ) : (
            <p className="text-fg-muted text-sm">{t("created.tick")}</p>
          )
        ) : undefined
      }
    >
      {createdKey ? (
        <div className="flex flex-col gap-5">
          <SecretOnce
            secret={createdKey.token}
            label={t("created.label", { name: createdKey.access_token.name })}
            onStoredChange={setHasConfirmedStorage}
          />
          <CodeBlock
            title={CODE_TITLE}
            code={`curl ${origin}/api/auth/user \\\n  -H "Accept: application/json" \\\n  -H "Authorization: Bearer ${createdKey.token}"`}
          />
        </div>
      ) : (
        <CreateKeyForm onCreated={setCreatedKey} onWorking={setIsCreating} />
      )}
    </Dialog>
  );
}
