import { useTranslations } from "next-intl";
import { Time } from "@/components/ui/time";
import type { Setting } from "./types";

/** Author and time of the last change; `never` replaces them for a setting without one. */
export function ChangedBy({ setting, never }: { setting: Setting; never?: string }) {
  const t = useTranslations("platformSettings");
  if (!setting.updated_at) return <span>{never ?? t("never")}</span>;
  const time = () => <Time value={setting.updated_at!} />;
  return (
    <span>
      {setting.updated_by
        ? t.rich("changedBy", { name: setting.updated_by.name, time })
        : t.rich("changed", { time })}
    </span>
  );
}
