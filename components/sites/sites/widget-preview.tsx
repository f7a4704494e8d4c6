"use client";

import {
  Monitor,
  Moon,
  PanelBottomClose,
  PanelBottomOpen,
  PanelLeft,
  PanelRight,
  PilcrowLeft,
  PilcrowRight,
  Smartphone,
  Sun,
} from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { useFormat } from "@/components/ui/use-format";
import { getTextDirection } from "@/server/core/locale";
import { getWidgetColors, MIN_TEXT_CONTRAST, type PageTheme, parseHex } from "./contrast";
import { Segmented } from "./segmented";
import { WidgetMock } from "./widget-mock";

export type WidgetPosition = "bottom-right" | "bottom-left";

export interface WidgetPreviewProps {
  title: string;
  domain: string;
  welcomeMessage: string;
  color: string;
  position: WidgetPosition;
  /** Sets the form's value. If omitted, the switch changes the preview only. */
  onPositionChange?: (position: WidgetPosition) => void;
}

export function WidgetPreview({ color, position, onPositionChange, ...props }: WidgetPreviewProps) {
  const t = useTranslations("sites.preview");
  const { number } = useFormat();
  const locale = useLocale();
  const [open, setOpen] = useState(true);
  const [theme, setTheme] = useState<PageTheme>("light");
  const [device, setDevice] = useState<"desktop" | "phone">("desktop");
  const [direction, setDirection] = useState(getTextDirection(locale));
  const [previewPosition, setPreviewPosition] = useState<WidgetPosition>();
  const shownPosition = onPositionChange ? position : (previewPosition ?? position);
  const colors = getWidgetColors(parseHex(color) ?? "#4F46E5", theme);

  return (
    <section aria-label={t("title")} className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap gap-x-4 gap-y-3">
        <Segmented
          label={t("device")}
          value={device}
          onValueChange={setDevice}
          options={[
            { value: "desktop", label: t("desktop"), icon: <Monitor /> },
            { value: "phone", label: t("phone"), icon: <Smartphone /> },
          ]}
        />
        <Segmented
          label={t("state")}
          value={open ? "open" : "closed"}
          onValueChange={(value) => setOpen(value === "open")}
          options={[
            { value: "open", label: t("open"), icon: <PanelBottomOpen /> },
            { value: "closed", label: t("closed"), icon: <PanelBottomClose /> },
          ]}
        />
        <Segmented
          label={t("side")}
          value={shownPosition}
          onValueChange={onPositionChange ?? setPreviewPosition}
          options={[
            { value: "bottom-left", label: t("bottomLeft"), icon: <PanelLeft /> },
            { value: "bottom-right", label: t("bottomRight"), icon: <PanelRight /> },
          ]}
        />
        <Segmented
          label={t("page")}
          value={theme}
          onValueChange={setTheme}
          options={[
            { value: "light", label: t("light"), icon: <Sun /> },
            { value: "dark", label: t("dark"), icon: <Moon /> },
          ]}
        />
        <Segmented
          label={t("direction")}
          showLabels
          value={direction}
          onValueChange={setDirection}
          options={[
            { value: "ltr", label: t("ltr"), icon: <PilcrowRight /> },
            { value: "rtl", label: t("rtl"), icon: <PilcrowLeft /> },
          ]}
        />
      </div>
      <WidgetMock
        {...props}
        colors={colors}
        theme={theme}
        isPhone={device === "phone"}
        open={open}
        onToggle={() => setOpen(!open)}
        direction={direction}
        position={shownPosition}
      />
      <p className="text-compact text-fg-muted">
        <span>
          {t("contrast", {
            ratio: number(colors.contrast, { maximumFractionDigits: 1 }),
            result: colors.contrast >= MIN_TEXT_CONTRAST ? "pass" : "fail",
          })}
        </span>
        {colors.hasDarkText ? <span>{` ${t("darkText")}`}</span> : null}
        {colors.isCorrected ? <span>{` ${t("corrected", { color: colors.fill })}`}</span> : null}
      </p>
    </section>
  );
}
