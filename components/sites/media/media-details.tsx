"use client";

import type { Route } from "next";
import { useTranslations } from "next-intl";
import { api } from "@/components/api/client";
import { useErrorText } from "@/components/api/form-error";
import { Ltr } from "@/components/ui/bidi";
import { CopyButton } from "@/components/ui/copy-button";
import { ErrorState } from "@/components/ui/error-state";
import { KeyValue } from "@/components/ui/key-value";
import { SkeletonRows } from "@/components/ui/skeleton";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import { useFormat } from "@/components/ui/use-format";
import { Thumbnail, toUrlPath } from "./thumbnail";
import type { MediaRow } from "./types";

export function MediaDetails({ file }: { file: MediaRow }) {
  const t = useTranslations("media");
  const format = useFormat();
  const { width, height, duration } = file;
  return (
    <div className="flex flex-col gap-6">
      <Preview file={file} />
      <KeyValue
        items={[
          { key: "kind", label: t("kind"), value: t(`kinds.${file.kind}`) },
          { key: "size", label: t("size"), value: format.bytes(file.size) },
          ...(width && height
            ? [{ key: "dimensions", label: t("dimensions"), value: <Ltr>{`${width} × ${height}`}</Ltr> }]
            : []),
          ...(duration
            ? [{ key: "duration", label: t("duration"), value: <Ltr>{formatDuration(duration)}</Ltr> }]
            : []),
          { key: "created", label: t("created"), value: <Time value={file.created_at} show="date" /> },
          {
            key: "address",
            label: t("address"),
            value: <Ltr mono>{file.url}</Ltr>,
            action: <CopyButton compact text={file.url} />,
          },
          { key: "used", label: t("usedIn"), value: <SnippetsUsingFile id={file.id} /> },
        ]}
      />
    </div>
  );
}

function formatDuration(seconds: number): string {
  const rounded = Math.round(seconds);
  return `${Math.floor(rounded / 60)}:${String(rounded % 60).padStart(2, "0")}`;
}

function Preview({ file }: { file: MediaRow }) {
  const path = toUrlPath(file.url);
  if (file.kind === "image")
    // biome-ignore lint/performance/noImgElement: the original file
    return <img src={path} alt="" className="max-h-72 rounded-card border border-border object-contain" />;
  if (file.kind === "video")
    return (
      // biome-ignore lint/a11y/useMediaCaption: uploaded files have no captions
      <video
        controls
        preload="metadata"
        src={path}
        aria-label={file.name}
        className="max-h-72 w-full rounded-card"
      />
    );
  if (file.kind === "audio")
    return (
      // biome-ignore lint/a11y/useMediaCaption: uploaded files have no captions
      <audio controls preload="metadata" src={path} aria-label={file.name} className="w-full" />
    );
  return (
    <div className="w-24">
      <Thumbnail file={file} size="lg" />
    </div>
  );
}

function SnippetsUsingFile({ id }: { id: number }) {
  const t = useTranslations("media");
  const errorText = useErrorText();
  const usage = api.media.usage.useQuery({ params: { id: String(id) } });
  if (usage.error) return <ErrorState onRetry={usage.refetch}>{errorText(usage.error)}</ErrorState>;
  if (!usage.data) return <SkeletonRows rowCount={1} />;
  if (usage.data.count === 0) return <p>{t("usedNone")}</p>;
  return (
    <ul className="flex flex-col gap-1">
      {usage.data.snippets.map(({ id: snippetId, title }) => (
        <li key={snippetId}>
          <TextLink href={`/snippets?q=${encodeURIComponent(title)}` as Route}>
            <bdi>{title}</bdi>
          </TextLink>
        </li>
      ))}
    </ul>
  );
}
