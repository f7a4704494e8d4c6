import { UserX } from "lucide-react";
import { getTranslations } from "next-intl/server";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";

export default async function UserNotFound() {
  const t = await getTranslations("admin.user.missing");
  return (
    <EmptyState
      icon={<UserX />}
      heading="h1"
      title={t("title")}
      action={
        <LinkButton variant="primary" href="/dashboard">
          {t("back")}
        </LinkButton>
      }
    >
      {t("text")}
    </EmptyState>
  );
}
