"use client";

import { Send } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { call } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { Button } from "@/components/ui/button";

export function ResendButton({ id }: { id: number }) {
  const t = useTranslations("mailLog");
  const router = useRouter();
  const { isPending, run } = useAction(() => call.mail.resend.mutate({ params: { id: String(id) } }), {
    onSuccess: () => router.refresh(),
  });
  return (
    <Button size="sm" icon={<Send />} working={isPending} onClick={() => void run()}>
      {t("resend")}
    </Button>
  );
}
