import { ChapterPage, chapterMetadata } from "../pages";

export async function generateMetadata({ params }: PageProps<"/docs/[chapter]">) {
  return chapterMetadata((await params).chapter);
}

export default async function DocsChapterPage({ params }: PageProps<"/docs/[chapter]">) {
  return <ChapterPage base="/docs" slug={(await params).chapter} />;
}
