import { ChapterPage, chapterMetadata } from "@/app/docs/pages";

export async function generateMetadata({ params }: PageProps<"/developers/docs/[chapter]">) {
  return chapterMetadata((await params).chapter);
}

export default async function PanelDocsChapterPage({ params }: PageProps<"/developers/docs/[chapter]">) {
  return <ChapterPage base="/developers/docs" slug={(await params).chapter} />;
}
