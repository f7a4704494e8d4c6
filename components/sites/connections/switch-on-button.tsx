"use client";

import { Power } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { api, call } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { Button } from "@/components/ui/button";

export function SwitchOnButton({ id }: { id: number }) {
  const t = useTranslations("connections.menu");
  const router = useRouter();
  const utils = api.useUtils();
  const switchOnAction = useAction(
    () => call.connections.update.mutate({ params: { id: String(id) }, body: { is_active: true } }),
    {
      onSuccess: () => {
        void utils.connections.invalidate();
        router.refresh();
      },
    },
  );
  return (
    <Button
      size="sm"
      icon={<Power />}
      working={switchOnAction.isPending}
      onClick={() => switchOnAction.run()}
    >
      {t("activate")}
    </Button>
  );
}
