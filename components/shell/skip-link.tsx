import { useTranslations } from "next-intl";

/** Must be the first tab stop. */
export function SkipLink() {
  const t = useTranslations("shell");
  return (
    <a
      href="#main"
      className="layer-band sr-only rounded-control bg-primary px-4 py-2 font-medium text-primary-fg text-sm focus:not-sr-only focus:fixed focus:start-4 focus:top-4 focus:px-4 focus:py-2"
    >
      {t("skip")}
    </a>
  );
}
