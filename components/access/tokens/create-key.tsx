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

const TERMINAL = "curl";

export function CreateKey({ origin }: { origin: string }) {
  const t = useTranslations("keys");
  const utils = api.useUtils();
  const [open, setOpen] = useState(false);
  const [created, setCreated] = useState<CreatedKey>();
  const [stored, setStored] = useState(false);
  const [working, setWorking] = useState(false);

  function change(next: boolean) {
    setOpen(next);
    if (next) {
      setCreated(undefined);
      setStored(false);
    } else if (created) void utils.tokens.listKeys.invalidate();
  }

  return (
    <Dialog
      open={open}
      onOpenChange={change}
      dismissible={created ? stored : !working}
      trigger={
        <Button data-create variant="primary" icon={<Plus />}>
          {t("create.open")}
        </Button>
      }
      title={t(created ? "created.title" : "create.title")}
      description={t(created ? "created.text" : "create.text")}
      footer={
        created ? (
          stored ? (
            <Button variant="primary" onClick={() => change(false)}>
              {t("created.done")}
            </Button>
          ) : (
            <p className="text-fg-muted text-sm">{t("created.tick")}</p>
          )
        ) : undefined
      }
    >
      {created ? (
        <div className="flex flex-col gap-5">
          <SecretOnce
            secret={created.token}
            label={t("created.label", { name: created.access_token.name })}
            onStored={setStored}
          />
          <CodeBlock
            title={TERMINAL}
            code={`curl ${origin}/api/auth/user \\\n  -H "Accept: application/json" \\\n  -H "Authorization: Bearer ${created.token}"`}
          />
        </div>
      ) : (
        <CreateKeyForm onCreated={setCreated} onWorking={setWorking} />
      )}
    </Dialog>
  );
}
