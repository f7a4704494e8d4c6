import { useTranslations } from "next-intl";
import { Time } from "@/components/ui/time";
import type { Setting } from "./types";

/** Author and time of the last change. `neverText` is the text for a setting that was never changed. */
export function ChangedBy({ setting, neverText }: { setting: Setting; neverText?: string }) {
  const t = useTranslations("platformSettings");
  if (!setting.updated_at) return <span>{neverText ?? t("never")}</span>;
  const time = () => <Time value={setting.updated_at!} />;
  return (
    <span>
      {setting.updated_by
        ? t.rich("changedBy", { name: setting.updated_by.name, time })
        : t.rich("changed", { time })}
    </span>
  );
}
