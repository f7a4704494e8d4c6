import { useTranslations } from "next-intl";
import type { ReactNode } from "react";

/** Most important first. `due`: payments to make. `connectionDead`: connections that stopped working. */
const BANNER_ORDER = [
  "secondFactor",
  "agreement",
  "agreementUnsigned",
  "mailUnverified",
  "due",
  "connectionDead",
  "newVersion",
] as const;

type BannerKind = (typeof BANNER_ORDER)[number];

/** `viewAs` stays visible while scrolling, see `ShellFrame`. */
export type Banners = Partial<Record<BannerKind | "viewAs", ReactNode>>;

export function BannerStack({ banners }: { banners: Omit<Banners, "viewAs"> }) {
  const t = useTranslations("shell");
  const visibleKinds = BANNER_ORDER.filter((kind) => banners[kind]);
  if (visibleKinds.length === 0) return null;
  return (
    // Without its frame once every banner is dismissed.
    <section aria-label={t("notices")} data-print="never" className="not-has-[>div>*]:hidden">
      {visibleKinds.map((kind) => (
        <div key={kind}>{banners[kind]}</div>
      ))}
    </section>
  );
}
