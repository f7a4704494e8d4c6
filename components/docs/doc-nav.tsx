import { useTranslations } from "next-intl";

export interface DocNavProps {
  base: string;
  /** The parts of the guide that are on this page. */
  guide: readonly ("calls" | "tokens" | "errors" | "limits")[];
  chapters: readonly { slug: string; tag: string }[];
  current?: string;
}

/** The contents of the reference; collapsed on phones. */
export function DocNav(props: DocNavProps) {
  const t = useTranslations("docs");
  return (
    <>
      <nav aria-label={t("contents")} className="max-lg:hidden">
        <Lists {...props} />
      </nav>
      <details className="rounded-card border border-border bg-surface lg:hidden">
        <summary className="flex min-h-11 items-center px-4 font-medium text-sm">{t("contents")}</summary>
        <nav aria-label={t("contents")} className="border-border border-t p-3">
          <Lists {...props} />
        </nav>
      </details>
    </>
  );
}

function Lists({ base, guide, chapters, current }: DocNavProps) {
  const t = useTranslations("docs");
  const link =
    "flex min-h-8 items-center rounded-control px-2 py-1 text-compact text-fg-muted hover:bg-sunken hover:text-fg aria-[current=page]:font-medium aria-[current=page]:text-primary-text pointer-coarse:min-h-11";
  return (
    <ul>
      {current ? (
        <li>
          <a href={base} className={link}>
            {t("all")}
          </a>
        </li>
      ) : null}
      {guide.map((part) => (
        <li key={part}>
          <a href={`#${part}`} className={link}>
            {t(`guide.${part}`)}
          </a>
        </li>
      ))}
      {chapters.map(({ slug, tag }) => (
        <li key={slug}>
          <a href={`${base}/${slug}`} aria-current={slug === current ? "page" : undefined} className={link}>
            <bdi lang="en">{tag}</bdi>
          </a>
        </li>
      ))}
    </ul>
  );
}
