import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Disclosure } from "@/components/ui/disclosure";

export interface DocNavProps {
  basePath: string;
  guides: readonly { slug: string; title: string }[];
  chapters: readonly { slug: string; title: string }[];
  /** Path of the page relative to `base`; undefined on the contents page. */
  current?: string;
}

export function DocNav(props: DocNavProps) {
  const t = useTranslations("docs");
  return (
    <>
      <nav aria-label={t("contents")} className="max-lg:hidden">
        <EntryLists {...props} />
      </nav>
      <div className="rounded-card border border-border bg-surface lg:hidden">
        <Disclosure inCard label={t("contents")}>
          <nav aria-label={t("contents")} className="border-border border-t p-3">
            <EntryLists {...props} />
          </nav>
        </Disclosure>
      </div>
    </>
  );
}

function EntryLists({ basePath, guides, chapters, current }: DocNavProps) {
  const t = useTranslations("docs");
  return (
    <>
      {current ? <Entry href={basePath}>{t("all")}</Entry> : null}
      <p className="px-2 pt-2 pb-1 font-medium text-caption text-fg-subtle">{t("guides")}</p>
      <ul>
        {guides.map(({ slug, title }) => (
          <li key={slug}>
            <Entry href={`${basePath}/guides/${slug}`} current={current === `guides/${slug}`}>
              {title}
            </Entry>
          </li>
        ))}
      </ul>
      <p className="px-2 pt-4 pb-1 font-medium text-caption text-fg-subtle">{t("reference")}</p>
      <ul>
        {chapters.map(({ slug, title }) => (
          <li key={slug}>
            <Entry href={`${basePath}/${slug}`} current={slug === current}>
              <bdi lang="en">{title}</bdi>
            </Entry>
          </li>
        ))}
      </ul>
    </>
  );
}

function Entry({ href, current, children }: { href: string; current?: boolean; children: ReactNode }) {
  return (
    <a href={href} aria-current={current ? "page" : undefined} className="doc-entry">
      {children}
    </a>
  );
}
