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
import { contents, documentation, matching } from "./document";
import { GUIDE } from "./guide";
import { ICONS } from "./parts";

/* The pages of the reference, for everybody at /docs and inside of the panel: `base` is where they are. */

/** The guide and all operations, or those of a search. */
export async function ContentsPage({ base, query }: { base: string; query: string }) {
  const [t, { guide, chapters }] = await Promise.all([getTranslations("docs"), documentation()]);
  const found = matching(chapters, query);
  const count = found.reduce((sum, { operations }) => sum + operations.length, 0);
  return (
    <Page
      title={t("title")}
      text={t("text")}
      aside={
        <>
          <DocSearch
            base={base}
            query={query}
            label={t("search")}
            found={query ? t("found", { count }) : undefined}
          />
          <DocNav base={base} guide={query ? [] : GUIDE} chapters={found} />
        </>
      }
    >
      {query ? null : <Written markup={guide} />}
      {count > 0 ? (
        <Written markup={contents(found, base)} className="flex flex-col gap-8" />
      ) : (
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
      )}
    </Page>
  );
}

/** The operations of one topic in full. */
export async function ChapterPage({ base, slug }: { base: string; slug: string }) {
  const { chapters } = await documentation();
  const chapter = chapters.find((each) => each.slug === slug);
  if (!chapter) notFound();
  return (
    <Page
      title={<bdi lang="en">{chapter.tag}</bdi>}
      aside={<DocNav base={base} guide={[]} chapters={chapters} current={slug} />}
    >
      <Written markup={chapter.markup} className="flex flex-col gap-3" />
    </Page>
  );
}

export async function contentsMetadata(): Promise<Metadata> {
  const t = await getTranslations("docs");
  return { title: t("title"), robots: { index: true } };
}

export async function chapterMetadata(slug: string): Promise<Metadata> {
  const [t, { chapters }] = await Promise.all([getTranslations("docs"), documentation()]);
  const tag = chapters.find((each) => each.slug === slug)?.tag;
  return { title: tag ? `${tag} · ${t("title")}` : t("title"), robots: { index: Boolean(tag) } };
}

/** The search of an address. */
export function queryOf({ q }: { q?: string | string[] }): string {
  return typeof q === "string" ? q.trim().slice(0, 100) : "";
}

interface PageProps {
  title: ReactNode;
  text?: string;
  aside: ReactNode;
  children: ReactNode;
}

async function Page({ title, text, aside, children }: PageProps) {
  const [t, copy] = await Promise.all([getTranslations("docs"), getTranslations("ui.copy")]);
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
      <Written markup={ICONS} />
      <DocScript copied={copy("done")} failed={copy("failed")} />
      <div className="grid items-start gap-x-10 gap-y-6 lg:grid-cols-[14rem_minmax(0,1fr)]">
        <div className="flex flex-col gap-4 lg:sticky lg:top-20 lg:max-h-[calc(100dvh-6rem)] lg:overflow-y-auto lg:pb-4">
          {aside}
        </div>
        <div className="flex min-w-0 flex-col gap-12">{children}</div>
      </div>
    </>
  );
}

/** Markup of our own making. A link to an operation may have expanded it before scripts run. */
function Written({ markup, className }: { markup: string; className?: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: written by `html`, which escapes every value
  return <div className={className} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: markup }} />;
}
