import { useTranslations } from "next-intl";
import { MethodBadge } from "./method-badge";
import type { DocGroup } from "./types";

const GUIDE = ["calls", "tokens", "errors", "limits"] as const;

/** The contents of the page; collapsed on phones. */
export function DocNav({ groups, guide }: { groups: DocGroup[]; guide: boolean }) {
  return (
    <>
      <nav className="max-lg:hidden">
        <Lists groups={groups} guide={guide} />
      </nav>
      <FoldedNav groups={groups} guide={guide} />
    </>
  );
}

function FoldedNav(props: { groups: DocGroup[]; guide: boolean }) {
  const t = useTranslations("docs");
  return (
    <details className="rounded-card border border-border bg-surface lg:hidden">
      <summary className="flex min-h-11 items-center px-4 font-medium text-sm">{t("contents")}</summary>
      <div className="border-border border-t p-3">
        <Lists {...props} />
      </div>
    </details>
  );
}

function Lists({ groups, guide }: { groups: DocGroup[]; guide: boolean }) {
  const t = useTranslations("docs");
  const link =
    "flex min-h-8 items-center gap-2 rounded-control px-2 py-1 text-compact text-fg-muted hover:bg-sunken hover:text-fg pointer-coarse:min-h-11";
  return (
    <ul className="flex flex-col gap-4">
      {guide ? (
        <li>
          <p className="px-2 pb-1 text-caption text-fg-subtle">{t("guide.title")}</p>
          <ul>
            {GUIDE.map((part) => (
              <li key={part}>
                <a href={`#${part}`} className={link}>
                  {t(`guide.${part}`)}
                </a>
              </li>
            ))}
          </ul>
        </li>
      ) : null}
      {groups.map(({ tag, operations }) => (
        <li key={tag}>
          <p className="px-2 pb-1 text-caption text-fg-subtle">
            <bdi lang="en">{tag}</bdi>
          </p>
          <ul>
            {operations.map(({ id, method, summary }) => (
              <li key={id}>
                <a href={`#${id}`} className={link}>
                  <MethodBadge method={method} />
                  <bdi lang="en" className="min-w-0">
                    {summary}
                  </bdi>
                </a>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}
