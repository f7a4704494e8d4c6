import { type LucideIcon, Monitor, Smartphone, Terminal } from "lucide-react";
import { useTranslations } from "next-intl";
import { deviceOf } from "@/server/core/device";

/** Name and icon of the device of a user agent. */
export function useDevice(userAgent: string | null): { name: string; Icon: LucideIcon } {
  const t = useTranslations("security.sessions");
  const { browser, system, mobile } = deviceOf(userAgent);
  return {
    name: browser && system ? t("device", { browser, system }) : (browser ?? system ?? t("unknown")),
    Icon: mobile ? Smartphone : system ? Monitor : Terminal,
  };
}
