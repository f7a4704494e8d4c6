import { GuidePage, guideMetadata } from "@/app/docs/pages";

export async function generateMetadata({ params }: PageProps<"/developers/docs/guides/[guide]">) {
  return guideMetadata((await params).guide);
}

export default async function PanelDocsGuidePage({ params }: PageProps<"/developers/docs/guides/[guide]">) {
  return <GuidePage base="/developers/docs" slug={(await params).guide} />;
}
