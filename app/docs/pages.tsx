import { SearchX } from "lucide-react";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { DocNav } from "@/components/docs/doc-nav";
import { DocScript } from "@/components/docs/doc-script";
import { DocSearch } from "@/components/docs/doc-search";
import { buttonStyle } from "@/components/ui/button-style";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { getDocumentation, renderContents, renderResults } from "./document";
import { ICON_SYMBOLS } from "./parts";

// Pages of the reference at /docs and in the panel; `base` is the path.

export async function ContentsPage({ base, query }: { base: string; query: string }) {
  const [t, docs] = await Promise.all([getTranslations("docs"), getDocumentation()]);
  const searchResults = query ? renderResults(docs, query, base) : undefined;
  return (
    <ReferencePage
      base={base}
      title={t("title")}
      text={t("text")}
      aside={
        <>
          <DocSearch
            basePath={base}
            query={query}
            label={t("search")}
            resultText={searchResults && t("found", { count: searchResults.count })}
          />
          <DocNav basePath={base} guides={docs.guides} chapters={docs.chapters} />
        </>
      }
    >
      {searchResults?.count === 0 ? (
        <EmptyState
          icon={<SearchX />}
          title={t("noMatch")}
          action={
            <a href={base} className={buttonStyle({})}>
              {t("clear")}
            </a>
          }
        >
          {t("noMatchText")}
        </EmptyState>
      ) : null}
      <StaticMarkup
        markup={
          searchResults
            ? searchResults.markup
            : renderContents(docs, base, {
                guides: t("guides"),
                reference: t("reference"),
                countOperations: (count) => t("operations", { count }),
              })
        }
        className="flex flex-col gap-8"
      />
    </ReferencePage>
  );
}

export async function ChapterPage({ base, slug }: { base: string; slug: string }) {
  const { chapters, guides } = await getDocumentation();
  const chapter = chapters.find((each) => each.slug === slug);
  if (!chapter) notFound();
  return (
    <ReferencePage
      base={base}
      title={<bdi lang="en">{chapter.title}</bdi>}
      aside={<DocNav basePath={base} guides={guides} chapters={chapters} current={slug} />}
    >
      <StaticMarkup markup={chapter.markup()} className="flex flex-col gap-3" />
    </ReferencePage>
  );
}

export async function GuidePage({ base, slug }: { base: string; slug: string }) {
  const { chapters, guides } = await getDocumentation();
  const guide = guides.find((each) => each.slug === slug);
  if (!guide) notFound();
  return (
    <ReferencePage
      base={base}
      title={guide.title}
      text={guide.lead}
      aside={<DocNav basePath={base} guides={guides} chapters={chapters} current={`guides/${slug}`} />}
    >
      <StaticMarkup markup={guide.markup} />
    </ReferencePage>
  );
}

export async function guideMetadata(slug: string): Promise<Metadata> {
  const [t, { guides }] = await Promise.all([getTranslations("docs"), getDocumentation()]);
  const title = guides.find((each) => each.slug === slug)?.title;
  return { title: title ? `${title} · ${t("title")}` : t("title"), robots: { index: Boolean(title) } };
}

export async function contentsMetadata(): Promise<Metadata> {
  const t = await getTranslations("docs");
  return { title: t("title"), robots: { index: true } };
}

export async function chapterMetadata(slug: string): Promise<Metadata> {
  const [t, { chapters }] = await Promise.all([getTranslations("docs"), getDocumentation()]);
  const title = chapters.find((each) => each.slug === slug)?.title;
  return { title: title ? `${title} · ${t("title")}` : t("title"), robots: { index: Boolean(title) } };
}

export function parseQuery({ q }: { q?: string | string[] }): string {
  return typeof q === "string" ? q.trim().slice(0, 100) : "";
}

interface ReferencePageProps {
  base: string;
  title: ReactNode;
  text?: string;
  aside: ReactNode;
  children: ReactNode;
}

async function ReferencePage({ base, title, text, aside, children }: ReferencePageProps) {
  const [t, copyTexts] = await Promise.all([getTranslations("docs"), getTranslations("ui.copy")]);
  return (
    <>
      <PageHeader
        title={title}
        description={text}
        actions={
          <a
            href="/api/openapi.json"
            className="font-medium text-primary-text text-sm underline decoration-primary-text/35 underline-offset-4"
          >
            {t("openapi")}
          </a>
        }
      />
      <StaticMarkup markup={ICON_SYMBOLS} />
      <DocScript
        basePath={base}
        copiedText={copyTexts("done")}
        copyFailedText={copyTexts("failed")}
        loadErrorText={t("unloaded")}
      />
      <div className="grid items-start gap-x-10 gap-y-6 lg:grid-cols-[14rem_minmax(0,1fr)]">
        <div className="flex flex-col gap-4 lg:sticky lg:top-20 lg:max-h-[calc(100dvh-6rem)] lg:overflow-y-auto lg:pb-4">
          {aside}
        </div>
        <div className="flex min-w-0 flex-col gap-12">{children}</div>
      </div>
    </>
  );
}

/** The browser may expand linked `details` before hydration, hence `suppressHydrationWarning`. */
function StaticMarkup({ markup, className }: { markup: string; className?: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: made with `html`, which escapes every value
  return <div className={className} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: markup }} />;
}
