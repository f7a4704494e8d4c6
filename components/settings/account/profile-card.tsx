import { useTranslations } from "next-intl";
import type * as z from "zod";
import type { Viewer } from "@/components/navigation/menu";
import { Badge } from "@/components/ui/badge";
import { Ltr } from "@/components/ui/bidi";
import { Card } from "@/components/ui/card";
import { CopyButton } from "@/components/ui/copy-button";
import { KeyValue } from "@/components/ui/key-value";
import { Time } from "@/components/ui/time";
import type { User } from "@/server/domains/accounts/profile/contract";
import { Picture } from "./picture";

export interface ProfileCardProps {
  user: z.output<typeof User>;
  viewer: Viewer;
  picturePath: string | null;
}

export function ProfileCard({ user, viewer, picturePath }: ProfileCardProps) {
  const t = useTranslations("settings.profile");
  return (
    <Card title={t("title")}>
      <div className="mb-5 flex items-center gap-4">
        <div className="min-w-0">
          <p className="wrap-anywhere font-semibold text-lg">
            <bdi>{user.name}</bdi>
          </p>
          <Badge>{t(`role.${viewer}`)}</Badge>
        </div>
      </div>
      <Picture name={user.name} src={picturePath} hasPicture={user.avatar_url !== null} />
      <KeyValue
        items={[
          {
            key: "number",
            label: t("number"),
            value: <Ltr mono>{user.id}</Ltr>,
            action: <CopyButton compact text={String(user.id)} />,
          },
          {
            key: "reseller",
            label: t("reseller"),
            value:
              user.reseller_id === null ? t("resellerNone") : t("resellerNumber", { id: user.reseller_id }),
          },
          { key: "created", label: t("created"), value: <Time value={user.created_at} show="date" /> },
        ]}
      />
    </Card>
  );
}
