import { clsx } from "clsx";
import { MessageCircle, SendHorizontal } from "lucide-react";
import { useTranslations } from "next-intl";
import type { PageTheme, WidgetColors } from "./contrast";
import { getMockPageStyles } from "./mock-palette";
import { WidgetLauncher } from "./widget-launcher";

export interface WidgetMockProps {
  title: string;
  domain: string;
  welcomeMessage: string;
  colors: WidgetColors;
  theme: PageTheme;
  isPhone: boolean;
  open: boolean;
  onToggle: () => void;
  direction: "ltr" | "rtl";
  position: "bottom-right" | "bottom-left";
}

/** Mock page with the widget. The frame is always left-to-right, because left and right are physical here. */
export function WidgetMock(props: WidgetMockProps) {
  const { theme, isPhone, open, position, colors } = props;
  const t = useTranslations("widget");
  const isRight = position === "bottom-right";
  return (
    <div
      dir="ltr"
      className={clsx(
        "relative flex h-[30rem] flex-col overflow-hidden border-border text-fg",
        isPhone ? "mx-auto w-full max-w-72 rounded-[28px] border-8" : "w-full rounded-card border",
      )}
      style={getMockPageStyles(theme)}
    >
      <MockPage domain={props.domain} isPhone={isPhone} direction={props.direction} />
      <div
        className={clsx(
          "pointer-events-none absolute inset-x-0 bottom-0 flex flex-col gap-3",
          isPhone ? "p-3" : "p-4",
          isRight ? "items-end" : "items-start",
        )}
      >
        {open ? <WidgetConversation {...props} /> : null}
        <WidgetLauncher
          open={open}
          onToggle={props.onToggle}
          label={t(open ? "close" : "open")}
          colors={colors}
        />
      </div>
    </div>
  );
}

export function WidgetConversation({
  title,
  welcomeMessage,
  colors,
  isPhone,
  direction,
}: Pick<WidgetMockProps, "title" | "welcomeMessage" | "colors" | "isPhone" | "direction">) {
  const t = useTranslations();
  const widgetStyle = { backgroundColor: colors.fill, color: colors.foreground };
  return (
    <div
      dir={direction}
      className={clsx(
        "pointer-events-auto flex min-h-0 flex-col overflow-hidden rounded-dialog border border-border bg-surface shadow-3",
        isPhone ? "h-90 w-full" : "h-88 w-72 max-w-full",
      )}
    >
      <div className="flex items-center gap-3 px-4 py-3" style={widgetStyle}>
        <MessageCircle className="size-5" />
        <p className="min-w-0 flex-1 truncate font-semibold text-sm">
          <bdi>{title || t("sites.preview.assistant")}</bdi>
        </p>
      </div>
      <div className="flex min-h-0 flex-1 flex-col gap-2 overflow-hidden p-3">
        {welcomeMessage.trim() ? (
          <p
            dir="auto"
            className="wrap-anywhere line-clamp-6 max-w-[85%] self-start whitespace-pre-line rounded-card border border-border bg-sunken px-3 py-2 text-start text-compact"
          >
            {welcomeMessage}
          </p>
        ) : null}
        <p
          dir="auto"
          className="max-w-[85%] self-end rounded-card px-3 py-2 text-start text-compact"
          style={widgetStyle}
        >
          {t("sites.preview.visitor")}
        </p>
        <p
          dir="auto"
          className="max-w-[85%] self-start rounded-card border border-border bg-sunken px-3 py-2 text-start text-compact"
        >
          {t("sites.preview.reply")}
        </p>
      </div>
      <div className="flex items-center gap-2 border-border border-t px-3 py-2.5">
        <span className="min-w-0 flex-1 truncate text-compact text-fg-subtle">{t("widget.placeholder")}</span>
        <span aria-hidden className="grid size-8 place-items-center rounded-full" style={widgetStyle}>
          <SendHorizontal className="mirror" />
        </span>
      </div>
    </div>
  );
}

function MockPage({ domain, isPhone, direction }: Pick<WidgetMockProps, "domain" | "isPhone" | "direction">) {
  return (
    <>
      <div className="flex items-center gap-2 border-border border-b bg-sunken px-3 py-2">
        {isPhone ? null : (
          <span aria-hidden className="flex gap-1.5">
            {["a", "b", "c"].map((dot) => (
              <span key={dot} className="size-2.5 rounded-full bg-border" />
            ))}
          </span>
        )}
        <span className="min-w-0 flex-1 truncate rounded-full bg-surface px-3 py-0.5 text-caption text-fg-muted">
          {domain}
        </span>
      </div>
      <div aria-hidden dir={direction} className="flex flex-col gap-3 p-5">
        {["45%", "92%", "84%", "88%", "36%"].map((width, index) => (
          <span
            key={width}
            className={clsx("block rounded-control bg-border", index === 0 ? "mb-2 h-5" : "h-2.5")}
            style={{ width }}
          />
        ))}
      </div>
    </>
  );
}
