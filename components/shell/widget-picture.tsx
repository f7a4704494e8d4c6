import { MessageCircle, SendHorizontal } from "lucide-react";
import { useTranslations } from "next-intl";

/** Picture of the widget in the brand's colour, for signed-out pages. */
export function WidgetPicture({ brandName }: { brandName: string }) {
  const t = useTranslations("shell.picture");
  const bubbleClass = "max-w-[85%] rounded-card px-3 py-2 text-compact";
  const answerClass = `${bubbleClass} self-start border border-border bg-sunken`;
  return (
    <div aria-hidden className="flex select-none flex-col [@media(max-height:46rem)]:hidden">
      <div className="flex w-80 max-w-full flex-col overflow-hidden rounded-dialog border border-border bg-surface shadow-3">
        <div className="flex items-center gap-3 border-primary-border border-b bg-primary px-4 py-3 text-primary-fg">
          <MessageCircle className="size-5" />
          <p className="min-w-0 flex-1 truncate font-semibold text-sm">
            <bdi>{brandName}</bdi>
          </p>
        </div>
        <div className="flex flex-col gap-2 p-3">
          <p className={answerClass}>{t("welcome")}</p>
          <p className={`${bubbleClass} self-end border border-primary-border bg-primary text-primary-fg`}>
            {t("question")}
          </p>
          <p className={answerClass}>{t("answer")}</p>
        </div>
        <div className="flex items-center gap-2 border-border border-t px-3 py-2.5">
          <span className="h-2 flex-1 rounded-full bg-sunken" />
          <span className="grid size-8 place-items-center rounded-full border border-primary-border bg-primary text-primary-fg">
            <SendHorizontal className="mirror" />
          </span>
        </div>
      </div>
    </div>
  );
}
