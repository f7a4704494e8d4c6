import { type LucideIcon, Monitor, Smartphone, Terminal } from "lucide-react";
import { useTranslations } from "next-intl";
import { parseUserAgent } from "@/server/core/device";

interface Device {
  name: string;
  Icon: LucideIcon;
}

export function useDevice(userAgent: string | null): Device {
  return useDescribeDevice()(userAgent);
}

export function useDescribeDevice(): (userAgent: string | null) => Device {
  const t = useTranslations("security.sessions");
  return (userAgent) => {
    const { browser, system, mobile } = parseUserAgent(userAgent);
    return {
      name: browser && system ? t("device", { browser, system }) : (browser ?? system ?? t("unknown")),
      Icon: mobile ? Smartphone : system ? Monitor : Terminal,
    };
  };
}
